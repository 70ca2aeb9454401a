/* test_design_bandwidth_choice.c - what pays for a private choice: shares add up to the whole and
 * no further. */
#include "planner/density/design_bandwidth_choice.h"
#include "privacy/calibration.h"
#include "density_fixture.h"

static const double TWO[] = {1, 2};

static void begin(density_fixture *t, double epsilon, double delta, double share) {
  density_fixture_init(t, 1, 0, 100, 1, epsilon, delta);
  t->settings.candidates = TWO;
  t->settings.candidate_count = 2;
  t->settings.choice_share = share;
}

static void pure_shares_add_up(void **state) {
  (void)state;
  static const double epsilons[] = {1e-6, 0.1, 1, 3, 1000}, shares[] = {0.01, 0.1, 0.5, 0.9};
  for (size_t i = 0; i < 5; i++)
    for (size_t j = 0; j < 4; j++) {
      sfm_error error;
      sfmi_choice_budget b;
      density_fixture t;
      begin(&t, epsilons[i], 0, shares[j]);
      assert_ok(sfmi_bandwidth_choice_split(&b, &t.settings, false, &error), &error);
      assert_true(b.whole.kind == SFM_GUARANTEE_PURE && b.whole.epsilon == epsilons[i] &&
                  b.whole.delta == 0);
      assert_relative("choice", b.choice, shares[j] * epsilons[i], 1e-15);
      assert_relative("sum", b.choice + b.epsilon, epsilons[i], 1e-15);
      density_fixture_clear(&t);
    }
}

/* The squares of the choice's conversion and of what the release's (epsilon, delta) calibrate to
 * are at most the square of the whole, and not much less. */
static void normal_shares_add_up_in_squares(void **state) {
  (void)state;
  static const double epsilons[] = {0.01, 0.1, 1, 3, 20}, shares[] = {0.01, 0.1, 0.5, 0.9};
  for (size_t i = 0; i < 5; i++)
    for (size_t j = 0; j < 4; j++)
      for (int k = 0; k < 2; k++) {
        sfm_error error;
        sfmi_choice_budget b;
        sfm_guarantee choice;
        density_fixture t;
        double mu, rest;
        begin(&t, epsilons[i], k ? 1e-6 : 1e-3, shares[j]);
        if (epsilons[i] == 1) t.settings.calibration = SFM_CALIBRATION_CLASSICAL;
        assert_ok(sfmi_bandwidth_choice_split(&b, &t.settings, true, &error), &error);
        assert_ok(
            sfmi_gdp_mu_for(&mu, epsilons[i], t.settings.delta, t.settings.calibration, &error),
            &error);
        assert_true(b.whole.kind == SFM_GUARANTEE_GDP && b.whole.mu == mu);
        const sfm_guarantee pure = {.kind = SFM_GUARANTEE_PURE, .epsilon = b.choice};
        assert_ok(sfm_guarantee_convert(&choice, &pure, SFM_GUARANTEE_GDP, &error), &error);
        assert_ok(sfmi_gdp_mu_for(&rest, b.epsilon, b.whole.delta, SFM_CALIBRATION_EXACT, &error),
                  &error);
        assert_true(choice.mu * choice.mu + rest * rest <= mu * mu);
        assert_relative("squares", choice.mu * choice.mu + rest * rest, mu * mu, 1e-9);
        assert_relative("share", choice.mu * choice.mu, shares[j] * mu * mu, 1e-9);
        density_fixture_clear(&t);
      }
}

static void a_delta_that_leaves_nothing_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfmi_choice_budget b;
  density_fixture t;
  begin(&t, 1e-4, 0.5, 0.5);
  assert_int_equal(sfmi_bandwidth_choice_split(&b, &t.settings, true, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "smaller settings.delta"));
  density_fixture_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pure_shares_add_up),
      cmocka_unit_test(normal_shares_add_up_in_squares),
      cmocka_unit_test(a_delta_that_leaves_nothing_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
