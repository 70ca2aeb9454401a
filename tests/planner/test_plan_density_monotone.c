/* test_plan_density_monotone.c - what plans say of other records and epsilons: it never rises, what
 * is enough is least, and nothing at the extremes is not a number. */
/* suite: release */
#include "plan_density_trial.h"

static void forecasts_never_rise(void **state) {
  (void)state;
  for (size_t i = 0; i < case_count(); i++) {
    subject s;
    double before[16];
    pose(&s, &CASES[i]);
    make(&s, CASES[i].n);
    for (int k = 0; k < 16; k++) before[k] = INFINITY;
    const double finer = test_long() ? 1 : test_sanitized() ? 12 : 3;
    for (double n = 1; n < 6e10; n *= 7.3 * finer) {
      double last = INFINITY;
      int k = 0;
      for (double epsilon = 1e-6; epsilon <= 1e3 && k < 16; epsilon *= 4.7 * finer, k++) {
        const double total = forecast_of(&s, n, epsilon);
        if (total > last || total > before[k])
          fail_msg("case %zu rises at n = %g, epsilon = %g: %.17g after %.17g and %.17g", i, n,
                   epsilon, total, last, before[k]);
        last = before[k] = total;
      }
    }
    /* Finely, where choices change. */
    double last = INFINITY;
    for (double n = CASES[i].n / 3; n < CASES[i].n * 3; n *= test_long()        ? 1.002
                                                             : test_sanitized() ? 1.3
                                                                                : 1.03) {
      const double total = forecast_of(&s, fmax(n, 1), CASES[i].epsilon);
      assert_true(total <= last);
      last = total;
    }
    drop(&s);
  }
}

/* As many records as are enough, and one fewer are not; likewise epsilon. */
static void what_is_enough_is_least(void **state) {
  (void)state;
  const asked a = {1, 1000, 0, 1, 0, "normal:0.4:0.12", SFM_BOUNDARY_OPEN};
  subject s;
  double rows, epsilon;
  sfm_forecast f;
  sfm_error error;
  pose(&s, &a);
  make(&s, a.n);
  assert_ok(sfm_plan_rows_for(s.plan, &rows, 0.05, &error), &error);
  assert_ok(sfm_plan_forecast(s.plan, &f, rows, 1, &error), &error);
  assert_true(f.relative <= 0.05);
  assert_ok(sfm_plan_forecast(s.plan, &f, rows - 1, 1, &error), &error);
  assert_true(f.relative > 0.05);
  assert_ok(sfm_plan_epsilon_for(s.plan, &epsilon, 0.1, &error), &error);
  assert_ok(sfm_plan_forecast(s.plan, &f, 1000, epsilon, &error), &error);
  assert_true(f.relative <= 0.1);
  assert_ok(sfm_plan_forecast(s.plan, &f, 1000, 0.98 * epsilon, &error), &error);
  assert_true(f.relative > 0.1);
  drop(&s);
}

/* No stated bandwidth predicts less than the best of the list, but for what lies between two of
 * the list. */
static void the_best_bandwidth_is_the_best(void **state) {
  (void)state;
  const asked cases[] = {{1, 3000, 0.3, 1, 0, "normal:0.4:0.12", SFM_BOUNDARY_OPEN},
                         {1, 300, 0.01, 0.1, 1e-6, NULL, SFM_BOUNDARY_OPEN},
                         {2, 3000, 0.3, 1, 0, "normal:0.4:0.12", SFM_BOUNDARY_REFLECT}};
  for (size_t i = 0; i < 3; i++) {
    subject s;
    sfm_forecast f;
    sfm_error error;
    double best[2];
    pose(&s, &cases[i]);
    s.t.settings.bandwidth = NULL;
    make(&s, cases[i].n);
    assert_ok(sfm_plan_bandwidth(s.plan, best, &f, &error), &error);
    sfm_density_choice chosen;
    assert_ok(sfm_density_choose(&chosen, &s.t.settings, (uint64_t)cases[i].n, &error), &error);
    assert_true(chosen.bandwidth[0] == best[0]);
    const double narrow = cases[i].d == 1 ? 1.06 : 1.1;
    assert_true(f.total <= chosen.total && chosen.total <= narrow * f.total * (1 + 1e-12));
    s.t.settings.bandwidth = s.t.bandwidth;
    s.t.settings.method = chosen.method;
    for (double h = 0.005; h < 1; h *= 1.5) {
      sfm_density_choice plan;
      for (size_t a = 0; a < cases[i].d; a++) s.t.bandwidth[a] = h;
      assert_ok(sfm_density_choose(&plan, &s.t.settings, (uint64_t)cases[i].n, &error), &error);
      assert_true(plan.total >= 0.99 * f.total);
    }
    drop(&s);
  }
}

/* Few records and next to no epsilon, kernels wider than the domain, shapes as narrow as a
 * thousandth of it or beyond its bounds, many columns on rings. */
static void extremes_have_plans(void **state) {
  (void)state;
  const asked cases[] = {{1, 10, 0.1, 1e-3, 1e-6, NULL, SFM_BOUNDARY_OPEN},
                         {1, 10, 0, 1e-6, 0, "uniform", SFM_BOUNDARY_OPEN},
                         {1, 1, 0, 1e3, 0, NULL, SFM_BOUNDARY_OPEN},
                         {1, 1e10, 0.02, 1e3, 0.5, "normal:0.5:0.1", SFM_BOUNDARY_OPEN},
                         {1, 1000, 10, 1, 1e-6, "normal:0.5:0.1", SFM_BOUNDARY_OPEN},
                         {1, 1000, 9, 1, 1e-6, "normal:0.5:0.1", SFM_BOUNDARY_PERIODIC},
                         {1, 1000, 9, 1, 1e-6, "uniform", SFM_BOUNDARY_REFLECT},
                         {1, 1000, 0.2, 1, 0, "normal:0.5:0.0003", SFM_BOUNDARY_OPEN},
                         {1, 1000, 0, 1, 0, "normal:0.5:0.002", SFM_BOUNDARY_OPEN},
                         {1, 1000, 0, 1, 1e-6, "normal:0:0.1", SFM_BOUNDARY_OPEN},
                         {1, 1000, 0.1, 1, 1e-6, "normal:-0.2:0.1", SFM_BOUNDARY_REFLECT},
                         {2, 10, 5, 1e-3, 1e-6, NULL, SFM_BOUNDARY_OPEN},
                         {12, 1000, 1, 2, 1e-3, "uniform", SFM_BOUNDARY_PERIODIC},
                         {12, 1000, 0, 2, 0, NULL, SFM_BOUNDARY_PERIODIC},
                         {20, 1000, 0.5, 1, 1e-6, NULL, SFM_BOUNDARY_OPEN},
                         /* at length */
                         {1, 1e10, 0, 1e3, 0.5, "uniform", SFM_BOUNDARY_OPEN},
                         {1, 1000, 0, 1, 0, "normal:0.5:0.0003", SFM_BOUNDARY_OPEN}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases - (test_long() ? 0 : 2); i++) {
    subject s;
    pose(&s, &cases[i]);
    make(&s, cases[i].n);
    const size_t best = sfm_plan_best(s.plan);
    if (best == SIZE_MAX) fail_msg("case %zu has no method", i);
    for (size_t k = 0; k < sfm_plan_length(s.plan); k++)
      if (!sfm_plan_at(s.plan, k)->absent) forecasts_are_sums(&sfm_plan_at(s.plan, k)->predicted);
    double last = INFINITY;
    for (double n = 1; n < 1e6; n *= 11) {
      const double total = forecast_of(&s, n, cases[i].epsilon);
      assert_true(total <= last);
      last = total;
    }
    drop(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forecasts_never_rise),
      cmocka_unit_test(what_is_enough_is_least),
      cmocka_unit_test(the_best_bandwidth_is_the_best),
      cmocka_unit_test(extremes_have_plans),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
