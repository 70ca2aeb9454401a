/* test_audit.c - the audit itself: its bounds are Clopper and Pearson's, it finds what is there and
 * claims no more. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "audit/support/audit.h"
#include "base/math/prng.h"

/* scipy.stats.beta.ppf(alpha, k, n - k + 1) and isf(alpha, k + 1, n - k). */
static void bounds_are_clopper_and_pearsons(void **state) {
  (void)state;
  static const struct {
    size_t hits, trials;
    double alpha, lower, upper;
  } known[] = {
      {1, 10, 5e-07, 5.000001125e-08, 0.842916850947},
      {5, 10, 0.025, 0.187086028447, 0.812913971553},
      {0, 50000, 5e-07, 0, 0.000290131058612},
      {50000, 50000, 5e-07, 0.999709868941, 1},
      {9200, 50000, 5e-07, 0.175617187418, 0.192588982118},
      {250000, 500000, 5e-07, 0.496540132407, 0.503459867593},
      {3, 1000000, 1e-06, 1.8254301051e-08, 2.1350261069e-05},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    double lower = audit_lower(known[i].hits, known[i].trials, known[i].alpha);
    double upper = audit_upper(known[i].hits, known[i].trials, known[i].alpha);
    if (fabs(lower - known[i].lower) > 1e-7 * known[i].lower ||
        fabs(upper - known[i].upper) > 1e-7 * known[i].upper)
      fail_msg("case %zu: [%.12g, %.12g]", i, lower, upper);
  }
}

/* Randomised response: answers with probability seldom, and then truly with probability
 * e^epsilon/(1 + e^epsilon). */
typedef struct response {
  sfmi_prng prng;
  double epsilon, seldom;
  double leak; /* probability of saying in clear which input it saw */
} response;

static void respond(void *context, int input, double *scores) {
  response *r = context;
  scores[0] = sfmi_prng_uniform(&r->prng); /* a score that knows nothing */
  scores[1] = NAN;
  if (sfmi_prng_uniform(&r->prng) < r->leak) {
    scores[1] = 10 + input;
  } else if (sfmi_prng_uniform(&r->prng) < r->seldom) {
    double p = exp(r->epsilon) / (1 + exp(r->epsilon));
    scores[1] = sfmi_prng_uniform(&r->prng) < p ? input : !input;
  }
}

static audit_result audit_response(double epsilon, double seldom, double leak, double delta,
                                   uint64_t seed, size_t draws) {
  response r = {.epsilon = epsilon, .seldom = seldom, .leak = leak};
  sfmi_prng_init(&r.prng, seed);
  audit_mechanism m = {"randomised response", respond, &r, 2, epsilon, delta};
  return audit_run(&m, draws);
}

static void response_is_bounded_closely(void **state) {
  (void)state;
  for (int e = 1; e <= 3; e++) {
    audit_result result = audit_response(e, 1, 0, 0, 7, 100000);
    assert_true(result.lower <= e && result.lower >= 0.9 * e);
    assert_int_equal(result.event.score, 1);
    /* a rare answer is found too */
    result = audit_response(e, 0.05, 0, 0, 7, 100000);
    assert_true(result.lower <= e && result.lower >= 0.5 * e);
  }
}

static void delta_is_allowed_for(void **state) {
  (void)state;
  /* In clear with probability 0.02: beyond any epsilon at delta = 0, within it at delta = 0.02. */
  assert_true(audit_response(1, 1, 0.02, 0, 8, 100000).lower > 2);
  assert_true(audit_response(1, 1, 0.02, 0.02, 8, 100000).lower <= 1);
  assert_true(audit_response(1, 1, 0.02, 0.01, 8, 100000).lower > 1);
}

static void nothing_is_found_where_nothing_is(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    double lower = audit_response(0, 1, 0, 0, seed, 2000).lower;
    if (lower != 0) fail_msg("seed %d: %g", (int)seed, lower);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_are_clopper_and_pearsons),
      cmocka_unit_test(response_is_bounded_closely),
      cmocka_unit_test(delta_is_allowed_for),
      cmocka_unit_test(nothing_is_found_where_nothing_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
