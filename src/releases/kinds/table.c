#include "base/system/c_locale.h"
#include "sfumato/table.h"

#include <math.h>
#include <string.h>

#include "base/math/normal_distribution.h"
#include "estimators/tables/binning.h"
#include "histogram_cells.h"
#include "releases/band/laplace_sum.h"
#include "releases/band/noise_sum.h"

size_t sfm_table_columns(const sfm_release *release) {
  const sfmi_cells *cells = release->cells;
  return cells ? cells->count : 0;
}

static const sfmi_factor *factor_of(const sfm_release *release, size_t i) {
  return i < sfm_table_columns(release) ? &release->cells->factors[i] : NULL;
}

const char *sfm_table_column(const sfm_release *release, size_t i) {
  const sfmi_factor *factor = factor_of(release, i);
  return factor ? factor->name : NULL;
}

uint64_t sfm_table_categories(const sfm_release *release, size_t i) {
  const sfmi_factor *factor = factor_of(release, i);
  return factor ? factor->size : 0;
}

bool sfm_table_bins(const sfm_release *release, double *lower, double *upper, size_t i) {
  const sfmi_factor *factor = factor_of(release, i);
  if (!factor || factor->labels || factor->size == 0) return false;
  *lower = factor->lower;
  *upper = factor->upper;
  return true;
}

bool sfm_table_sparse(const sfm_release *release) {
  const sfmi_cells *cells = release->cells;
  return cells && cells->keys;
}

bool sfm_table_undeclared(const sfm_release *release) {
  const sfmi_cells *cells = release->cells;
  return cells && cells->texts;
}

double sfm_table_threshold(const sfm_release *release) {
  const sfmi_cells *cells = release->cells;
  return cells ? cells->threshold : 0;
}

uint64_t sfm_table_size(const sfm_release *release) {
  const sfmi_cells *cells = release->cells;
  uint64_t size = 0;
  if (!cells || cells->texts) return 0;
  if (cells->starts) return release->length;
  return sfmi_cells_size(cells, sfmi_cells_all_factors(cells), &size) ? size : 0;
}

bool sfm_table_exact_to(const sfm_release *release, uint64_t *records) {
  const sfmi_cells *cells = release->cells;
  if (!cells || !cells->exact) return false;
  *records = cells->exact_to;
  return true;
}

size_t sfm_table_margins(const sfm_release *release) {
  const sfmi_cells *cells = release->cells;
  return cells ? cells->margin_count : 0;
}

uint64_t sfm_table_margin(const sfm_release *release, size_t m) {
  return m < sfm_table_margins(release) ? release->cells->margins[m] : 0;
}

void sfm_table_cell(const sfm_release *release, uint32_t *codes, size_t e) {
  uint64_t margin, key;
  for (size_t i = 0; i < sfm_table_columns(release); i++) codes[i] = SFM_NO_CODE;
  if (e >= release->length || sfm_table_columns(release) == 0 || release->cells->texts) return;
  sfmi_cells_place(release, e, &margin, &key);
  sfmi_cells_codes(release->cells, margin, key, codes);
}

size_t sfm_table_label(const sfm_release *release, char *text, size_t size, size_t i,
                       uint32_t code) {
  const sfmi_factor *factor = factor_of(release, i);
  if (!factor || code >= factor->size) return (size_t)sfmi_snprintf(text, size, "%s", "");
  if (factor->labels) return (size_t)sfmi_snprintf(text, size, "%s", factor->labels[code]);
  const sfmi_binning bins = {factor->lower, factor->upper, factor->size};
  return sfmi_bin_label(&bins, text, size, code);
}

static uint32_t bin_of(const sfmi_factor *factor, double x) {
  const sfmi_binning bins = {factor->lower, factor->upper, factor->size};
  return x >= factor->lower && x <= factor->upper ? (uint32_t)sfmi_bin_of(&bins, x) : SFM_NO_CODE;
}

uint32_t sfm_table_code(const sfm_release *release, size_t i, const char *text) {
  const sfmi_factor *factor = factor_of(release, i);
  char label[96], *end;
  for (uint64_t k = 0; factor && factor->labels && k < factor->size; k++)
    if (strcmp(factor->labels[k], text) == 0) return (uint32_t)k;
  if (!factor || factor->labels || factor->size == 0) return SFM_NO_CODE;
  const double x = sfmi_strtod(text, &end);
  if (end == text) return SFM_NO_CODE;
  const uint32_t code = bin_of(factor, x);
  if (*end == 0 || code == SFM_NO_CODE) return code;
  for (uint32_t k = code; k < factor->size && k < code + 2; k++) { /* edges are printed rounded */
    sfm_table_label(release, label, sizeof label, i, k);
    if (strcmp(label, text) == 0) return k;
  }
  return SFM_NO_CODE;
}

double sfm_table_deviation(const sfm_release *release) {
  if (!release->cells || release->refined.done) return NAN;
  if (!release->cells->starts && release->summed > 1) return NAN;
  return sqrt(sfmi_integer_noise_variance(release->scale, sfmi_release_normal(release)) *
              (double)release->summed);
}

size_t sfm_table_text(const sfm_release *release, char *text, size_t size, size_t e, size_t i) {
  uint32_t codes[SFMI_FACTORS_MAX];
  if (i >= sfm_table_columns(release) || e >= release->length)
    return (size_t)sfmi_snprintf(text, size, "%s", "");
  if (release->cells->texts)
    return (size_t)sfmi_snprintf(text, size, "%s",
                                 release->cells->texts[e * release->cells->count + i]);
  sfm_table_cell(release, codes, e);
  return sfm_table_label(release, text, size, i, codes[i]);
}

size_t sfm_table_find(const sfm_release *release, size_t m, const uint32_t *codes) {
  const sfmi_cells *cells = release->cells;
  if (m >= sfm_table_margins(release) || cells->texts) return SIZE_MAX;
  for (size_t i = 0; i < cells->count; i++)
    if (cells->margins[m] >> i & 1 && codes[i] >= cells->factors[i].size) return SIZE_MAX;
  const uint64_t key = sfmi_cells_key(cells, cells->margins[m], codes);
  if (cells->starts) return cells->starts[m] + (size_t)key;
  size_t low = 0, high = release->length;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (cells->keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < release->length && cells->keys[low] == key ? low : SIZE_MAX;
}

sfm_table_refinement sfm_table_refined(const sfm_release *release) {
  const sfmi_refinement *r = &release->refined;
  if (!release->cells || !r->done) return (sfm_table_refinement){0};
  return (sfm_table_refinement){r->nonnegative, r->normalised, release->cells->consistent,
                                release->cells->monotone};
}

/* ---- linear maps ---- */

/* Linear maps of a released table, and how far noise may have moved them.
 *
 * An answer sum_e m_e (count_e + z_e) has noise of variance |m|^2 var(z), exactly.  Its band: with
 * one cell that of the cell; with weights of one size that of a sum of noises; else the least of
 * what all its cells' bands add up to and of Bernstein's inequality (Laplace), or the exact normal
 * sum and Hoeffding's for its roundings (docs/proofs/tables.md). */

/* What a row of the matrix weighs. */
typedef struct weights {
  double l1, square, largest, least; /* least: of those that are not zero */
  size_t used;
} weights;

static weights weigh(const double *row, size_t count) {
  weights w = {.least = INFINITY};
  for (size_t e = 0; e < count; e++) {
    const double size = fabs(row[e]);
    w.l1 += size;
    w.square += size * size;
    w.largest = fmax(w.largest, size);
    w.used += size > 0;
    if (size > 0) w.least = fmin(w.least, size);
  }
  return w;
}

/* A width that the noise of an answer passes with probability p at most. */
static double width_of(const sfm_release *release, const weights *w, double p) {
  const double summed = (double)release->summed;
  const bool normally = sfmi_release_normal(release);
  if (w->used == 0) return 0;
  if (w->used == 1) return w->l1 * sfmi_cells_noise_width(release, p);
  if (w->least == w->largest) /* noise is symmetric: a sum of so many, up to signs */
    return w->largest *
           sfmi_noise_sum_width(release->scale, normally, release->summed * w->used, p);
  const double cells = w->l1 * sfmi_cells_noise_width(release, p / (double)w->used);
  if (!normally)
    return fmin(cells, sfmi_laplace_sum_bound(release->scale, w->square * summed, w->largest, p));
  const double roundings = fmin(w->l1 * summed / 2, sqrt(w->square * summed * log(4 / p) / 2));
  const double normal = release->scale * sqrt(w->square * summed) * sfmi_normal_tail_inverse(p / 4);
  return fmin(cells, normal + roundings);
}

static sfm_status check(const sfm_release *release, size_t cells, double confidence,
                        sfm_error *error) {
  if (!release->cells)
    return sfmi_fail(error, SFM_INVALID, "a linear map needs a histogram, and this release is a %s",
                     sfm_kind_name(sfm_release_kind(release)));
  if (!release->cells->starts)
    return sfmi_fail(error, SFM_INVALID,
                     "a matrix has a column for every cell, and a sparse table lists only some: "
                     "take a margin of it, or multiply the cells that it lists");
  if (cells != release->length)
    return sfmi_fail(error, SFM_INVALID,
                     "the matrix has %zu columns and the table has %zu cells: write one column per "
                     "cell, in the order of sfm_table_cell",
                     cells, release->length);
  if (!(confidence > 0 && confidence < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "the band's confidence must be between 0 and 1 (0.95 is usual), not %g",
                     confidence);
  return SFM_OK;
}

sfm_status sfm_table_answer(double *answers, double *errors, double *widths,
                            const sfm_release *release, const double *matrix, size_t queries,
                            size_t cells, double confidence, sfm_error *error) {
  sfm_status status = check(release, cells, confidence, error);
  if (status) return status;
  const double deviation = sfm_table_deviation(release), each = (1 - confidence) / (double)queries;
  for (size_t j = 0; j < queries; j++) {
    const double *row = matrix + j * cells;
    const weights w = weigh(row, cells);
    long double sum = 0;
    for (size_t e = 0; e < cells; e++)
      sum += (long double)row[e] * sfm_release_coefficient(release, e);
    answers[j] = (double)sum;
    if (errors) errors[j] = sqrt(w.square) * deviation;
    if (widths) widths[j] = release->refined.done ? NAN : width_of(release, &w, each);
  }
  return SFM_OK;
}
