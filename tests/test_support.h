/* test_support.h - what the tests of several rooms share: comparisons that print both numbers,
 * exact binomial tests, and how often a test repeats what it does. */
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

static inline sfm_noise_law law_named(const char *word) {
  sfm_noise_law law = SFM_NOISE_LAW_DISCRETE_LAPLACE;
  while (sfm_noise_law_name(law) && strcmp(sfm_noise_law_name(law), word) != 0) law++;
  assert_non_null(sfm_noise_law_name(law));
  return law;
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

#endif
