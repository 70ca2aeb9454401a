/* test_composition.c - sums of guarantees: by hand, rounded up, and never below the composition
 * itself. */
#include "loss_checks.h"

#include <mpfr.h>

#include "privacy/guarantee.h"

static sfm_guarantee sum_of(const char *text, sfm_guarantee_kind kind) {
  sfm_privacy_loss losses[LOSSES_MAX];
  sfm_guarantee out = {0};
  sfm_error error;
  assert_ok(sfm_account_sum(&out, losses, losses_read(losses, text), kind, &error), &error);
  assert_int_equal(out.kind, kind);
  return out;
}

static void pure_epsilons_add(void **state) {
  (void)state;
  const sfm_guarantee sum =
      sum_of("laplace:0.5:4 discrete-laplace:0.25:8 randomised-response:1:2:10 pure:0.125:1",
             SFM_GUARANTEE_PURE);
  assert_true(sum.epsilon == 6.125);
  assert_true(sum.mu == 0 && sum.rho == 0 && sum.delta == 0);
  /* Ten tenths as doubles are more than one. */
  assert_true(sum_of("pure:0.1:10", SFM_GUARANTEE_PURE).epsilon == nextafter(1, 2));
  assert_true(sum_of("pure:1000:1000000000", SFM_GUARANTEE_PURE).epsilon == 1e12);
}

static void rhos_add(void **state) {
  (void)state;
  /* 16/(2 4) + 3/(2 0.25) + 2 0.5^2/2 */
  const sfm_guarantee sum =
      sum_of("gaussian:2:16 discrete-gaussian:0.5:3 laplace:0.5:2", SFM_GUARANTEE_ZCDP);
  assert_true(sum.rho == 2 + 6 + 0.25);
  const sfm_guarantee third = sum_of("gaussian:3:1", SFM_GUARANTEE_ZCDP);
  assert_true(third.rho * 18 >= 1 && third.rho <= nextafter(1.0 / 18, 1));
}

static void squares_of_mu_add(void **state) {
  (void)state;
  assert_true(sum_of("gaussian:2:16", SFM_GUARANTEE_GDP).mu == 2);
  sfm_guarantee one, pure = {.kind = SFM_GUARANTEE_PURE, .epsilon = 0.3};
  sfm_error error;
  assert_ok(sfm_guarantee_convert(&one, &pure, SFM_GUARANTEE_GDP, &error), &error);
  const double mu = sum_of("gaussian:2:4 pure:0.3:7", SFM_GUARANTEE_GDP).mu;
  assert_relative("mu", mu, sqrt(1 + 7 * one.mu * one.mu), 1e-15);
}

/* 256 bits, rounded down: never above what is returned, and next to it. */
static void sums_are_rounded_up(void **state) {
  (void)state;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  for (int i = 0; i < 200; i++) {
    sfm_privacy_loss losses[5];
    mpfr_t pure, rho, term;
    mpfr_inits2(256, pure, rho, term, (mpfr_ptr)0);
    mpfr_set_zero(pure, 1);
    mpfr_set_zero(rho, 1);
    for (int k = 0; k < 5; k++) {
      losses[k] = (sfm_privacy_loss){SFM_PRIVACY_LOSS_PURE, exp(8 * sfmi_prng_uniform(&prng) - 6),
                                     1 + (uint64_t)(1e6 * sfmi_prng_uniform(&prng)), 0};
      mpfr_set_d(term, losses[k].parameter, MPFR_RNDN);
      mpfr_mul_ui(term, term, losses[k].count, MPFR_RNDD);
      mpfr_add(pure, pure, term, MPFR_RNDD);
      mpfr_mul_d(term, term, losses[k].parameter / 2, MPFR_RNDD);
      mpfr_add(rho, rho, term, MPFR_RNDD);
    }
    sfm_guarantee sum;
    sfm_error error;
    assert_ok(sfm_account_sum(&sum, losses, 5, SFM_GUARANTEE_PURE, &error), &error);
    assert_true(mpfr_cmp_d(pure, sum.epsilon) <= 0);
    assert_true(mpfr_cmp_d(pure, nextafter(sum.epsilon, 0)) > 0);
    assert_ok(sfm_account_sum(&sum, losses, 5, SFM_GUARANTEE_ZCDP, &error), &error);
    assert_true(mpfr_cmp_d(rho, sum.rho) <= 0);
    assert_true(mpfr_cmp_d(rho, nextafter(sum.rho, 0)) > 0);
    mpfr_clears(pure, rho, term, (mpfr_ptr)0);
  }
}

/* What holds under adaptive choice holds for mechanisms fixed beforehand. */
static void sums_are_never_below_the_composition(void **state) {
  (void)state;
  static const char *const all[] = {"laplace:0.3:20", "pure:1:3",
                                    "gaussian:3:5 randomised-response:0.4:10:5 laplace:0.2:8",
                                    "discrete-laplace:0.05:400 gaussian:30:100"};
  static const double deltas[] = {1e-12, 1e-6, 1e-2};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (size_t k = 0; k < 3; k++)
      for (int kind = SFM_GUARANTEE_GDP; kind <= SFM_GUARANTEE_ZCDP; kind++) {
        const sfm_guarantee sum = sum_of(all[i], (sfm_guarantee_kind)kind);
        double epsilon = -1;
        sfm_error error;
        assert_ok(sfm_guarantee_epsilon(&epsilon, &sum, deltas[k], &error), &error);
        assert_true(losses_epsilon_of(all[i], deltas[k]).upper <= epsilon);
      }
}

static void refused(const char *text, sfm_guarantee_kind kind, const char *word) {
  sfm_privacy_loss losses[LOSSES_MAX];
  sfm_guarantee out = {.epsilon = -7};
  sfm_error error = {0};
  assert_int_equal(sfm_account_sum(&out, losses, losses_read(losses, text), kind, &error),
                   SFM_INVALID);
  if (!strstr(error.message, word)) fail_msg("no '%s' in: %s", word, error.message);
  assert_true(out.epsilon == -7);
}

static void sums_that_do_not_exist_are_refused(void **state) {
  (void)state;
  refused("pure:1:1 gaussian:1:1", SFM_GUARANTEE_PURE, "no pure epsilon");
  refused("pure:1:1 discrete-gaussian:1:1", SFM_GUARANTEE_PURE, "no pure epsilon");
  refused("gaussian:1:1 discrete-gaussian:1:1", SFM_GUARANTEE_GDP, "not gdp");
  refused("pure:1:1", SFM_GUARANTEE_APPROXIMATE, "pure, zcdp or gdp");
  refused("pure:1:1", SFM_GUARANTEE_RANDOM_DP, "pure, zcdp or gdp");
  refused("pure:1:1", (sfm_guarantee_kind)9, "pure, zcdp or gdp");
  refused("pure:0:1", SFM_GUARANTEE_ZCDP, "loss 1: epsilon is 0");
  sfm_guarantee out;
  assert_int_equal(sfm_account_sum(&out, NULL, 0, SFM_GUARANTEE_ZCDP, NULL), SFM_INVALID);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pure_epsilons_add),
      cmocka_unit_test(rhos_add),
      cmocka_unit_test(squares_of_mu_add),
      cmocka_unit_test(sums_are_rounded_up),
      cmocka_unit_test(sums_are_never_below_the_composition),
      cmocka_unit_test(sums_that_do_not_exist_are_refused),
  };
  int failed = cmocka_run_group_tests_name("composition", tests, NULL, NULL);
  mpfr_free_cache();
  return failed;
}
