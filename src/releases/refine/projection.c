#include "projection.h"

#include <math.h>
#include <stdlib.h>

/* An integral this near to one is one: rounding of the sums that made it so. */
static const double EXACT = 1e-13;

typedef struct level {
  double value, weight;
} level;

static int descending(const void *x, const void *y) {
  const double a = ((const level *)x)->value, b = ((const level *)y)->value;
  return (a < b) - (a > b);
}

/* Of the values, or of those above zero. */
static long double integral(const double *values, const double *weights, size_t count, bool above) {
  long double sum = 0;
  for (size_t i = 0; i < count; i++)
    if (!above || values[i] > 0) sum += (long double)values[i] * weights[i];
  return sum;
}

/* The tau with sum w max(f - tau, 0) = 1: over the k highest values it is (sum w f - 1)/sum w, and
 * k is the last for which the k-th value stands above it.  levels is overwritten. */
static double water_level(level *levels, size_t count) {
  long double mass = 0, width = 0, tau = -INFINITY;
  qsort(levels, count, sizeof *levels, descending);
  for (size_t k = 0; k < count && levels[k].value > tau; k++) {
    mass += (long double)levels[k].value * levels[k].weight;
    width += levels[k].weight;
    tau = (mass - 1) / width;
  }
  return (double)tau;
}

static sfm_status both(double *values, const double *weights, size_t count, sfm_error *error) {
  level *levels = sfmi_alloc(count, sizeof *levels);
  if (!levels) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) levels[i] = (level){values[i], weights[i]};
  const double tau = water_level(levels, count);
  for (size_t i = 0; i < count; i++) values[i] = fmax(values[i] - tau, 0);
  free(levels);
  return SFM_OK;
}

static void shift(double *values, const double *weights, size_t count) {
  long double width = 0;
  for (size_t i = 0; i < count; i++) width += weights[i];
  const double by = (double)((1 - integral(values, weights, count, false)) / width);
  for (size_t i = 0; i < count; i++) values[i] += by;
}

/* Whether an integral is what is known of it. */
static bool suits(long double sum, sfmi_integral_condition known) {
  const bool small = sum - 1 <= EXACT, large = 1 - sum <= EXACT;
  return known == SFMI_INTEGRAL_CONDITION_ANY ||
         (small && (large || known == SFMI_INTEGRAL_CONDITION_AT_MOST_ONE));
}

sfm_status sfmi_project(double *values, const double *weights, size_t count, bool nonnegative,
                        sfmi_integral_condition known, sfm_error *error) {
  sfm_status status = SFM_OK;
  if (!suits(integral(values, weights, count, nonnegative), known)) {
    if (nonnegative)
      status = both(values, weights, count, error);
    else
      shift(values, weights, count);
  }
  /* Plus zero: no -0 in the file. */
  for (size_t i = 0; i < count; i++)
    values[i] = (nonnegative ? fmax(values[i], 0) : values[i]) + 0.0;
  return status;
}

/* A run of values that share their mean. */
typedef struct pool {
  long double sum;
  size_t count;
} pool;

/* Whether the mean of a is above that of b. */
static bool above(const pool *a, const pool *b) {
  return a->sum * (long double)b->count > b->sum * (long double)a->count;
}

sfm_status sfmi_isotonic(double *values, size_t count, int direction, sfm_error *error) {
  pool *pools = sfmi_alloc(count, sizeof *pools);
  size_t used = 0, at = 0;
  if (!pools) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    pools[used++] = (pool){direction > 0 ? values[i] : values[count - 1 - i], 1};
    while (used > 1 && above(&pools[used - 2], &pools[used - 1])) {
      pools[used - 2].sum += pools[used - 1].sum;
      pools[used - 2].count += pools[used - 1].count;
      used--;
    }
  }
  for (size_t k = 0; k < used; k++)
    for (size_t i = 0; i < pools[k].count; i++, at++)
      values[direction > 0 ? at : count - 1 - at] =
          (double)(pools[k].sum / (long double)pools[k].count);
  free(pools);
  return SFM_OK;
}
