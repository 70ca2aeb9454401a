/* test_stability_threshold.c - certified thresholds against their definitions, computed
 * independently. */
#include "privacy/stability_threshold.h"

#include <gmp.h>
#include <mpfr.h>

#include "test_support.h"

/* P(Z > t) of a discrete Laplace, to a hundred digits: r^(t+1)/(1+r). */
static void tail(mpfr_t out, sfm_ratio scale, int64_t t) {
  mpfr_t r;
  mpfr_init2(r, 400);
  mpfr_set_ui(r, scale.denominator, MPFR_RNDN);
  mpfr_div_ui(r, r, scale.numerator, MPFR_RNDN);
  mpfr_neg(r, r, MPFR_RNDN);
  mpfr_exp(r, r, MPFR_RNDN);
  mpfr_pow_si(out, r, t + 1, MPFR_RNDN);
  mpfr_add_ui(r, r, 1, MPFR_RNDN);
  mpfr_div(out, out, r, MPFR_RNDN);
  mpfr_clear(r);
}

static void thresholds_are_the_least_that_cost_no_more(void **state) {
  (void)state;
  static const sfm_ratio scales[] = {{2, 1},  {1, 3},       {1, 1000},
                                     {20, 3}, {2000000, 1}, {(uint64_t)1 << 51, 1}};
  static const double costs[] = {0.9, 0.5, 0.3, 5e-7, 1e-12, 1e-300, 1e-308};
  mpfr_t p;
  mpfr_init2(p, 400);
  for (size_t s = 0; s < 6; s++)
    for (size_t c = 0; c < 7; c++)
      for (uint32_t k = 1; k <= 1000000; k *= 10) {
        const int64_t tau = sfmi_stability_threshold(scales[s], k, costs[c]), t = tau - k;
        assert_true(t >= 0);
        tail(p, scales[s], t);
        assert_true(mpfr_cmp_d(p, costs[c]) <= 0);
        if (t == 0) continue;
        tail(p, scales[s], t - 1);
        assert_true(mpfr_cmp_d(p, costs[c]) > 0);
      }
  mpfr_clear(p);
}

static void thresholds_are_near_the_continuous_formula(void **state) {
  (void)state;
  for (uint32_t k = 1; k < 50; k += 7)
    for (double delta = 1e-2; delta > 1e-20; delta /= 10) {
      const sfm_ratio scale = {2 * k, 1};
      const double formula = k + 2 * k * log(k / delta),
                   tau = (double)sfmi_stability_threshold(scale, k,
                                                          sfmi_stability_share(delta, 2 * k));
      assert_true(tau <= formula + 1 && tau >= formula - 2);
    }
}

static void shares_are_not_above(void **state) {
  (void)state;
  mpq_t share, delta;
  mpq_inits(share, delta, NULL);
  for (uint64_t parts = 1; parts < 2000; parts++) {
    mpq_set_d(share, sfmi_stability_share(1e-6, parts));
    mpz_mul_ui(mpq_numref(share), mpq_numref(share), parts);
    mpq_canonicalize(share);
    mpq_set_d(delta, 1e-6);
    assert_true(mpq_cmp(share, delta) <= 0);
  }
  mpq_clears(share, delta, NULL);
}

/* 2 p (s + 1) <= gamma n, and s + 2 is too many. */
static void exempt_counts_are_the_largest_that_gamma_covers(void **state) {
  (void)state;
  static const double gammas[] = {0.05, 0.1, 0.5, 1e-9, 0.999};
  mpq_t product, left;
  mpq_inits(product, left, NULL);
  for (size_t g = 0; g < 5; g++)
    for (uint64_t n = 1; n < (uint64_t)1 << 40; n = 3 * n + 1)
      for (uint64_t p = 1; p < 1 << 24; p *= 5) {
        uint64_t s;
        const bool some = sfmi_stability_exempt(&s, gammas[g], n, p);
        mpq_set_d(product, gammas[g]);
        mpz_mul_ui(mpq_numref(product), mpq_numref(product), n);
        mpq_canonicalize(product);
        const uint64_t over = some ? s + 2 : 1;
        mpz_set_ui(mpq_numref(left), over);
        mpz_set_ui(mpq_denref(left), 1);
        mpz_mul_ui(mpq_numref(left), mpq_numref(left), 2 * p);
        assert_true(mpq_cmp(left, product) > 0);
        if (!some) continue;
        mpz_set_ui(mpq_numref(left), s + 1);
        mpz_mul_ui(mpq_numref(left), mpq_numref(left), 2 * p);
        assert_true(mpq_cmp(left, product) <= 0);
      }
  mpq_clears(product, left, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thresholds_are_the_least_that_cost_no_more),
      cmocka_unit_test(thresholds_are_near_the_continuous_formula),
      cmocka_unit_test(shares_are_not_above),
      cmocka_unit_test(exempt_counts_are_the_largest_that_gamma_covers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
