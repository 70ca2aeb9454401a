/* plan_series.c - the plan of a series: one entry for every basis and noise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"
#include "base/system/sized_struct.h"
#include "planner/design/design_series.h"
#include "planner/forecast/simulated_noise.h"
#include "mu_cache.h"
#include "plan.h"
#include "planner/forecast/forecast.h"
#include "planner/forecast/series_interval.h"
#include "data/schema/column_bounds.h"
#include "releases/band/band.h"

enum { BASES = SFM_BASIS_EIGEN + 1, NOISES = SFM_VECTOR_NOISE_GAMMA + 1 };
/* Most records, and most that are drawn for a simulation. */
static const double ROWS_MAX = (double)((UINT64_C(1) << SFMI_BASIS_SUMS_ROWS_BITS) - 1);
static const uint64_t DRAWN_MAX = (uint64_t)1 << 20;

/* A basis and a noise. */
typedef struct candidate {
  sfm_series_settings settings;
  sfmi_series_candidates series_candidates;
  sfmi_series_interval **intervals; /* per shape, by the number of functions; NULL: not made yet */
} candidate;

typedef struct series_plan {
  candidate candidates[BASES * NOISES];
  size_t count;
  sfmi_shape_model
      *shape_models[SFMI_REFERENCE_SHAPES]; /* the shape; where none is given, a family of them */
  size_t shape_count;
  bool named; /* the basis was named: where no shape is given the column is taken to suit it */
  double width;
  uint64_t rows;
  sfmi_mu_cache mu_cache;
} series_plan;

static void candidate_clear(candidate *l, size_t shape_models) {
  const size_t sizes = shape_models * (l->series_candidates.series_errors.count + 1);
  for (size_t i = 0; l->intervals && i < sizes; i++) free(l->intervals[i]);
  free(l->intervals);
  sfmi_series_candidates_clear(&l->series_candidates);
}

static void clear(void *context) {
  series_plan *p = context;
  for (size_t i = 0; i < p->count; i++) candidate_clear(&p->candidates[i], p->shape_count);
  for (size_t i = 0; i < p->shape_count; i++) sfmi_shape_model_destroy(p->shape_models[i]);
}

/* ---- one candidate ---- */

/* What the sensitivity is divided by. */
static sfm_status rate_at(double *rate, series_plan *p, const sfm_series_settings *s,
                          double epsilon, sfm_error *error) {
  *rate = epsilon;
  if (s->noise != SFM_VECTOR_NOISE_NORMAL) return SFM_OK;
  return sfmi_mu_cache_find(&p->mu_cache, rate, epsilon, s->delta, s->calibration, error);
}

/* The interval of so many functions for one of the shapes, made when it is first needed. */
static sfm_status interval_of(const sfmi_series_interval **out, const series_plan *p, candidate *l,
                              size_t shape_model, size_t count, sfm_error *error) {
  sfmi_series_interval **kept =
      &l->intervals[shape_model * (l->series_candidates.series_errors.count + 1) + count];
  sfmi_basis *basis = NULL;
  sfm_status status = SFM_OK;
  if (!*kept) {
    *kept = sfmi_alloc(1, sizeof **kept);
    status = *kept ? sfmi_series_candidates_basis(&basis, &l->settings, count, error)
                   : sfmi_fail_memory(error);
    if (!status)
      status = sfmi_series_interval_init(*kept, basis, p->shape_models[shape_model], error);
    if (status) {
      free(*kept);
      *kept = NULL;
    }
  }
  sfmi_basis_destroy(basis);
  *out = *kept;
  return status;
}

/* The forecast of what was chosen; its intervals cover all shapes. */
static sfm_status predict(const series_plan *p, sfm_forecast *f, candidate *l,
                          const sfm_series_choice *plan, double n, sfm_error *error) {
  sfm_status status = SFM_OK;
  *f = (sfm_forecast){
      .privacy = plan->privacy, .sampling = plan->sampling, .truncation = plan->truncation};
  sfmi_forecast_sum(f, p->width, sfmi_shape_model_peak(p->shape_models[0]));
  f->low = f->high = f->total;
  f->cost_low = f->cost_high = f->cost;
  for (size_t i = 0; !status && i < p->shape_count; i++) {
    const sfmi_series_interval *interval;
    double total[2], cost[2];
    status = interval_of(&interval, p, l, i, plan->coefficients, error);
    if (status) break;
    sfmi_series_interval_find(interval, total, cost, l->settings.noise, plan->scale / n, n);
    f->low = fmin(f->low, total[0]);
    f->high = fmax(f->high, total[1]);
    f->cost_low = fmin(f->cost_low, cost[0]);
    f->cost_high = fmax(f->cost_high, cost[1]);
  }
  return status;
}

/* Two groups, each at one place: of share s each is s k high, k = sum_j b_j^2 there, and 1/k wide;
 * 2/k apart the release is about zero between them.  There and at each the errors of the noise and
 * of the other records are v k and k f/n, f the density's mean. */
static sfm_status set_apart(const series_plan *p, sfm_plan_entry *entry, candidate *l,
                            const sfm_series_choice *plan, double n, sfm_error *error) {
  const sfmi_series_interval *s;
  sfm_status status = interval_of(&s, p, l, 0, plan->coefficients, error);
  if (status) return status;
  const double v = sfmi_series_variance(l->settings.noise, (double)s->count, plan->scale / n);
  entry->apart = 2 / s->kernel;
  entry->share = 2 * sqrt(2 * (v + s->square / n) / s->kernel);
  return SFM_OK;
}

/* ---- forecasts ---- */

static sfm_status forecast(void *context, sfm_forecast *out, double rows, double epsilon,
                           sfm_error *error) {
  series_plan *p = context;
  const double n = fmin(rows, ROWS_MAX);
  bool any = false;
  candidate *best = NULL;
  sfm_series_choice plan, least = {.total = INFINITY};
  for (size_t i = 0; i < p->count; i++)
    if (p->candidates[i].settings.noise != SFM_VECTOR_NOISE_GAMMA) any = true;
  for (size_t i = 0; i < p->count; i++) {
    candidate *l = &p->candidates[i];
    double rate;
    if (any && l->settings.noise == SFM_VECTOR_NOISE_GAMMA) continue;
    sfm_status status = rate_at(&rate, p, &l->settings, epsilon, error);
    if (!status)
      status =
          sfmi_series_candidates_choose(&l->series_candidates, &plan, n, rate, least.total, error);
    if (status) return status;
    if (!(plan.total < least.total)) continue;
    best = l;
    least = plan;
  }
  return best ? predict(p, out, best, &least, n, error)
              : sfmi_fail(error, SFM_INVALID, "there is no series to plan");
}

static sfm_status shape(void *context, double *values, const double *points, size_t count,
                        sfm_error *error) {
  const series_plan *p = context;
  (void)error;
  sfmi_shape_model_at(p->shape_models[0], values, points, count);
  return SFM_OK;
}

/* ---- simulated releases ---- */

/* Sums over so many records drawn from the shape, in units of b_j. */
static sfm_status simulate(double *values, const series_plan *p, const sfmi_basis_sums *moments,
                           size_t count, sfmi_prng *prng, sfm_error *error) {
  const uint64_t drawn = p->rows < DRAWN_MAX ? p->rows : DRAWN_MAX;
  const double unit =
      ldexp((double)p->rows / (double)drawn, -sfmi_basis_sums_fraction_bits(moments));
  sfmi_arena arena = {0};
  sfmi_i128 *masses = sfmi_arena_get(&arena, sfmi_basis_sums_length(moments), sizeof *masses),
            *sums = sfmi_arena_get(&arena, count, sizeof *sums);
  sfmi_batch batch = {.columns = 1,
                      .values = sfmi_arena_doubles(&arena, SFMI_BATCH_ROWS),
                      .keep = sfmi_arena_get(&arena, SFMI_BATCH_ROWS, 1)};
  const bool room = !arena.failed;
  if (room) memset(batch.keep, 1, SFMI_BATCH_ROWS);
  for (uint64_t done = 0; room && done < drawn; done += batch.rows) {
    batch.rows = drawn - done < SFMI_BATCH_ROWS ? (size_t)(drawn - done) : SFMI_BATCH_ROWS;
    sfmi_shape_model_draw(p->shape_models[0], batch.values, batch.rows, prng);
    sfmi_basis_sums_add(moments, masses, &batch);
  }
  if (room) sfmi_basis_sums_sum(moments, sums, masses);
  for (size_t j = 0; room && j < count; j++) values[j] = (double)sums[j] * unit;
  sfmi_arena_clear(&arena);
  return room ? SFM_OK : sfmi_fail_memory(error);
}

/* The release of a candidate without its numbers, with the basis of its design, and its band. */
static sfm_status make_template(sfm_release **out, sfmi_design_series *e, series_plan *p,
                                candidate *l, sfm_error *error) {
  const uint64_t rows = p->rows;
  double rate;
  *e = (sfmi_design_series){0};
  *out = NULL;
  sfm_status status = rate_at(&rate, p, &l->settings, l->settings.epsilon, error);
  if (!status) status = sfmi_design_series_from(e, &l->series_candidates, rows, rate, error);
  if (!status)
    status = sfmi_design_series_template(out, e, &l->settings, rows, e->plan.scale, error);
  if (status) return status;
  const double systematic = sfmi_design_series_systematic(e, (double)rows);
  (*out)->function->basis = e->basis;
  e->basis = NULL;
  return sfmi_band_expansion(&(*out)->band, *out, l->settings.context.confidence, systematic,
                             error);
}

static candidate *candidate_of(series_plan *p, const sfm_plan_entry *entry) {
  for (size_t i = 0; i < p->count; i++) {
    candidate *l = &p->candidates[i];
    const char *noise = NULL;
    for (size_t k = 0; k < entry->parameter_count; k++)
      if (strcmp(entry->parameters[k].name, "noise") == 0) noise = entry->parameters[k].text;
    if (strcmp(entry->method, sfm_basis_name(l->settings.basis)) == 0 && noise &&
        strcmp(noise, sfm_vector_noise_name(l->settings.noise)) == 0)
      return l;
  }
  return NULL;
}

static sfm_status preview(void *context, sfm_release **out, const sfm_plan_entry *best,
                          uint64_t seed, sfm_error *error) {
  series_plan *p = context;
  candidate *l = candidate_of(p, best);
  sfm_release *release = NULL;
  sfmi_design_series e;
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  sfm_status status = make_template(&release, &e, p, l, error);
  double *values = !status ? sfmi_alloc(release->length, sizeof *values) : NULL;
  if (!status && !values) status = sfmi_fail_memory(error);
  if (!status) status = simulate(values, p, e.moments, release->length, &prng, error);
  sfmi_design_series_clear(&e);
  return sfmi_simulated_noise_finish(out, release, values, l->settings.noise, &prng, status, error);
}

static const sfmi_plan_kind KIND = {.size = sizeof(series_plan),
                                    .forecast = forecast,
                                    .preview = preview,
                                    .shape = shape,
                                    .clear = clear};

/* ---- the plan ---- */

static void set_parameters(sfm_plan_entry *entry, const candidate *l, const sfmi_design_series *e,
                           const sfmi_basis *basis) {
  const sfm_series_settings *s = &l->settings;
  sfmi_plan_entry_text(entry, "basis", sfm_basis_name(s->basis), true);
  sfmi_plan_entry_text(entry, "noise", sfm_vector_noise_name(s->noise), true);
  sfmi_plan_entry_number(entry, "terms", (double)e->plan.terms, true);
  if (s->basis == SFM_BASIS_HERMITE) sfmi_plan_entry_number(entry, "unit", basis->unit, false);
  if (s->basis == SFM_BASIS_EIGEN) {
    sfmi_plan_entry_text(entry, "kernel", sfm_kernel_family_name(s->kernel), false);
    sfmi_plan_entry_number(entry, "bandwidth", s->bandwidth, false);
  }
  sfmi_plan_entry_number(entry, "coefficients", (double)e->plan.coefficients, false);
  sfmi_plan_entry_number(entry, "sensitivity", e->plan.sensitivity, false);
  sfmi_plan_entry_number(entry, "scale", e->plan.scale, false);
}

/* Adds the entry of the last candidate. */
static sfm_status add_candidate(sfm_plan *plan, series_plan *p, sfm_error *error) {
  candidate *l = &p->candidates[p->count - 1];
  sfm_plan_entry entry = {.method = sfm_basis_name(l->settings.basis),
                          .hardened = l->settings.noise != SFM_VECTOR_NOISE_GAMMA};
  sfm_release *release = NULL;
  sfmi_design_series e = {0};
  sfm_status status =
      sfmi_series_candidates_init(&l->series_candidates, &l->settings, p->named, error);
  if (status) return status;
  l->intervals = sfmi_alloc(p->shape_count * (l->series_candidates.series_errors.count + 1),
                            sizeof *l->intervals);
  if (!l->intervals) return sfmi_fail_memory(error);
  const double n = (double)p->rows;
  status = make_template(&release, &e, p, l, error);
  if (!status) status = predict(p, &entry.predicted, l, &e.plan, n, error);
  if (!status) status = set_apart(p, &entry, l, &e.plan, n, error);
  if (!status) {
    set_parameters(&entry, l, &e, release->function->basis);
    entry.guarantee = release->guarantee;
    entry.band = release->band;
    status = sfmi_plan_add_entry(plan, &entry, error);
  }
  sfm_release_destroy(release);
  sfmi_design_series_clear(&e);
  return status;
}

/* A basis and noise, or why they cannot be had. */
static sfm_status add(sfm_plan *plan, series_plan *p, const sfm_series_settings *s,
                      sfm_error *error) {
  sfm_error why = {SFM_OK, ""};
  double rate;
  sfm_status status = sfmi_design_series_check(&rate, s, &why);
  if (status) return sfmi_plan_add_absent(plan, sfm_basis_name(s->basis), status, &why, error);
  p->candidates[p->count++] = (candidate){.settings = *s};
  return add_candidate(plan, p, error);
}

/* The bounds, which everything else needs, and the shapes over them. */
static sfm_status set_shapes(series_plan *p, const sfm_series_settings *s, sfm_error *error) {
  double lower, upper;
  if (!s->column) return sfmi_fail(error, SFM_INVALID, "a series needs settings.column");
  sfm_status status = sfmi_column_bounds(&lower, &upper, s->context.schema, s->column, 1, error);
  if (!status && !(lower < upper))
    status = sfmi_fail(error, SFM_INVALID, "the bounds of \"%s\" must ascend", s->column);
  p->width = upper - lower;
  const size_t wanted = s->shape ? 1 : SFMI_REFERENCE_SHAPES;
  while (!status && p->shape_count < wanted) {
    sfmi_shape_model **shape_model = &p->shape_models[p->shape_count];
    status = s->shape ? sfmi_shape_model_create(shape_model, s->shape, &s->column, 1, &lower,
                                                &upper, error)
                      : sfmi_shape_model_create_reference(shape_model, p->shape_count, 1, &lower,
                                                          &upper, error);
    if (!status) p->shape_count++;
  }
  return status;
}

static sfm_status add_all(sfm_plan *plan, series_plan *p, const sfm_series_settings *settings,
                          bool every_basis, bool every_noise, sfm_error *error) {
  sfm_series_settings s = *settings;
  sfm_status status = SFM_OK;
  for (int basis = 0; !status && basis < BASES; basis++)
    for (int noise = 0; !status && noise < NOISES; noise++) {
      if (!every_basis && basis != (int)settings->basis) continue;
      if (!every_noise && noise != (int)settings->noise) continue;
      s.basis = (sfm_basis)basis;
      s.noise = (sfm_vector_noise)noise;
      status = add(plan, p, &s, error);
    }
  if (!status && plan->count == 0)
    status = sfmi_fail(error, SFM_INVALID, "there is no such basis or noise");
  return status;
}

sfm_status sfm_plan_series(sfm_plan **out, const sfm_series_settings *given, bool every_basis,
                           bool every_noise, uint64_t rows, sfm_error *error) {
  sfm_series_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_series_settings, &taken, given, error);
  if (status) return status;
  const sfm_series_settings *settings = &taken;
  status = sfmi_plan_create(out, &KIND, (double)rows, settings->epsilon, error);
  if (status) return status;
  series_plan *p = (*out)->context;
  p->rows = rows;
  p->named = !every_basis;
  status = set_shapes(p, settings, error);
  if (!status) status = add_all(*out, p, settings, every_basis, every_noise, error);
  if (!status) sfmi_plan_remarks(*out, &settings->context, settings->delta, rows);
  return sfmi_plan_finish(out, status, error);
}
