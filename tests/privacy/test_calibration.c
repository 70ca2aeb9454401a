/* test_calibration.c - Gaussian noise is calibrated exactly, and rounded to the private side. */
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
#include <mpfr.h>

#include "privacy/calibration.h"

/* Absolute errors e^eps 2^-bits stay 2^-200 below the least delta, 2^-997. */
static mpfr_prec_t reference_bits(double epsilon) {
  return 1200 + (mpfr_prec_t)(1.45 * epsilon);
}
/* What the contract promises of mu. */
#define PROMISED 1e-12

/* Phi(x) - e^eps Phi(y) through 1 + erf, in so many bits that cancellation does not matter:
 * another function and another precision than the library's. */
static void reference_delta(mpfr_t out, double mu, double epsilon) {
  mpfr_t root, ratio, x, y;
  mpfr_inits2(reference_bits(epsilon), root, ratio, x, y, (mpfr_ptr)0);
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  mpfr_set_d(x, epsilon, MPFR_RNDN);
  mpfr_div_d(ratio, x, mu, MPFR_RNDN);
  mpfr_d_sub(x, mu / 2, ratio, MPFR_RNDN);
  mpfr_add_d(y, ratio, mu / 2, MPFR_RNDN);
  mpfr_div(x, x, root, MPFR_RNDN);
  mpfr_div(y, y, root, MPFR_RNDN);
  mpfr_neg(y, y, MPFR_RNDN);
  mpfr_erf(x, x, MPFR_RNDN);
  mpfr_erf(y, y, MPFR_RNDN);
  mpfr_add_ui(x, x, 1, MPFR_RNDN);
  mpfr_add_ui(y, y, 1, MPFR_RNDN);
  mpfr_set_d(ratio, epsilon, MPFR_RNDN);
  mpfr_exp(ratio, ratio, MPFR_RNDN);
  mpfr_mul(y, y, ratio, MPFR_RNDN);
  mpfr_sub(x, x, y, MPFR_RNDN);
  mpfr_div_2ui(out, x, 1, MPFR_RNDN);
  mpfr_clears(root, ratio, x, y, (mpfr_ptr)0);
}

static bool reference_is_private(double mu, double epsilon, double delta) {
  mpfr_t value;
  mpfr_init2(value, reference_bits(epsilon));
  reference_delta(value, mu, epsilon);
  bool result = mpfr_cmp_d(value, delta) <= 0;
  mpfr_clear(value);
  return result;
}

static double calibrated(double epsilon, double delta) {
  double mu = 0;
  sfm_error error;
  if (sfm_gdp_calibrate(&mu, epsilon, delta, &error)) fail_msg("%s", error.message);
  return mu;
}

static double ratio_of(double epsilon, double delta, sfm_calibration calibration) {
  double ratio = 0;
  sfm_error error;
  if (sfm_gaussian_ratio(&ratio, epsilon, delta, calibration, &error))
    fail_msg("%s", error.message);
  return ratio;
}

static void known_ratios_are_reproduced(void **state) {
  (void)state;
  static const struct {
    double epsilon, delta, classical, exact, tolerance;
  } table[] = {
      {1, 0.1, 2.4477, 1.0859, 5e-5},           {1, 0.01, 3.2552, 1.8779, 5e-5},
      {1, 1e-6, 5.3868, 4.2247, 5e-5},          {0.1, 1e-6, 53.868, 36.305, 5e-4},
      {3, 1e-6, 0 /* refused */, 1.5439, 5e-5}, {10, 1e-6, 0, 0.5411, 5e-5},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    double exact = ratio_of(table[i].epsilon, table[i].delta, SFM_CALIBRATION_EXACT);
    assert_true(fabs(exact - table[i].exact) <= table[i].tolerance);
    if (table[i].classical == 0) continue;
    double classical = ratio_of(table[i].epsilon, table[i].delta, SFM_CALIBRATION_CLASSICAL);
    assert_true(fabs(classical - table[i].classical) <= table[i].tolerance);
  }
}

/* tests/vectors/gdp.csv comes from gdp.py, which integrates the curve's derivative. */
static void mu_agrees_with_independent_vectors(void **state) {
  (void)state;
  FILE *file = fopen(SFM_SOURCE_DIR "/tests/vectors/gdp.csv", "r");
  assert_non_null(file);
  char line[256];
  int rows = 0;
  assert_non_null(fgets(line, sizeof line, file));
  mpfr_t truth;
  mpfr_init2(truth, 256);
  while (fgets(line, sizeof line, file)) {
    char *rest = line;
    double epsilon = strtod(rest, &rest), delta = strtod(rest + 1, &rest);
    mpfr_strtofr(truth, rest + 1, NULL, 10, MPFR_RNDN);
    double mu = calibrated(epsilon, delta);
    assert_true(mpfr_cmp_d(truth, mu) >= 0);
    assert_true(mpfr_cmp_d(truth, mu * (1 + PROMISED)) < 0);
    rows++;
  }
  mpfr_clear(truth);
  fclose(file);
  assert_int_equal(rows, 144);
}

/* On a log-spaced grid of the whole range, both ends included. */
static void mu_is_the_largest_private_double(void **state) {
  (void)state;
  const int across = getenv("SFM_LONG") ? 60 : 7;
  for (int i = 0; i <= across; i++) {
    double epsilon = fmin(1e3, 1e-6 * pow(10, 9.0 * i / across));
    for (int j = 0; j <= across; j++) {
      /* delta from 1e-300 to 0.5, then towards 1. */
      double delta = j < across ? 1e-300 * pow(10, 300.0 * j / across) / 2 : 1 - 0x1p-53;
      if (j == 0) delta = 1e-300;
      double mu = calibrated(epsilon, delta);
      assert_true(reference_is_private(mu, epsilon, delta));
      assert_false(reference_is_private(nextafter(mu, INFINITY), epsilon, delta));
      double ratio = ratio_of(epsilon, delta, SFM_CALIBRATION_EXACT);
      assert_true(fma(ratio, mu, -1) >= 0);
      assert_true(ratio * mu <= 1 + 4e-16);
    }
  }
}

/* The referee is sharp enough to catch an error of the size promised. */
static void referee_rejects_a_wrong_mu(void **state) {
  (void)state;
  static const double targets[][2] = {{1e-6, 1e-300}, {1e-6, 0.9}, {1, 1e-6}, {1e3, 1e-300}};
  for (size_t i = 0; i < 4; i++) {
    double mu = calibrated(targets[i][0], targets[i][1]);
    assert_false(reference_is_private(mu * (1 + PROMISED), targets[i][0], targets[i][1]));
    assert_true(reference_is_private(mu * (1 - PROMISED), targets[i][0], targets[i][1]));
  }
}

static void mu_grows_with_epsilon_and_with_delta(void **state) {
  (void)state;
  double last = 0;
  for (double epsilon = 1e-6; epsilon <= 1e3; epsilon *= 3.7) {
    double mu = calibrated(epsilon, 1e-9);
    assert_true(mu > last);
    last = mu;
  }
  last = 0;
  for (double delta = 1e-300; delta < 1; delta *= 1e17) {
    double mu = calibrated(0.3, delta);
    assert_true(mu > last);
    last = mu;
  }
}

static void delta_is_the_curve_rounded_up(void **state) {
  (void)state;
  static const double points[][2] = {{1e-8, 0}, {1e-8, 1e-7}, {0.25, 1},  {1, 0},
                                     {1, 1},    {1, 30},      {3, 0.1},   {20, 150},
                                     {50, 900}, {60, 1e-6},   {1e-5, 0.1}};
  mpfr_t truth;
  mpfr_init2(truth, reference_bits(SFMI_EPSILON_MAX));
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    double delta = -1;
    assert_int_equal(sfm_gdp_delta(&delta, points[i][0], points[i][1], NULL), SFM_OK);
    reference_delta(truth, points[i][0], points[i][1]);
    assert_true(delta >= 0 && delta <= 1);
    assert_true(mpfr_cmp_d(truth, delta) <= 0);
    assert_true(delta == 0x1p-1074 || mpfr_cmp_d(truth, nextafter(delta, 0)) > 0);
  }
  mpfr_clear(truth);
}

static void delta_holds_at_the_ends_of_its_range(void **state) {
  (void)state;
  double delta = -1;
  assert_int_equal(sfm_gdp_delta(&delta, 0, 0, NULL), SFM_OK);
  assert_true(delta == 0);
  assert_int_equal(sfm_gdp_delta(&delta, 0x1p-1074, 1e6, NULL), SFM_OK);
  assert_true(delta > 0 && delta <= 0x1p-1074);
  assert_int_equal(sfm_gdp_delta(&delta, 1e3, 0, NULL), SFM_OK);
  assert_true(delta == 1);
  /* erf(x) is 2x/sqrt(pi) here: delta = mu/sqrt(2 pi), where a thousand bits cancel. */
  assert_int_equal(sfm_gdp_delta(&delta, 1e-290, 0, NULL), SFM_OK);
  assert_true(fabs(delta / (1e-290 / sqrt(2 * M_PI)) - 1) < 1e-14);
}

/* What docs/proofs/gaussian.md proves, and what it costs. */
static void classical_is_private_up_to_one_and_wasteful(void **state) {
  (void)state;
  for (double epsilon = 1e-6; epsilon <= 1; epsilon *= 9.5) {
    for (double delta = 1e-300; delta < 1; delta *= 1e59) {
      double mu = 0;
      assert_int_equal(sfmi_gdp_mu_for(&mu, epsilon, delta, SFM_CALIBRATION_CLASSICAL, NULL), 0);
      assert_true(reference_is_private(mu, epsilon, delta / 2));
      double ratio = ratio_of(epsilon, delta, SFM_CALIBRATION_CLASSICAL);
      assert_true(fma(ratio, mu, -1) >= -2e-16 && ratio * mu <= 1 + 4e-16);
      assert_true(fabs(ratio * epsilon / sqrt(2 * (log(2) - log(delta))) - 1) < 1e-14);
    }
  }
}

/* Where the formula is used beyond its proof it is no longer private: why it is refused. */
static void classical_formula_fails_at_ten(void **state) {
  (void)state;
  assert_false(reference_is_private(10 / sqrt(2 * log(2 / 1e-6)), 10, 1e-6));
}

static void mu_for_names_both_calibrations(void **state) {
  (void)state;
  double exact = 0, classical = 0;
  assert_int_equal(sfmi_gdp_mu_for(&exact, 1, 1e-6, SFM_CALIBRATION_EXACT, NULL), SFM_OK);
  assert_int_equal(sfmi_gdp_mu_for(&classical, 1, 1e-6, SFM_CALIBRATION_CLASSICAL, NULL), SFM_OK);
  assert_true(exact == calibrated(1, 1e-6));
  assert_true(classical < exact);
  assert_int_equal(sfmi_gdp_mu_for(&exact, 1, 1e-6, (sfm_calibration)7, NULL), SFM_INVALID);
}

static void refused(double epsilon, double delta, sfm_calibration calibration, const char *word) {
  sfm_error error = {0};
  double mu = -7;
  assert_int_equal(sfmi_gdp_mu_for(&mu, epsilon, delta, calibration, &error), SFM_INVALID);
  assert_int_equal(error.status, SFM_INVALID);
  if (!strstr(error.message, word)) fail_msg("no '%s' in: %s", word, error.message);
  assert_true(mu == -7);
}

static void targets_out_of_range_are_refused(void **state) {
  (void)state;
  const double bad_epsilon[] = {0, -0.0, -1, NAN, INFINITY, -INFINITY, 9e-7, 1001};
  const double bad_delta[] = {0, -1e-6, 1, 1.5, NAN, INFINITY, -INFINITY, 9e-301};
  const sfm_calibration both[] = {SFM_CALIBRATION_EXACT, SFM_CALIBRATION_CLASSICAL};
  for (size_t c = 0; c < 2; c++) {
    for (size_t i = 0; i < 8; i++) {
      refused(bad_epsilon[i], 1e-6, both[c], "epsilon is");
      refused(1, bad_delta[i], both[c], "delta is");
    }
  }
  refused(nextafter(1, 2), 1e-6, SFM_CALIBRATION_CLASSICAL, "settings.calibration = exact");
  double delta = -7;
  assert_int_equal(sfm_gdp_delta(&delta, NAN, 1, NULL), SFM_INVALID);
  assert_int_equal(sfm_gdp_delta(&delta, -1, 1, NULL), SFM_INVALID);
  assert_int_equal(sfm_gdp_delta(&delta, 1, NAN, NULL), SFM_INVALID);
  assert_int_equal(sfm_gdp_delta(&delta, 1, -1, NULL), SFM_INVALID);
  assert_int_equal(sfm_gdp_delta(&delta, 1, INFINITY, NULL), SFM_INVALID);
  assert_true(delta == -7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_ratios_are_reproduced),
      cmocka_unit_test(mu_agrees_with_independent_vectors),
      cmocka_unit_test(mu_is_the_largest_private_double),
      cmocka_unit_test(referee_rejects_a_wrong_mu),
      cmocka_unit_test(mu_grows_with_epsilon_and_with_delta),
      cmocka_unit_test(delta_is_the_curve_rounded_up),
      cmocka_unit_test(delta_holds_at_the_ends_of_its_range),
      cmocka_unit_test(classical_is_private_up_to_one_and_wasteful),
      cmocka_unit_test(classical_formula_fails_at_ten),
      cmocka_unit_test(mu_for_names_both_calibrations),
      cmocka_unit_test(targets_out_of_range_are_refused),
  };
  int failed = cmocka_run_group_tests_name("calibration", tests, NULL, NULL);
  mpfr_free_cache();
  return failed;
}
