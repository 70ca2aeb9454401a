/* test_support.h - what the tests of several rooms share: comparisons that print both numbers,
 * exact binomial tests, and densities released from arrays. */
#ifndef TEST_TEST_SUPPORT_H
#define TEST_TEST_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/math/prng.h"
#include "sfumato/density.h"

/* The significance of every statistical test. */
#define TEST_SIGNIFICANCE 1e-6
#define TEST_Z 4.8916 /* of two-sided tests at that significance */

static inline void assert_ok(sfm_status status, const sfm_error *error) {
  if (status) fail_msg("status %d: %s", (int)status, error->message);
}

/* |got - wanted| <= tolerance, or the test fails and says by how much. */
static inline void assert_near(const char *claim, double got, double wanted, double tolerance) {
  if (!(fabs(got - wanted) <= tolerance))
    fail_msg("%s: %.17g is not %.17g to %g (off by %g)", claim, got, wanted, tolerance,
             got - wanted);
}

static inline void assert_relative(const char *claim, double got, double wanted, double relative) {
  assert_near(claim, got, wanted, relative * fabs(wanted));
}

/* P(Bin(trials, p) <= hits). */
static inline double binomial_cdf(size_t hits, size_t trials, double p) {
  double sum = 0, n = (double)trials;
  for (size_t k = 0; k <= hits; k++)
    sum += exp(lgamma(n + 1) - lgamma((double)k + 1) - lgamma(n - (double)k + 1) +
               (double)k * log(p) + (n - (double)k) * log1p(-p));
  return sum;
}

/* Whether hits of trials contradict "each with probability at least p". */
static inline bool binomial_too_few(size_t hits, size_t trials, double p) {
  return binomial_cdf(hits, trials, p) < TEST_SIGNIFICANCE;
}

static inline bool test_long(void) {
  return getenv("SFM_LONG") != NULL;
}

/* Whether the address sanitizer looks on: several times slower.  The release build has made every
 * statement on full numbers; a sanitized one goes the same ways fewer times. */
static inline bool test_sanitized(void) {
#if defined(__SANITIZE_ADDRESS__)
  return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return true;
#else
  return false;
#endif
#else
  return false;
#endif
}

/* As many repetitions as full, under sanitizers an eighth of them, but at least some. */
static inline size_t test_repetitions(size_t full, size_t least) {
  if (!test_sanitized() || full <= least) return full;
  return full / 8 > least ? full / 8 : least;
}

/* By how much the deviation of a mean over test_repetitions(full, least) exceeds that over full:
 * what tolerances of means are multiplied by. */
static inline double test_slack(size_t full, size_t least) {
  return sqrt((double)full / (double)test_repetitions(full, least));
}

/* Whether case i of many alike is left to the release build: under sanitizers all but every k-th.
 */
static inline bool test_left_out(size_t i, size_t k) {
  return test_sanitized() && i % k != 0;
}

/* A density problem with its schema: columns "a", "b", ... */
typedef struct density_fixture {
  sfm_schema *schema;
  sfm_density_settings settings;
  double bandwidth[SFM_MAX_DIMENSION];
} density_fixture;

static const char *const density_fixture_columns[SFM_MAX_DIMENSION] = {
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o",  "p",
    "q", "r", "s", "t", "u", "v", "w", "x", "y", "z", "A", "B", "C", "D", "E",  "F",
    "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U",  "V",
    "W", "X", "Y", "Z", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "aa", "bb"};

/* dimension columns with the same bounds and bandwidth. */
static inline void density_fixture_init(density_fixture *t, size_t dimension, double lower,
                                        double upper, double bandwidth, double epsilon,
                                        double delta) {
  sfm_error error;
  assert_ok(sfm_schema_create(&t->schema, &error), &error);
  t->settings = sfm_density_settings_default();
  for (size_t a = 0; a < dimension; a++) {
    assert_ok(sfm_schema_set_bounds(t->schema, density_fixture_columns[a], lower, upper, &error),
              &error);
    t->bandwidth[a] = bandwidth;
  }
  t->settings.schema = t->schema;
  t->settings.columns = density_fixture_columns;
  t->settings.dimension = dimension;
  t->settings.bandwidth = t->bandwidth;
  t->settings.epsilon = epsilon;
  t->settings.delta = delta;
}

static inline void density_fixture_clear(density_fixture *t) {
  sfm_schema_destroy(t->schema);
}

static inline void density_fixture_neighbours(density_fixture *t, sfm_neighbours neighbours,
                                              uint32_t contributions) {
  sfm_error error;
  assert_ok(sfm_schema_set_neighbours(t->schema, neighbours, &error), &error);
  assert_ok(sfm_schema_set_contributions(t->schema, contributions, &error), &error);
}

/* The release of an array of rows, which must succeed. */
static inline sfm_release *density_fixture_release(const density_fixture *t, const double *values,
                                                   size_t count) {
  sfm_error error;
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  assert_ok(sfm_rows_from_array(&rows, values, count, t->settings.dimension,
                                density_fixture_columns, &error),
            &error);
  assert_ok(sfm_density_release(&release, NULL, rows, &t->settings, &error), &error);
  sfm_rows_destroy(rows);
  return release;
}

/* Rows in two clusters and a heap, within [lower, upper]. */
static inline void density_fixture_rows(double *values, size_t count, size_t dimension,
                                        double lower, double upper, uint64_t seed) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  for (size_t i = 0; i < count * dimension; i++) {
    double u = sfmi_prng_uniform(&prng);
    double x = u < 0.1   ? 0.25
               : u < 0.5 ? 0.3 + 0.1 * sfmi_prng_normal(&prng)
                         : sfmi_prng_uniform(&prng);
    values[i] = lower + (upper - lower) * fmin(fmax(x, 0), 1);
  }
}

/* The density estimate itself, by its definition. */
static inline double density_fixture_density(const double *values, size_t count, size_t dimension,
                                             const double *bandwidth, const double *q) {
  double sum = 0, mass = 1;
  for (size_t a = 0; a < dimension; a++) mass *= sqrt(2 * M_PI) * bandwidth[a];
  for (size_t i = 0; i < count; i++) {
    double square = 0;
    for (size_t a = 0; a < dimension; a++) {
      double z = (q[a] - values[i * dimension + a]) / bandwidth[a];
      square += z * z;
    }
    sum += exp(-0.5 * square);
  }
  return sum / mass / (double)count;
}

#endif
