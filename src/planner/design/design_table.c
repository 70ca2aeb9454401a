#include "design_table.h"
#include "base/system/sized_struct.h"

#include <math.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/text/utf8.h"
#include "data/schema/category.h"
#include "data/schema/schema.h"
#include "estimators/tables/binning.h"
#include "data/schema/column_bounds.h"
#include "planner/forecast/count_errors.h"
#include "privacy/calibration.h"
#include "privacy/range_check.h"
#include "privacy/stability_threshold.h"
#include "releases/core/release_kind.h"

/* Room in a file for values that are not cells, categories or margins. */
static const size_t VALUES_SPARE = 4096;

void sfm_histogram_settings_init(sfm_histogram_settings *settings, size_t size) {
  const sfm_histogram_settings defaults = {.outside = SFM_OUTSIDE_CLAMP,
                                           .context.confidence = 0.95};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

void sfmi_design_table_clear(sfmi_design_table *table_design) {
  sfmi_cells_destroy(table_design->cells, 0);
  *table_design = (sfmi_design_table){0};
}

static bool sparse(const sfm_histogram_settings *s) {
  return s->form == SFM_HISTOGRAM_SPARSE;
}

static bool undeclared(const sfm_histogram_settings *s) {
  return s->form == SFM_HISTOGRAM_UNDECLARED;
}

bool sfmi_design_table_noise_free(const sfm_histogram_settings *s) {
  return s->noise == SFM_HISTOGRAM_NOISE_AUTO && s->form == SFM_HISTOGRAM_DENSE && s->delta > 0 &&
         !(s->gamma > 0);
}

/* Whether noise may be normal. */
static bool normal(const sfm_histogram_settings *s) {
  return s->noise == SFM_HISTOGRAM_NOISE_NORMAL || sfmi_design_table_noise_free(s);
}

/* ---- columns ---- */

static sfm_status fail_unstated(const char *name, sfm_error *error) {
  return sfmi_fail(
      error, SFM_INVALID,
      "column '%.64s' has neither categories nor bins. They are public and must be stated: what is "
      "found in the rows shows that somebody has it. State schema.categories (or enum "
      "in a schema file); for a number settings.columns.bins = 20 and "
      "schema.bounds; or, for whatever texts are frequent enough, settings.form = undeclared "
      "with a settings.delta",
      name);
}

static sfm_status set_bins(sfmi_factor *factor, const sfm_histogram_settings *s, size_t i,
                           sfm_error *error) {
  const char *name = s->columns[i].name;
  const sfm_column *column = sfm_schema_find(s->context.schema, name);
  factor->size = s->columns[i].bins;
  if (factor->size > SFMI_BINS_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "column '%.64s' is given %.0f bins; at most 2^31 are possible", name,
                     (double)factor->size);
  if (column && column->type != SFM_COLUMN_TYPE_NUMBER && column->type != SFM_COLUMN_TYPE_INTEGER)
    return sfmi_fail(error, SFM_INVALID,
                     "column '%.64s' is given bins, but is not a column of numbers in the schema; "
                     "give it categories",
                     name);
  sfm_status status =
      sfmi_column_bounds(&factor->lower, &factor->upper, s->context.schema, name, i + 1, error);
  if (status) return status;
  const sfmi_binning bins = {factor->lower, factor->upper, factor->size};
  if (!sfmi_binning_fits(&bins))
    return sfmi_fail(
        error, SFM_INVALID,
        "%.15g bins within the bounds %.15g:%.15g of '%.64s' are narrower than numbers of that "
        "size can tell apart; write fewer bins, or measure it from another place",
        (double)bins.size, bins.lower, bins.upper, name);
  return SFM_OK;
}

static sfm_status set_factor(sfmi_factor *factor, const sfm_histogram_settings *s, size_t i,
                             sfm_error *error) {
  const char *name = s->columns[i].name;
  for (size_t j = 0; j < i; j++)
    if (strcmp(name, s->columns[j].name) == 0)
      return sfmi_fail(error, SFM_INVALID, "column '%.64s' is named twice", name);
  if (!sfmi_utf8_valid(name))
    return sfmi_fail(error, SFM_INVALID,
                     "the name of column %zu is not UTF-8, as the release file must be; save the "
                     "rows in UTF-8, or rename the column",
                     i + 1);
  if (!(factor->name = sfmi_copy_string(name))) return sfmi_fail_memory(error);
  if (s->columns[i].bins) return set_bins(factor, s, i, error);
  const sfm_column *column = sfm_schema_find(s->context.schema, name);
  size_t count = 0;
  const char *const *labels = column ? sfmi_column_categories(column, &count) : NULL;
  if (count == 0) return undeclared(s) ? SFM_OK : fail_unstated(name, error);
  sfm_status status = sfmi_category_select(&column, s->context.schema, &name, 0, NULL, 0, error);
  if (status) return status;
  return sfmi_factor_set_labels(factor, labels, count) ? SFM_OK : sfmi_fail_memory(error);
}

/* "2^40 cells", "about 2^63.2 cells" or "12345 cells". */
static void print_size(char *text, size_t size, double cells, double bits) {
  if (cells < 1e6)
    sfmi_snprintf(text, size, "%.0f cells", cells);
  else if (fabs(bits - round(bits)) < 1e-9)
    sfmi_snprintf(text, size, "2^%.0f cells", bits);
  else
    sfmi_snprintf(text, size, "about 2^%.1f cells", bits);
}

/* How many cells all margins have together, in words; for messages. */
static void measure(char *text, size_t size, const sfmi_cells *cells) {
  double all = 0, bits = 0;
  for (size_t m = 0; m < cells->margin_count; m++) {
    double product = 1, log = 0;
    for (size_t i = 0; i < cells->count; i++) {
      if (!(cells->margins[m] >> i & 1)) continue;
      product *= (double)cells->factors[i].size;
      log += log2((double)cells->factors[i].size);
    }
    all += product;
    bits = cells->margin_count == 1 ? log : log2(all);
  }
  print_size(text, size, all, bits);
}

static sfm_status check_margin(const sfmi_cells *cells, size_t m, sfm_error *error) {
  const uint64_t margin = cells->margins[m];
  if (margin == 0 || margin & ~sfmi_cells_all_factors(cells))
    return sfmi_fail(error, SFM_INVALID,
                     "margin %zu has no columns, or columns that the table does not have", m + 1);
  for (size_t other = 0; other < m; other++)
    if (cells->margins[other] == margin)
      return sfmi_fail(error, SFM_INVALID, "margin %zu is the same as margin %zu; write it once",
                       m + 1, other + 1);
  return SFM_OK;
}

static sfm_status set_margins(sfmi_cells *cells, const sfm_histogram_settings *s,
                              sfm_error *error) {
  const size_t count = s->margins ? s->margin_count : 1;
  if (count < 1 || count > SFMI_MARGINS_MAX)
    return sfmi_fail(error, SFM_INVALID, "from 1 to %d margins are possible, not %zu",
                     SFMI_MARGINS_MAX, count);
  if (s->margins && s->form != SFM_HISTOGRAM_DENSE)
    return sfmi_fail(error, SFM_INVALID,
                     "margins are released dense: leave out settings.form, or release the "
                     "whole table and add it up");
  cells->margins = sfmi_alloc(count, sizeof *cells->margins);
  if (!cells->margins) return sfmi_fail_memory(error);
  cells->margin_count = count;
  for (size_t m = 0; m < count; m++) {
    cells->margins[m] = s->margins ? s->margins[m] : sfmi_cells_all_factors(cells);
    sfm_status status = check_margin(cells, m, error);
    if (status) return status;
  }
  return SFM_OK;
}

static sfm_status check_occupied(const sfmi_design_table *t, const sfm_histogram_settings *s,
                                 sfm_error *error) {
  char size[64];
  measure(size, sizeof size, t->cells);
  if (s->occupied > t->size)
    return sfmi_fail(error, SFM_INVALID, "%.15g occupied cells are stated where the table has %s",
                     (double)s->occupied, size);
  if (s->occupied > SFMI_LISTED_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "%.15g occupied cells are stated; a sparse table lists at most %zu, so that a "
                     "threshold for more has no use",
                     (double)s->occupied, SFMI_LISTED_MAX);
  return SFM_OK;
}

/* Whether a file can hold all labels, and beside them every cell of a dense table. */
static sfm_status check_labels(const sfmi_design_table *t, sfm_error *error) {
  const sfmi_cells *cells = t->cells;
  size_t labels = 0, bytes = 0, names = 0;
  for (size_t i = 0; i < cells->count; i++) {
    if (!cells->factors[i].labels) continue;
    labels += cells->factors[i].size;
    for (uint64_t k = 0; k < cells->factors[i].size; k++)
      bytes += strlen(cells->factors[i].labels[k]);
  }
  for (size_t m = 0; m < cells->margin_count; m++)
    names += (size_t)__builtin_popcountll(cells->margins[m]);
  if (bytes > SFMI_LABELS_BYTES)
    return sfmi_fail(error, SFM_INVALID,
                     "the categories have %zu bytes in all; a release holds at most %zu: write "
                     "shorter ones, or leave out a column",
                     bytes, SFMI_LABELS_BYTES);
  if (t->length + labels + names > SFMI_VALUES_MAX - VALUES_SPARE)
    return sfmi_fail(error, SFM_INVALID,
                     "%zu cells and %zu categories are more than a release holds: leave out a "
                     "column, or ask for fewer cells",
                     t->length, labels);
  return SFM_OK;
}

/* How many cells there are, and whether they can be released in that form. */
static sfm_status set_size(sfmi_design_table *t, const sfm_histogram_settings *s,
                           sfm_error *error) {
  sfmi_cells *cells = t->cells;
  char size[64];
  if (undeclared(s)) return SFM_OK;
  measure(size, sizeof size, cells);
  if (sparse(s)) {
    if (!sfmi_cells_size(cells, sfmi_cells_all_factors(cells), &t->size))
      return sfmi_fail(error, SFM_INVALID,
                       "the table has %s; at most 2^62 are possible: leave out a column, or make "
                       "fewer bins",
                       size);
    return check_occupied(t, s, error);
  }
  if (sfmi_cells_set_starts(cells, &t->length)) {
    if (cells->margin_count == 1) t->size = t->length;
    return SFM_OK;
  }
  if (t->length) return sfmi_fail_memory(error);
  return sfmi_fail(error, SFM_INVALID, "the %s %s; a release of all of them has at most %zu: %s",
                   s->margins ? "margins have" : "table has", size, SFMI_RELEASE_MAX,
                   s->margins
                       ? "ask for fewer margins"
                       : "settings.form = sparse releases those that stand out, of up to 2^62");
}

/* ---- the guarantee ---- */

static sfm_status check_forms(const sfm_histogram_settings *s, sfm_error *error) {
  if (s->form != SFM_HISTOGRAM_DENSE && s->noise == SFM_HISTOGRAM_NOISE_NORMAL)
    return sfmi_fail(error, SFM_INVALID,
                     "a sparse table has laplace noise, on which its threshold rests: leave out "
                     "settings.noise = normal, or settings.form = sparse");
  if (s->occupied && !sparse(s))
    return sfmi_fail(error, SFM_INVALID,
                     "settings.occupied is for settings.form = sparse with declared categories, "
                     "whose threshold it lowers");
  if (undeclared(s) && !(s->delta > 0))
    return sfmi_fail(
        error, SFM_INVALID,
        "settings.form = undeclared needs a settings.delta, the probability that a cell is shown "
        "only because one person is in it; write for example settings.delta = 1e-6");
  if (normal(s) && sfmi_check_normal_delta(s->delta, error)) return SFM_INVALID;
  if (undeclared(s) && !(s->delta >= SFMI_DELTA_MIN && s->delta < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "delta must be above 0 and below 1 (1e-6 is usual), not %g", s->delta);
  if (!normal(s) && !undeclared(s) && s->delta != 0)
    return sfmi_fail(
        error, SFM_INVALID, "laplace noise gives pure epsilon: leave out settings.delta%s",
        s->form == SFM_HISTOGRAM_DENSE && !(s->gamma > 0) ? ", or use settings.noise = normal"
                                                          : "");
  if (s->calibration == SFM_CALIBRATION_CLASSICAL && !normal(s))
    return sfmi_fail(
        error, SFM_INVALID,
        "settings.calibration is about normal noise, which this histogram does not have");
  return SFM_OK;
}

/* Random differential privacy is about one record drawn anew, at a number n that is public. */
static sfm_status check_random(const sfm_histogram_settings *s, sfm_error *error) {
  if (s->gamma == 0) return SFM_OK;
  if (!(s->gamma > 0 && s->gamma < 1))
    return sfmi_fail(error, SFM_INVALID, "gamma must be above 0 and below 1 (0.05, say), not %g",
                     s->gamma);
  if (s->context.charge)
    return sfmi_fail(error, SFM_INVALID,
                     "random differential privacy cannot be charged to a ledger of differential "
                     "privacy; leave out settings.gamma, or the ledger");
  if (sfm_schema_neighbours(s->context.schema) != SFM_NEIGHBOURS_REPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "random differential privacy is about one record drawn anew among n: it goes "
                     "with schema.neighbours = replace only");
  if (sfm_schema_contributions(s->context.schema) != 1 || sfm_schema_person(s->context.schema))
    return sfmi_fail(error, SFM_INVALID,
                     "random differential privacy takes records for independent draws: it cannot "
                     "have a person column or more than one contribution");
  if (s->form != SFM_HISTOGRAM_DENSE || s->margins || s->noise == SFM_HISTOGRAM_NOISE_NORMAL)
    return sfmi_fail(
        error, SFM_INVALID,
        "random differential privacy is for whole dense tables with laplace noise: leave out "
        "settings.form = sparse, settings.margins and settings.noise = normal");
  return SFM_OK;
}

static sfm_status check_numbers(const sfm_histogram_settings *s, sfm_error *error) {
  if (!s->columns || s->count < 1 || s->count > SFMI_FACTORS_MAX)
    return sfmi_fail(error, SFM_INVALID, "a histogram needs 1 to %d columns, not %zu",
                     SFMI_FACTORS_MAX, s->count);
  sfm_status status = sfmi_check_epsilon(s->epsilon, error);
  if (!status) status = sfmi_check_confidence(s->context.confidence, error);
  if (!status) status = check_random(s, error);
  return !status ? check_forms(s, error) : status;
}

double sfmi_design_table_sensitivity(const sfm_histogram_settings *s, double margins, bool gauss) {
  const double k = sfm_schema_contributions(s->context.schema);
  const double moved =
      sfm_schema_neighbours(s->context.schema) == SFM_NEIGHBOURS_REPLACE ? 2 * margins : margins;
  return gauss ? k * sqrt(moved) * (1 + 0x1p-50) : k * moved;
}

/* Whether laplace noise has the smaller mean error of a count, as the plan predicts.  A stated
 * calibration asks for the noise that it belongs to. */
static bool laplace_is_nearer(const sfmi_design_table *t, const sfm_histogram_settings *s,
                              double mu) {
  const double margins = (double)t->cells->margin_count;
  const sfmi_integer_noise laplace = {false, sfmi_design_table_sensitivity(s, margins, false) /
                                                 s->epsilon},
                           gauss = {true, sfmi_design_table_sensitivity(s, margins, true) / mu};
  return s->calibration == SFM_CALIBRATION_EXACT &&
         sfmi_count_error_of_noise(laplace).absolute <= sfmi_count_error_of_noise(gauss).absolute;
}

static sfm_status set_guarantee(sfmi_design_table *t, const sfm_histogram_settings *s,
                                sfm_error *error) {
  bool gauss = normal(s);
  double mu = 0;
  sfm_status status =
      gauss ? sfmi_gdp_mu_for(&mu, s->epsilon, s->delta, s->calibration, error) : SFM_OK;
  if (status) return status;
  if (sfmi_design_table_noise_free(s) && laplace_is_nearer(t, s, mu)) gauss = false;
  t->method = undeclared(s) ? SFMI_TABLE_UNDECLARED
              : sparse(s)   ? SFMI_TABLE_SPARSE
              : gauss       ? SFMI_TABLE_NORMAL
                            : SFMI_TABLE_LAPLACE;
  t->guarantee = (sfm_guarantee){.kind = s->gamma > 0    ? SFM_GUARANTEE_RANDOM_DP
                                         : undeclared(s) ? SFM_GUARANTEE_APPROXIMATE
                                         : gauss         ? SFM_GUARANTEE_GDP
                                                         : SFM_GUARANTEE_PURE,
                                 .epsilon = s->epsilon,
                                 .delta = gauss || undeclared(s) ? s->delta : 0,
                                 .mu = gauss ? mu : 0,
                                 .gamma = s->gamma};
  t->rate = gauss ? mu : s->epsilon;
  t->sensitivity = sfmi_design_table_sensitivity(s, (double)t->cells->margin_count, gauss);
  return SFM_OK;
}

sfm_status sfmi_design_table_init(sfmi_design_table *t, const sfm_histogram_settings *s,
                                  sfm_error *error) {
  *t = (sfmi_design_table){0};
  sfm_status status = check_numbers(s, error);
  if (status) return status;
  t->cells = sfmi_cells_create(s->count);
  if (!t->cells) return sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < s->count; i++)
    status = set_factor(&t->cells->factors[i], s, i, error);
  if (!status) status = set_margins(t->cells, s, error);
  if (!status) status = set_size(t, s, error);
  if (!status) status = check_labels(t, error);
  if (!status) status = set_guarantee(t, s, error);
  return status;
}

/* The nearest double that is not below: a double may not hold the integer. */
static double double_above(int64_t whole) {
  const double near = (double)whole;
  return near < 0x1p63 && (int64_t)near < whole ? nextafter(near, INFINITY) : near;
}

double sfmi_design_table_threshold(const sfmi_design_table *t, const sfm_histogram_settings *s,
                                   sfm_ratio scale) {
  const uint32_t k = sfm_schema_contributions(s->context.schema);
  const bool replace = sfm_schema_neighbours(s->context.schema) == SFM_NEIGHBOURS_REPLACE;
  if (t->method == SFMI_TABLE_UNDECLARED)
    return double_above(sfmi_stability_threshold(
        scale, k, sfmi_stability_share(s->delta, (uint64_t)(replace ? 2 : 1) * k)));
  if (t->method != SFMI_TABLE_SPARSE) return 0;
  const double occupied = s->occupied ? (double)s->occupied : 1;
  return (double)scale.numerator / (double)scale.denominator * log((double)t->size / occupied);
}

/* Which cells have no noise. */
static void set_exact(sfmi_cells *cells, const sfmi_design_table *t,
                      const sfm_histogram_settings *s, uint64_t rows) {
  if (!(s->gamma > 0)) return;
  cells->exact = sfmi_stability_exempt(&cells->exact_to, s->gamma, rows, t->size);
  if (s->exact == SFM_HISTOGRAM_EXACT_EMPTY) cells->exact_to = 0;
}

sfm_status sfmi_design_table_template(sfm_release **out, sfmi_design_table *t,
                                      const sfm_histogram_settings *s, uint64_t rows,
                                      sfm_ratio scale, sfm_error *error) {
  sfm_release *release = *out = sfmi_release_begin(&sfmi_histogram_kind, t->method, &s->context);
  if (!release) return sfmi_fail_memory(error);
  release->hardened = true;
  release->has_rows = release->neighbours == SFM_NEIGHBOURS_REPLACE;
  release->rows = rows;
  release->outside = s->outside;
  release->guarantee = t->guarantee;
  release->law = t->method == SFMI_TABLE_NORMAL ? SFM_NOISE_LAW_ROUNDED_NORMAL
                                                : SFM_NOISE_LAW_DISCRETE_LAPLACE;
  release->step = 1;
  release->sensitivity = t->sensitivity;
  release->scale = (double)scale.numerator / (double)scale.denominator;
  release->cells = t->cells;
  t->cells = NULL;
  release->cells->occupied = s->occupied;
  release->cells->threshold = sfmi_design_table_threshold(t, s, scale);
  set_exact(release->cells, t, s, rows);
  release->length = t->length;
  release->integers = sfmi_alloc(t->length, sizeof *release->integers);
  return release->integers ? SFM_OK : sfmi_fail_memory(error);
}
