/* renoise.h - the same density again and again with new noise from a public generator: what a
 * mechanism would do, without rows, bands and exactness. */
#ifndef TEST_RENOISE_H
#define TEST_RENOISE_H

#include "trial.h"

#include "releases/contents.h"

/* A copy of a hardened release whose coefficients have noise of its law on top, of another scale.
 */
static inline sfm_release *renoise(const sfm_release *release, double scale, sfmi_prng *prng) {
  sfm_release *copy = sfmi_release_outline(release);
  const bool laplace = strstr(release->law, "laplace") != NULL;
  copy->sentence = sfmi_copy_string(release->sentence);
  copy->scale = scale;
  copy->length = release->length;
  copy->integers = calloc(copy->length, sizeof *copy->integers);
  for (size_t i = 0; i < copy->length; i++)
    copy->integers[i] = release->integers[i] +
                        llround(scale / release->step *
                                (laplace ? sfmi_prng_laplace(prng) : sfmi_prng_normal(prng)));
  return copy;
}

/* The values on a grid over the bounds, counts points along every axis. */
static inline void renoise_values(double *values, const sfm_release *release, size_t points) {
  sfm_error error;
  sfm_evaluator *evaluator;
  size_t counts[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < release->dimension; a++) counts[a] = points;
  trial_ok(sfm_evaluator_create(&evaluator, release, 0, &error), &error);
  trial_ok(sfm_evaluator_grid(evaluator, values, counts, &error), &error);
  sfm_evaluator_destroy(evaluator);
}

/* The integral of the squared difference of two arrays of such values, by the trapezoid rule. */
static inline double renoise_distance(const double *x, const double *y, const sfm_release *release,
                                      size_t points) {
  double sum = 0, cell = 1;
  size_t total = 1;
  for (size_t a = 0; a < release->dimension; a++) {
    total *= points;
    cell *= (release->upper[a] - release->lower[a]) / (double)(points - 1);
  }
  for (size_t i = 0; i < total; i++) {
    double weight = cell;
    for (size_t a = 0, rest = i; a < release->dimension; a++, rest /= points)
      if (rest % points == 0 || rest % points == points - 1) weight /= 2;
    sum += weight * (x[i] - y[i]) * (x[i] - y[i]);
  }
  return sum;
}

/* Mean and its standard error of numbers as they come. */
typedef struct tally {
  size_t count;
  double sum, squares;
} tally;

static inline void tally_add(tally *t, double x) {
  t->count++;
  t->sum += x;
  t->squares += x * x;
}

static inline double tally_mean(const tally *t) {
  return t->sum / (double)t->count;
}

static inline double tally_error(const tally *t) {
  const double n = (double)t->count, mean = tally_mean(t);
  return sqrt((t->squares / n - mean * mean) / (n - 1));
}

#endif
