/* test_guarantee.c - curves, their inverses, and what may become what. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "privacy/guarantee.h"

static sfm_guarantee pure(double epsilon) {
  return (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = epsilon};
}

static sfm_guarantee gdp(double mu) {
  return (sfm_guarantee){.kind = SFM_GUARANTEE_GDP, .mu = mu};
}

static sfm_guarantee zcdp(double rho) {
  return (sfm_guarantee){.kind = SFM_GUARANTEE_ZCDP, .rho = rho};
}

static double delta_of(sfm_guarantee guarantee, double epsilon) {
  double delta = -1;
  sfm_error error;
  if (sfm_guarantee_delta(&delta, &guarantee, epsilon, &error)) fail_msg("%s", error.message);
  return delta;
}

static double epsilon_of(sfm_guarantee guarantee, double delta) {
  double epsilon = -1;
  sfm_error error;
  if (sfm_guarantee_epsilon(&epsilon, &guarantee, delta, &error)) fail_msg("%s", error.message);
  return epsilon;
}

static sfm_guarantee converted(sfm_guarantee guarantee, sfm_guarantee_kind kind) {
  sfm_guarantee out = {0};
  sfm_error error;
  if (sfm_guarantee_convert(&out, &guarantee, kind, &error)) fail_msg("%s", error.message);
  assert_int_equal(out.kind, kind);
  return out;
}

static void close_to(double got, double wanted, double relative) {
  if (!(fabs(got - wanted) <= relative * fabs(wanted)))
    fail_msg("%.17g is not %.17g to %g", got, wanted, relative);
}

static void kinds_have_their_file_names(void **state) {
  (void)state;
  assert_string_equal(sfm_guarantee_kind_name(SFM_GUARANTEE_PURE), "pure");
  assert_string_equal(sfm_guarantee_kind_name(SFM_GUARANTEE_GDP), "gdp");
  assert_string_equal(sfm_guarantee_kind_name(SFM_GUARANTEE_ZCDP), "zcdp");
  assert_string_equal(sfm_guarantee_kind_name(SFM_GUARANTEE_APPROXIMATE), "approximate");
  assert_string_equal(sfm_guarantee_kind_name(SFM_GUARANTEE_RANDOM_DP), "random-dp");
}

/* Randomised response at eps0 = ln 3 tells the truth with probability 3/4: at eps = 0 its delta is
 * the total variation 1/2; at eps = ln 2 it is 3/4 - 2/4. */
static void pure_curve_is_that_of_randomised_response(void **state) {
  (void)state;
  close_to(delta_of(pure(log(3)), 0), 0.5, 1e-15);
  close_to(delta_of(pure(log(3)), log(2)), 0.25, 1e-15);
  assert_true(delta_of(pure(2), 2) == 0);
  assert_true(delta_of(pure(2), 3) == 0);
  assert_true(delta_of(pure(2), nextafter(2, 0)) > 0);
  assert_true(delta_of(pure(1e3), 0) == 1);
}

static void gdp_curve_is_the_calibration_read_backwards(void **state) {
  (void)state;
  double mu = 0;
  assert_int_equal(sfm_gdp_calibrate(&mu, 1, 1e-6, NULL), SFM_OK);
  double delta = delta_of(gdp(mu), 1);
  assert_true(delta <= 1e-6);
  close_to(delta, 1e-6, 1e-12);
  double epsilon = epsilon_of(gdp(mu), 1e-6);
  assert_true(epsilon <= 1);
  close_to(epsilon, 1, 1e-14);
}

/* ln delta over a fine grid of orders, in plain doubles: the library's minimum must be at most
 * that of the grid and not below what a finer look around it allows. */
static double zcdp_by_grid(double rho, double epsilon) {
  double least = 0;
  for (double u = 1e-4; u < 1e6; u *= 1.0005) {
    double alpha = 1 + u;
    double value = u * (alpha * rho - epsilon) + alpha * log1p(-1 / alpha) - log(u);
    least = fmin(least, value);
  }
  return exp(least);
}

static void zcdp_curve_is_the_sharp_conversion(void **state) {
  (void)state;
  static const double points[][2] = {{0.5, 1}, {0.5, 5},    {0.01, 0.5}, {1e-4, 0.05},
                                     {10, 60}, {0.1, 0.01}, {3, 1}};
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    double got = delta_of(zcdp(points[i][0]), points[i][1]);
    double grid = zcdp_by_grid(points[i][0], points[i][1]);
    assert_true(got <= grid * (1 + 1e-12));
    close_to(got, grid, 1e-5);
  }
}

/* Sharper than exp(-(eps - rho)^2/4rho) (Bun & Steinke 2016), never below the truth for the
 * Gaussian mechanism, which is rho-zCDP and has the exact curve of mu = sqrt(2 rho). */
static void zcdp_curve_lies_between_truth_and_the_simple_bound(void **state) {
  (void)state;
  for (double mu = 1e-3; mu < 100; mu *= 3.3) {
    sfm_guarantee weak = converted(gdp(mu), SFM_GUARANTEE_ZCDP);
    for (double t = 0.5; t < 30; t *= 1.9) {
      double epsilon = weak.rho + t * mu;
      double delta = delta_of(weak, epsilon);
      assert_true(delta >= delta_of(gdp(mu), epsilon));
      assert_true(delta < exp(-t * t / 2) * (1 + 1e-9));
    }
  }
}

static void curves_fall_with_epsilon_and_rise_with_the_parameter(void **state) {
  (void)state;
  for (double x = 0.01; x < 30; x *= 3.1) {
    const sfm_guarantee now[] = {pure(x), gdp(x), zcdp(x)};
    const sfm_guarantee more[] = {pure(x * 1.01), gdp(x * 1.01), zcdp(x * 1.01)};
    for (size_t k = 0; k < 3; k++) {
      double last = 1;
      for (double epsilon = 0; epsilon < 40; epsilon = epsilon * 1.7 + 0.01) {
        double delta = delta_of(now[k], epsilon);
        assert_true(delta <= last && delta >= 0);
        assert_true(delta <= delta_of(more[k], epsilon));
        last = delta;
      }
    }
  }
}

static void epsilon_is_the_least_that_the_curve_allows(void **state) {
  (void)state;
  const sfm_guarantee all[] = {pure(0.7), pure(50),   gdp(1e-3),  gdp(0.8), gdp(30),
                               gdp(1e3),  zcdp(1e-5), zcdp(0.35), zcdp(40), zcdp(5e5)};
  const double deltas[] = {0x1p-1074, 1e-300, 1e-12, 1e-6, 0.01, 0.4, 0.999};
  for (size_t g = 0; g < sizeof all / sizeof *all; g++) {
    double last = INFINITY;
    for (size_t d = 0; d < sizeof deltas / sizeof *deltas; d++) {
      double epsilon = epsilon_of(all[g], deltas[d]);
      assert_true(delta_of(all[g], epsilon) <= deltas[d]);
      assert_true(epsilon == 0 || delta_of(all[g], epsilon * (1 - 1e-9)) > deltas[d]);
      assert_true(epsilon <= last);
      last = epsilon;
    }
  }
  assert_true(epsilon_of(pure(0.7), 0) == 0.7);
  assert_true(epsilon_of(gdp(0), 1e-9) == 0);
  assert_true(epsilon_of(zcdp(0), 1e-9) == 0);
}

static void pure_becomes_zcdp_and_gdp(void **state) {
  (void)state;
  assert_true(converted(pure(2), SFM_GUARANTEE_ZCDP).rho == 2);
  assert_true(converted(pure(0.1), SFM_GUARANTEE_ZCDP).rho >= 0.005);
  close_to(converted(pure(0.1), SFM_GUARANTEE_ZCDP).rho, 0.005, 1e-15);
  /* 2 Phi^-1(e/(1+e)) and its limits: eps sqrt(pi/2) for small eps. */
  close_to(converted(pure(1), SFM_GUARANTEE_GDP).mu, 1.2320353853449010, 1e-15);
  close_to(converted(pure(1e-9), SFM_GUARANTEE_GDP).mu, 1e-9 * sqrt(M_PI / 2), 1e-14);
  close_to(converted(pure(1e-300), SFM_GUARANTEE_GDP).mu, 1e-300 * sqrt(M_PI / 2), 1e-14);
  assert_true(converted(pure(0), SFM_GUARANTEE_GDP).mu == 0);
  double below = converted(pure(nextafter(1, 0)), SFM_GUARANTEE_GDP).mu;
  assert_true(below <= converted(pure(1), SFM_GUARANTEE_GDP).mu);
  close_to(below, converted(pure(1), SFM_GUARANTEE_GDP).mu, 1e-15);
}

static void gdp_becomes_zcdp(void **state) {
  (void)state;
  assert_true(converted(gdp(3), SFM_GUARANTEE_ZCDP).rho == 4.5);
  sfm_guarantee out = converted(gdp(0.1), SFM_GUARANTEE_ZCDP);
  assert_true(fma(0.1, 0.1, -2 * out.rho) <= 0);
  assert_true(out.mu == 0 && out.epsilon == 0 && out.delta == 0);
}

static void a_kind_converts_to_itself_unchanged(void **state) {
  (void)state;
  sfm_guarantee asked = {.kind = SFM_GUARANTEE_GDP, .epsilon = 1, .delta = 1e-6, .mu = 0.2367};
  sfm_guarantee out = converted(asked, SFM_GUARANTEE_GDP);
  assert_true(out.mu == asked.mu && out.epsilon == 1 && out.delta == 1e-6);
}

/* A conversion may only lose: its curve lies on or above the one it came from.  For GDP they touch
 * at epsilon = 0, so a mu smaller by 1e-9 must fail there. */
static void converted_curves_dominate(void **state) {
  (void)state;
  for (double epsilon0 = 1e-6; epsilon0 <= 1e3; epsilon0 *= 4.3) {
    sfm_guarantee from = pure(epsilon0);
    sfm_guarantee gaussian = converted(from, SFM_GUARANTEE_GDP),
                  weak = converted(from, SFM_GUARANTEE_ZCDP);
    for (int i = 0; i <= 24; i++) {
      double epsilon = epsilon0 * i / 20;
      double delta = delta_of(from, epsilon);
      assert_true(delta_of(gaussian, epsilon) >= delta);
      assert_true(delta_of(weak, epsilon) >= delta);
    }
    if (epsilon0 < 30) assert_true(delta_of(gdp(gaussian.mu * (1 - 1e-9)), 0) < delta_of(from, 0));
  }
}

static void refused(sfm_guarantee guarantee, sfm_guarantee_kind kind) {
  sfm_error error = {0};
  sfm_guarantee out = {.rho = -7};
  assert_int_equal(sfm_guarantee_convert(&out, &guarantee, kind, &error), SFM_INVALID);
  assert_true(strlen(error.message) > 20 && out.rho == -7);
}

static void untrue_conversions_are_refused(void **state) {
  (void)state;
  refused(zcdp(0.5), SFM_GUARANTEE_GDP);
  refused(zcdp(0.5), SFM_GUARANTEE_PURE);
  refused(gdp(1), SFM_GUARANTEE_PURE);
  refused(gdp(1), SFM_GUARANTEE_APPROXIMATE);
  refused(pure(1), SFM_GUARANTEE_RANDOM_DP);
  sfm_guarantee other = {.kind = SFM_GUARANTEE_APPROXIMATE, .epsilon = 1, .delta = 1e-6};
  refused(other, SFM_GUARANTEE_ZCDP);
  other.kind = SFM_GUARANTEE_RANDOM_DP;
  refused(other, SFM_GUARANTEE_GDP);
}

static void parameters_out_of_range_are_refused(void **state) {
  (void)state;
  const double bad[] = {-1, NAN, INFINITY, 1e7};
  for (size_t i = 0; i < 4; i++) {
    const sfm_guarantee all[] = {pure(bad[i]), gdp(bad[i]), zcdp(bad[i])};
    double result = -7;
    for (size_t k = 0; k < 3; k++) {
      sfm_error error = {0};
      assert_int_equal(sfm_guarantee_delta(&result, &all[k], 1, &error), SFM_INVALID);
      assert_non_null(strstr(error.message, "must be from 0 to"));
      assert_int_equal(sfm_guarantee_epsilon(&result, &all[k], 1e-6, NULL), SFM_INVALID);
      refused(all[k], SFM_GUARANTEE_ZCDP);
    }
    sfm_guarantee fine = gdp(1);
    assert_int_equal(sfm_guarantee_delta(&result, &fine, bad[i], NULL), SFM_INVALID);
    assert_int_equal(sfm_guarantee_epsilon(&result, &fine, bad[i], NULL), SFM_INVALID);
    assert_true(result == -7);
  }
  double epsilon = -7;
  sfm_guarantee fine = gdp(1), weak = zcdp(1), exact = pure(1);
  assert_int_equal(sfm_guarantee_epsilon(&epsilon, &fine, 0, NULL), SFM_INVALID);
  assert_int_equal(sfm_guarantee_epsilon(&epsilon, &weak, 0, NULL), SFM_INVALID);
  assert_int_equal(sfm_guarantee_epsilon(&epsilon, &exact, 1, NULL), SFM_INVALID);
  assert_true(epsilon == -7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_have_their_file_names),
      cmocka_unit_test(pure_curve_is_that_of_randomised_response),
      cmocka_unit_test(gdp_curve_is_the_calibration_read_backwards),
      cmocka_unit_test(zcdp_curve_is_the_sharp_conversion),
      cmocka_unit_test(zcdp_curve_lies_between_truth_and_the_simple_bound),
      cmocka_unit_test(curves_fall_with_epsilon_and_rise_with_the_parameter),
      cmocka_unit_test(epsilon_is_the_least_that_the_curve_allows),
      cmocka_unit_test(pure_becomes_zcdp_and_gdp),
      cmocka_unit_test(gdp_becomes_zcdp),
      cmocka_unit_test(a_kind_converts_to_itself_unchanged),
      cmocka_unit_test(converted_curves_dominate),
      cmocka_unit_test(untrue_conversions_are_refused),
      cmocka_unit_test(parameters_out_of_range_are_refused),
  };
  return cmocka_run_group_tests_name("guarantee", tests, NULL, NULL);
}
