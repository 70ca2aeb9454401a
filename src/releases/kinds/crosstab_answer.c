/* crosstab_answer.c - linear maps of a released table, and how far noise may have moved them.
 *
 * An answer sum_e m_e (count_e + z_e) has noise of variance |m|^2 var(z), exactly.  Its band: with
 * one cell that of the cell; with weights of one size that of a sum of noises; else the least of
 * what all its cells' bands add up to and of Bernstein's inequality (Laplace), or the exact normal
 * sum and Hoeffding's for its roundings (docs/proofs/tables.md). */
#include <math.h>

#include "base/math/normal_distribution.h"
#include "histogram_cells.h"
#include "releases/band/noise_sum.h"
#include "releases/band/laplace_sum.h"
#include "sfumato/crosstab.h"

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
                     sfm_release_kind(release));
  if (!release->cells->starts)
    return sfmi_fail(error, SFM_INVALID,
                     "a matrix has a column for every cell, and a sparse table lists only some: "
                     "take a margin of it, or multiply what `sfumato eval` prints");
  if (cells != release->length)
    return sfmi_fail(error, SFM_INVALID,
                     "the matrix has %zu columns and the table has %zu cells: write one column per "
                     "cell, in the order of `sfumato eval`",
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
