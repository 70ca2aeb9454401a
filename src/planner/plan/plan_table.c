/* plan_table.c - the plan of a table: every form and noise that it can have.
 *
 * With noise in every cell the error is that of the noise, whatever the counts.  Where cells below
 * a threshold are left out, the error depends on the counts, which are a guess: empty cells have
 * hardly any error, cells far above the threshold that of the noise, cells far below it their whole
 * count. */
#include <math.h>
#include <stdlib.h>

#include "base/system/sized_struct.h"
#include "planner/forecast/forecast.h"
#include "mu_cache.h"
#include "base/math/sort.h"
#include "plan.h"
#include "planner/design/design_table.h"
#include "planner/forecast/count_errors.h"
#include "releases/core/release_kind.h"

/* SHARP: sparse, with the threshold of a known number of occupied cells. */
enum { LAPLACE, NORMAL, SPARSE, SHARP, UNDECLARED, METHODS };

/* Errors are whole numbers of records, and so are the ends of an interval, but for roundings. */
static const double NOTHING = 1e-9;

static const char *const names[METHODS] = {"laplace", "normal", "sparse", "sparse", "undeclared"};

/* So many occupied cells of that share of all records. */
typedef struct shares {
  double part, cells;
} shares;

typedef struct table_plan {
  sfm_histogram_settings settings[METHODS];
  bool had[METHODS];
  double cells[METHODS];   /* cells that have an error: all, or the occupied ones when undeclared */
  double margins[METHODS]; /* in how many of them a record is counted */
  bool guessed;            /* counts were guessed; else they are even */
  uint64_t occupied;       /* occupied cells; 0: follows from rows and cells */
  uint64_t known;          /* what the threshold of SHARP rests on; 0: there is none */
  shares *parts;           /* of a guess by counts */
  size_t part_count;
  sfmi_mu_cache mu_cache;
} table_plan;

static void clear(void *context) {
  free(((table_plan *)context)->parts);
}

/* The law of the noise, and the least count that is listed; 0: all are. */
typedef struct listing {
  sfmi_integer_noise law;
  double least;
} listing;

/* A sum of independent errors: of absolute ones its mean and variance, what of the mean is counts
 * that were lost, and the mean of the squares. */
typedef struct error_sum {
  double mean, variance, lost, squares;
} error_sum;

static void add_cells(error_sum *t, const listing *s, double count, double cells) {
  const sfmi_count_error e = s->least > 0
                                 ? sfmi_count_error_thresholded(s->law.scale, s->least, count)
                                 : sfmi_count_error_of_noise(s->law);
  t->mean += cells * e.absolute;
  t->lost += cells * e.lost;
  t->squares += cells * e.square;
  t->variance += cells * (e.square - e.absolute * e.absolute);
}

/* Counts are whole: a guess of 3.4 records is 4 with probability 0.4, else 3. */
static void add_occupied(error_sum *t, const listing *s, double count, double cells) {
  const double below = floor(count), above = count - below;
  add_cells(t, s, below, cells * (1 - above));
  if (above > 0) add_cells(t, s, below + 1, cells * above);
}

static double occupied_of(const table_plan *m, double cells, double rows) {
  if (m->occupied) return fmin((double)m->occupied, cells);
  return m->part_count ? 0 : fmin(rows, cells);
}

/* The error of a table of these cells; endless: cells without records have none. */
static error_sum error_sum_of(const table_plan *m, const listing *s, double cells, double rows,
                              bool endless) {
  error_sum t = {0};
  double occupied = 0;
  if (!(s->least > 0)) {
    add_cells(&t, s, 0, cells);
    return t;
  }
  for (size_t i = 0; i < m->part_count; i++) {
    add_occupied(&t, s, m->parts[i].part * rows, m->parts[i].cells);
    occupied += m->parts[i].cells;
  }
  if (!m->part_count) {
    occupied = occupied_of(m, cells, rows);
    add_occupied(&t, s, rows / occupied, occupied);
  }
  if (!endless) add_cells(&t, s, 0, cells - occupied);
  return t;
}

/* The interval of the error whatever the counts: from that of one full cell to that of the worst
 * count, in as many cells as records allow. */
static void widen(sfm_forecast *f, const listing *s, double cells, double rows, bool endless) {
  error_sum least = {0}, most = {0};
  double low, high, ignored;
  const double empty = endless ? 0 : cells - 1;
  add_occupied(&least, s, rows, 1);
  add_cells(&least, s, 0, empty);
  add_cells(&most, s, 0, empty);
  most.mean += rows * sfmi_count_error_worst_part(s->law.scale, s->least);
  most.variance += rows * sfmi_count_error_of_noise(s->law).square;
  sfmi_forecast_interval(&low, &ignored, 0, least.mean, least.variance, 0);
  sfmi_forecast_interval(&ignored, &high, 0, most.mean, most.variance, 0);
  f->low = fmin(f->low, low);
  f->high = fmax(f->high, high);
}

static void predict(const table_plan *m, sfm_forecast *f, int method, const listing *s,
                    double rows) {
  const bool endless = method == UNDECLARED;
  const double declared = m->had[SPARSE] ? m->cells[SPARSE] : INFINITY;
  const double cells = endless ? occupied_of(m, declared, rows) : m->cells[method];
  const error_sum t = error_sum_of(m, s, cells, rows, endless);
  double numbers = cells;
  if (endless && m->part_count) {
    numbers = 0;
    for (size_t i = 0; i < m->part_count; i++) numbers += m->parts[i].cells;
  }
  *f = (sfm_forecast){.privacy = t.mean - t.lost, .truncation = t.lost, .absolute = true};
  sfmi_forecast_interval(&f->low, &f->high, 0, t.mean, t.variance, 0);
  if (s->least > 0 && !m->guessed) widen(f, s, cells, rows, endless);
  f->low = floor(f->low + NOTHING);
  f->high = fmax(ceil(fmax(f->high, t.mean) - NOTHING), 0);
  f->cost = f->total = t.mean;
  f->cost_low = f->low;
  f->cost_high = f->high;
  f->relative = t.mean / (rows * m->margins[method]);
  f->each = t.mean / numbers;
  f->deviation = sqrt(t.squares / numbers);
}

/* A ratio of integers as near as doubles are, and not below. */
static sfm_ratio ratio_of(double scale) {
  int exponent;
  frexp(scale, &exponent);
  const int shift = exponent > 50 ? 0 : exponent < 0 ? 50 : 50 - exponent;
  return (sfm_ratio){(uint64_t)ceil(ldexp(scale, shift)), UINT64_C(1) << shift};
}

/* At another epsilon than it was planned for. */
static sfm_status listing_at(table_plan *m, listing *out, int method, double epsilon,
                             sfm_error *error) {
  sfm_histogram_settings s = m->settings[method];
  double mu = 0;
  s.epsilon =
      method == NORMAL && s.calibration == SFM_CALIBRATION_CLASSICAL ? fmin(epsilon, 1) : epsilon;
  sfm_status status = SFM_OK;
  if (method == NORMAL)
    status = sfmi_mu_cache_find(&m->mu_cache, &mu, s.epsilon, s.delta, s.calibration, error);
  if (status) return status;
  const double moved = sfmi_design_table_sensitivity(&s, m->margins[method], method == NORMAL);
  *out = (listing){.law = {method == NORMAL, moved / (method == NORMAL ? mu : epsilon)}};
  if (method == LAPLACE || method == NORMAL) return SFM_OK;
  out->least = floor(sfmi_design_table_threshold(
                   &(sfmi_design_table){.method = method == UNDECLARED ? SFMI_TABLE_UNDECLARED
                                                                       : SFMI_TABLE_SPARSE,
                                        .size = (uint64_t)m->cells[method]},
                   &s, ratio_of(out->law.scale))) +
               1;
  return SFM_OK;
}

static sfm_status forecast(void *context, sfm_forecast *out, double rows, double epsilon,
                           sfm_error *error) {
  table_plan *m = context;
  out->total = INFINITY;
  for (int method = 0; method < METHODS; method++) {
    sfm_forecast f;
    listing s;
    if (!m->had[method]) continue;
    sfm_status status = listing_at(m, &s, method, epsilon, error);
    if (status) return status;
    predict(m, &f, method, &s, rows);
    if (f.total < out->total) *out = f;
  }
  return SFM_OK;
}

static const sfmi_plan_kind KIND = {
    .size = sizeof(table_plan), .forecast = forecast, .clear = clear};

/* ---- the entries ---- */

static void describe(sfm_plan_entry *entry, const table_plan *m, int method, const listing *s) {
  if (method == LAPLACE || method == NORMAL)
    sfmi_plan_entry_text(entry, "noise", names[method], true);
  else
    sfmi_plan_entry_text(entry, "sparse", "", true);
  if (method == UNDECLARED) sfmi_plan_entry_text(entry, "undeclared", "", true);
  if (entry->guarantee.delta > 0)
    sfmi_plan_entry_number(entry, "delta", entry->guarantee.delta, true);
  if (method == NORMAL && m->settings[method].calibration == SFM_CALIBRATION_CLASSICAL)
    sfmi_plan_entry_text(entry, "calibration", "classical", true);
  if (method == SHARP) sfmi_plan_entry_number(entry, "occupied", (double)m->known, true);
  if (method != UNDECLARED) sfmi_plan_entry_number(entry, "cells", m->cells[method], false);
  sfmi_plan_entry_number(entry, "scale", s->law.scale, false);
  if (s->least > 0) sfmi_plan_entry_number(entry, "least", s->least, false);
}

/* What the release would say of its error.  A table that lists no cells yet is told from a dense
 * one by its lists, which are empty. */
static sfm_status bound(sfm_band *band, sfmi_design_table *t,
                        const sfm_histogram_settings *settings, const listing *s, double rows,
                        sfm_error *error) {
  sfm_release *release = NULL;
  sfm_status status = sfmi_design_table_template(&release, t, settings, (uint64_t)rows,
                                                 ratio_of(s->law.scale), error);
  if (!status && settings->form == SFM_HISTOGRAM_SPARSE &&
      !(release->cells->keys = sfmi_alloc(1, sizeof *release->cells->keys)))
    status = sfmi_fail_memory(error);
  if (!status && settings->form == SFM_HISTOGRAM_UNDECLARED &&
      !(release->cells->texts = sfmi_alloc(1, sizeof *release->cells->texts)))
    status = sfmi_fail_memory(error);
  if (!status) status = release->kind->band(band, release, settings->context.confidence, error);
  sfm_release_destroy(release);
  return status;
}

static sfm_status add_entry(sfm_plan *plan, table_plan *m, int method, sfmi_design_table *t,
                            double rows, sfm_error *error) {
  const sfm_histogram_settings *settings = &m->settings[method];
  sfm_plan_entry entry = {.method = names[method],
                          .hardened = true,
                          .guarantee = t->guarantee,
                          .apart = NAN,
                          .share = NAN};
  listing s = {0};
  m->cells[method] = (double)(t->size ? t->size : t->length);
  m->margins[method] = (double)t->cells->margin_count;
  sfm_status status = listing_at(m, &s, method, settings->epsilon, error);
  if (!status) status = bound(&entry.band, t, settings, &s, rows, error);
  if (status) return status;
  m->had[method] = true;
  describe(&entry, m, method, &s);
  predict(m, &entry.predicted, method, &s, rows);
  return sfmi_plan_add_entry(plan, &entry, error);
}

/* Adds a method, or why it cannot be had. */
static sfm_status add(sfm_plan *plan, table_plan *m, int method, double rows, sfm_error *error) {
  sfmi_design_table t;
  sfm_error why = {SFM_OK, ""};
  sfm_status status = sfmi_design_table_init(&t, &m->settings[method], &why);
  status = status ? sfmi_plan_add_absent(plan, names[method], status, &why, error)
                  : add_entry(plan, m, method, &t, rows, error);
  sfmi_design_table_clear(&t);
  return status;
}

/* The settings that make a method. */
static sfm_histogram_settings settings_of(const sfm_histogram_settings *asked, int method,
                                          uint64_t occupied) {
  sfm_histogram_settings s = *asked;
  const bool pure = method != NORMAL && method != UNDECLARED;
  s.form = method == UNDECLARED                  ? SFM_HISTOGRAM_UNDECLARED
           : method == SPARSE || method == SHARP ? SFM_HISTOGRAM_SPARSE
                                                 : SFM_HISTOGRAM_DENSE;
  s.noise = method == NORMAL ? SFM_HISTOGRAM_NOISE_NORMAL : SFM_HISTOGRAM_NOISE_LAPLACE;
  s.occupied = method == SHARP ? occupied : 0;
  s.context.charge = NULL;
  if (pure) s.delta = 0;
  if (method != NORMAL) s.calibration = SFM_CALIBRATION_EXACT;
  return s;
}

/* Whether the settings ask for a method: a release takes the better of two. */
static bool asks_for(const sfm_histogram_settings *s, int method) {
  if (s->form == SFM_HISTOGRAM_UNDECLARED) return method == UNDECLARED;
  if (s->form == SFM_HISTOGRAM_SPARSE) return method == (s->occupied ? SHARP : SPARSE);
  if (sfmi_design_table_noise_free(s)) return method == LAPLACE || method == NORMAL;
  return method == (s->noise == SFM_HISTOGRAM_NOISE_NORMAL ? NORMAL : LAPLACE);
}

/* Equal counts together. */
static sfm_status take_counts(table_plan *m, const sfm_table_guess *guess, sfm_error *error) {
  double *sorted = sfmi_alloc(guess->count, sizeof *sorted), sum = 0;
  sfm_status status = SFM_OK;
  size_t occupied = 0;
  m->parts = sfmi_alloc(guess->count, sizeof *m->parts);
  if (!sorted || !m->parts) status = sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < guess->count; i++) {
    if (!(guess->counts[i] >= 0 && guess->counts[i] <= 0x1p53))
      status = sfmi_fail(error, SFM_INVALID, "guessed count %zu is not a number of records: %g",
                         i + 1, guess->counts[i]);
    sum += guess->counts[i];
    if (guess->counts[i] > 0) sorted[occupied++] = guess->counts[i];
  }
  if (!status && occupied == 0)
    status = sfmi_fail(error, SFM_INVALID, "all guessed counts are zero");
  if (!status) sfmi_sort_doubles(sorted, occupied);
  for (size_t i = 0; !status && i < occupied; i++)
    if (i && sorted[i] == sorted[i - 1])
      m->parts[m->part_count - 1].cells++;
    else
      m->parts[m->part_count++] = (shares){sorted[i] / sum, 1};
  if (!status) m->occupied = occupied;
  free(sorted);
  return status;
}

static sfm_status check_guess(const table_plan *m, sfm_error *error) {
  for (int method = 0; method < METHODS; method++)
    if (m->had[method] && method != UNDECLARED && m->settings[method].margins == NULL &&
        (double)m->occupied > m->cells[method])
      return sfmi_fail(error, SFM_INVALID,
                       "%llu occupied cells are guessed where the table has %.0f",
                       (unsigned long long)m->occupied, m->cells[method]);
  return SFM_OK;
}

static sfm_status list(sfm_plan *plan, table_plan *m, const sfm_histogram_settings *asked,
                       bool every, double rows, sfm_error *error) {
  sfm_status status = SFM_OK;
  for (int method = 0; !status && method < METHODS; method++) {
    m->settings[method] = settings_of(asked, method, m->known);
    if (method == SHARP && !m->known) continue;
    if (every || asks_for(asked, method)) status = add(plan, m, method, rows, error);
  }
  return status ? status : check_guess(m, error);
}

sfm_status sfm_plan_histogram(sfm_plan **out, const sfm_histogram_settings *given, bool every,
                              const sfm_table_guess *guess, uint64_t rows, sfm_error *error) {
  sfm_histogram_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_histogram_settings, &taken, given, error);
  if (status) return status;
  const sfm_histogram_settings *settings = &taken;
  static const sfm_table_guess none = {0};
  if (!guess) guess = &none;
  if (rows < 1) return sfmi_fail(error, SFM_INVALID, "a plan is for one record or more, not 0");
  if (settings->gamma > 0)
    return sfmi_fail(error, SFM_INVALID,
                     "random differential privacy is not planned: which cells have no noise, and "
                     "so the error, depends on the counts");
  status = sfmi_plan_create(out, &KIND, (double)rows, settings->epsilon, error);
  if (status) return status;
  table_plan *m = (*out)->context;
  *m = (table_plan){.occupied = guess->occupied ? guess->occupied : settings->occupied};
  status = guess->counts ? take_counts(m, guess, error) : SFM_OK;
  m->guessed = m->occupied > 0;
  m->known = settings->occupied ? settings->occupied : m->occupied;
  if (!status) status = list(*out, m, settings, every, (double)rows, error);
  if (!status) sfmi_plan_remarks(*out, &settings->context, settings->delta, rows);
  return sfmi_plan_finish(out, status, error);
}
