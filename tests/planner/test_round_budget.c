/* test_round_budget.c - what a round may cost: recomputed, the whole is never above what was asked
 * for, and close to it. */
/* suite: release */
#include "test_support.h"

#include "planner/design/round_budget.h"

static sfmi_round_budget rounds_of(uint64_t count, double epsilon, double delta,
                                   sfm_accounting rule) {
  return (sfmi_round_budget){.count = count,
                             .parts = {{false, 0.6}, {true, 0.4}},
                             .part_count = 2,
                             .epsilon = epsilon,
                             .delta = delta,
                             .accounting = rule};
}

static double solve(sfm_guarantee *guarantee, const sfmi_round_budget *rounds) {
  sfm_error error;
  double e;
  assert_ok(sfmi_round_budget_solve(&e, guarantee, rounds, &error), &error);
  return e;
}

static sfm_interval recompute(const sfmi_round_budget *r, double e) {
  sfm_error error;
  sfm_interval delta;
  const sfm_privacy_loss losses[] = {{SFM_PRIVACY_LOSS_PURE, 0.6 * e, r->count, 0},
                                     {SFM_PRIVACY_LOSS_LAPLACE, 0.4 * e, r->count, 0}};
  assert_ok(sfm_account_delta(&delta, losses, 2, r->epsilon, &error), &error);
  return delta;
}

static void pure_rounds_add_up_to_epsilon(void **state) {
  (void)state;
  for (uint64_t count = 1; count < 100000; count *= 7) {
    const sfmi_round_budget rounds = rounds_of(count, 1, 0, SFM_ACCOUNTING_BASIC);
    sfm_guarantee g;
    const double e = solve(&g, &rounds);
    assert_int_equal(g.kind, SFM_GUARANTEE_PURE);
    assert_true(g.epsilon == 1 && g.delta == 0);
    assert_true((long double)e * (long double)count <= 1);
    assert_relative("a round's part", e * (double)count, 1, 1e-12);
  }
}

static void composed_losses_stay_below_delta_and_close_to_it(void **state) {
  static const double epsilons[] = {0.1, 1, 5};
  (void)state;
  for (size_t i = 0; i < 3; i++)
    for (uint64_t count = 1; count <= 3000; count *= 13) {
      const sfmi_round_budget rounds = rounds_of(count, epsilons[i], 1e-6, SFM_ACCOUNTING_BASIC);
      sfm_guarantee g;
      const double e = solve(&g, &rounds);
      assert_int_equal(g.kind, SFM_GUARANTEE_APPROXIMATE);
      assert_true(g.epsilon == epsilons[i] && g.delta == 1e-6);
      assert_true(recompute(&rounds, e).upper <= 1e-6);
      if (recompute(&rounds, 1.00001 * e).lower <= 1e-6)
        fail_msg("%llu rounds at %g could cost more than %.9g", (unsigned long long)count,
                 epsilons[i], e);
    }
}

/* That is the point of a delta: rounds cost less than in a pure sum, from the first one on. */
static void a_delta_never_costs(void **state) {
  (void)state;
  for (uint64_t count = 1; count <= 1000; count *= 10) {
    const sfmi_round_budget with = rounds_of(count, 1, 1e-6, SFM_ACCOUNTING_BASIC),
                            without = rounds_of(count, 1, 0, SFM_ACCOUNTING_BASIC);
    sfm_guarantee g;
    const double e = solve(&g, &with);
    assert_true(e > solve(&g, &without) * (1 - 1e-6));
    if (count == 1000) assert_true(e > 6 * solve(&g, &without));
  }
}

static void sums_imply_what_was_asked_for(void **state) {
  static const sfm_accounting rules[] = {SFM_ACCOUNTING_ZCDP, SFM_ACCOUNTING_GDP};
  (void)state;
  for (size_t i = 0; i < 2; i++)
    for (uint64_t count = 1; count <= 3000; count *= 13) {
      const sfmi_round_budget rounds = rounds_of(count, 1, 1e-6, rules[i]);
      sfm_guarantee g;
      sfm_error error;
      double delta, more;
      const double e = solve(&g, &rounds);
      assert_int_equal(g.kind, i ? SFM_GUARANTEE_GDP : SFM_GUARANTEE_ZCDP);
      assert_ok(sfm_guarantee_delta(&delta, &g, 1, &error), &error);
      assert_true(delta <= 1e-6);
      if (!i) {
        const double rho = (double)count * e * e * (0.36 + 0.16) / 2;
        assert_true(g.rho >= rho);
        assert_relative("rho", g.rho, rho, 1e-9);
      }
      g.rho *= 1.00001;
      g.mu *= 1.00001;
      assert_ok(sfm_guarantee_delta(&more, &g, 1, &error), &error);
      assert_true(more > 1e-6);
    }
}

static void one_part_is_enough(void **state) {
  sfmi_round_budget rounds = {.count = 50,
                              .parts = {{true, 1}},
                              .part_count = 1,
                              .epsilon = 2,
                              .delta = 1e-8,
                              .accounting = SFM_ACCOUNTING_BASIC};
  sfm_guarantee g;
  sfm_error error;
  sfm_interval delta;
  (void)state;
  const double e = solve(&g, &rounds);
  const sfm_privacy_loss loss = {SFM_PRIVACY_LOSS_LAPLACE, e, 50, 0};
  assert_ok(sfm_account_delta(&delta, &loss, 1, 2, &error), &error);
  assert_true(delta.upper <= 1e-8 && delta.upper > 0.999e-8);
}

static void too_many_rounds_are_refused(void **state) {
  const sfmi_round_budget pure = rounds_of(1000000, 0.1, 0, SFM_ACCOUNTING_BASIC),
                          zcdp = rounds_of(1000000000, 1e-3, 1e-6, SFM_ACCOUNTING_ZCDP);
  sfm_guarantee g;
  sfm_error error;
  double e;
  (void)state;
  assert_int_equal(sfmi_round_budget_solve(&e, &g, &pure, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "ask for fewer"));
  assert_int_equal(sfmi_round_budget_solve(&e, &g, &zcdp, &error), SFM_INVALID);
}

/* The curve of discrete Laplace noise of scale b, moved by k, at any e: sum (P - e^e Q)+. */
static double discrete_curve(int k, double b, double e) {
  double sum = 0;
  const double r = exp(-1 / b), unit = (1 - r) / (1 + r);
  for (int x = -2000; x <= 2000; x++) {
    const double p = unit * pow(r, abs(x)), q = unit * pow(r, abs(x - k));
    sum += fmax(p - exp(e) * q, 0);
  }
  return sum;
}

static void discrete_noise_is_covered_by_real_noise(void **state) {
  bool needed = false;
  (void)state;
  for (int k = 1; k <= 5; k++)
    for (double epsilon = 0.25; epsilon <= 2; epsilon *= 2) {
      const double b = sfmi_round_budget_steps(k, epsilon) / epsilon;
      for (double e = -2.2; e <= 2.2; e += 0.01) {
        const double real = e < epsilon ? -expm1(-(epsilon - e) / 2) : 0;
        const double floor = fmax(-expm1(e), 0), most = e > -epsilon ? fmax(real, floor) : floor;
        assert_true(discrete_curve(k, b, e) <= most + 1e-12);
        if (discrete_curve(k, k / epsilon, e) > most + 1e-9) needed = true;
      }
    }
  assert_true(needed); /* k/epsilon alone would not do */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pure_rounds_add_up_to_epsilon),
      cmocka_unit_test(composed_losses_stay_below_delta_and_close_to_it),
      cmocka_unit_test(a_delta_never_costs),
      cmocka_unit_test(sums_imply_what_was_asked_for),
      cmocka_unit_test(one_part_is_enough),
      cmocka_unit_test(too_many_rounds_are_refused),
      cmocka_unit_test(discrete_noise_is_covered_by_real_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
