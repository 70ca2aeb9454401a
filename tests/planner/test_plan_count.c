/* test_plan_count.c - plans of counts: the risks of mechanisms, and where their answers lie. */
#include "sfumato/noise.h"
#include "sfumato/plan.h"
#include "test_support.h"

static sfm_plan *plan_of(uint64_t n, double epsilon, sfm_neighbours neighbours, uint32_t k,
                         bool every) {
  sfm_plan *plan = NULL;
  sfm_error error;
  assert_ok(sfm_plan_count(&plan, n, epsilon, neighbours, k, 0.95, every, &error), &error);
  return plan;
}

static const sfm_plan_entry *named(const sfm_plan *plan, const char *method) {
  for (size_t i = 0; i < sfm_plan_length(plan); i++)
    if (strcmp(sfm_plan_at(plan, i)->method, method) == 0) return sfm_plan_at(plan, i);
  fail_msg("there is no %s", method);
  return NULL;
}

static void risks_are_known_ones(void **state) {
  static const struct {
    uint64_t n;
    double epsilon, least;
  } known[] = {{1, 0.2, 0.450166}, {10, 0.5, 1.478986}, {10, 1, 0.803027}, {20, 0.5, 1.743536}};
  (void)state;
  for (size_t i = 0; i < 4; i++) {
    sfm_plan *plan = plan_of(known[i].n, known[i].epsilon, SFM_NEIGHBOURS_REPLACE, 1, true);
    const sfm_forecast minimax = named(plan, "minimax")->predicted,
                       bayes = named(plan, "bayes")->predicted,
                       geometric = named(plan, "geometric")->predicted;
    assert_near("least worst risk", minimax.total, known[i].least, 1e-6);
    assert_true(minimax.total <= bayes.total * (1 + 1e-6));
    assert_true(minimax.total <= geometric.total * (1 + 1e-6));
    assert_true(bayes.each <= minimax.each * (1 + 1e-6));
    assert_true(bayes.each <= geometric.each * (1 + 1e-6));
    assert_true(minimax.each <= minimax.total * (1 + 1e-9));
    assert_relative("relative", minimax.relative, minimax.total / (double)known[i].n, 1e-12);
    assert_true(sfm_plan_at(plan, 0)->predicted.total <= sfm_plan_at(plan, 1)->predicted.total);
    sfm_plan_destroy(plan);
  }
}

/* The geometric mechanism by drawing it, at the worst count. */
static void geometric_comes_true(void **state) {
  enum { DRAWS = 200000 };
  static int64_t draws[DRAWS];
  sfm_error error;
  (void)state;
  for (int raw = 0; raw < 2; raw++)
    for (double epsilon = 0.125; epsilon < 4; epsilon *= 4) {
      const double n = 21, middle = 10;
      sfm_noise *noise = NULL;
      sfm_plan *plan = plan_of(21, 2 * epsilon,
                               raw ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE, 2, false);
      const sfm_plan_entry *entry = sfm_plan_at(plan, 0);
      const sfm_forecast f = entry->predicted;
      double sum = 0, square = 0;
      size_t inside = 0, banded = 0, above = 0;
      assert_int_equal(sfm_plan_length(plan), 1);
      assert_ok(sfm_noise_create_seeded(&noise, SFM_NOISE_LAW_DISCRETE_LAPLACE,
                                        (sfm_ratio){(uint64_t)(8 / epsilon), 8}, 7, &error),
                &error);
      sfm_noise_draw(noise, draws, DRAWS);
      for (size_t i = 0; i < DRAWS; i++) {
        const double answer = middle + (double)draws[i],
                     off = fabs((raw ? answer : fmin(fmax(answer, 0), n)) - middle);
        sum += off;
        square += off * off;
        inside += off >= f.low && off <= f.high;
        above += off > f.high - 1;
        banded += off <= entry->band.half_width;
      }
      const double mean = sum / DRAWS, deviation = sqrt((square / DRAWS - mean * mean) / DRAWS);
      assert_near("E|error|", mean, f.total, TEST_Z * deviation);
      assert_relative("root mean square", f.deviation, sqrt(square / DRAWS), 0.03);
      assert_false(binomial_too_few(inside, DRAWS, 0.95));
      assert_false(binomial_too_few(banded, DRAWS, 0.95));
      if (f.high > 0)
        assert_false(binomial_too_few(above, DRAWS, 0.025)); /* no wider than need be */
      sfm_noise_destroy(noise);
      sfm_plan_destroy(plan);
    }
}

static void mean_over_counts(void **state) {
  (void)state;
  for (uint64_t n = 1; n < 40; n += 7) {
    sfm_plan *plan = plan_of(n, 0.6, SFM_NEIGHBOURS_REPLACE, 1, false);
    const double a = exp(-0.6);
    double sum = 0;
    for (uint64_t i = 0; i <= n; i++)
      sum += (2 - pow(a, (double)i) - pow(a, (double)(n - i))) * a / (1 - a * a);
    assert_relative("mean", sfm_plan_at(plan, 0)->predicted.each, sum / (double)(n + 1), 1e-9);
    sfm_plan_destroy(plan);
  }
}

static void what_cannot_be_had(void **state) {
  sfm_error error;
  sfm_plan *plan;
  (void)state;
  plan = plan_of(201, 0.5, SFM_NEIGHBOURS_REPLACE, 1, true);
  assert_non_null(named(plan, "minimax")->absent);
  assert_int_equal(sfm_plan_best(plan), 0);
  sfm_plan_destroy(plan);
  plan = plan_of(20, 0.5, SFM_NEIGHBOURS_ADD_REMOVE, 1, true);
  assert_non_null(strstr(named(plan, "bayes")->absent, "n is private"));
  sfm_plan_destroy(plan);
  plan = plan_of(20, 100, SFM_NEIGHBOURS_REPLACE, 1, true);
  assert_non_null(named(plan, "bayes")->absent);
  sfm_plan_destroy(plan);
  assert_int_equal(sfm_plan_count(&plan, 0, 1, SFM_NEIGHBOURS_REPLACE, 1, 0.95, true, &error),
                   SFM_INVALID);
  assert_int_equal(sfm_plan_count(&plan, 9, 0, SFM_NEIGHBOURS_REPLACE, 1, 0.95, true, &error),
                   SFM_INVALID);
  assert_int_equal(sfm_plan_count(&plan, 9, 1, SFM_NEIGHBOURS_REPLACE, 0, 0.95, true, &error),
                   SFM_INVALID);
  assert_int_equal(sfm_plan_count(&plan, 9, 1, SFM_NEIGHBOURS_REPLACE, 1, 1, true, &error),
                   SFM_INVALID);
  assert_null(plan);
}

static void more_is_better(void **state) {
  sfm_error error;
  (void)state;
  for (int raw = 0; raw < 2; raw++) {
    sfm_plan *plan =
        plan_of(50, 0.3, raw ? SFM_NEIGHBOURS_ADD_REMOVE : SFM_NEIGHBOURS_REPLACE, 1, false);
    double last = INFINITY, rows, epsilon;
    sfm_forecast f;
    for (double n = 1; n < 1e9; n = ceil(1.4 * n)) {
      assert_ok(sfm_plan_forecast(plan, &f, n, 0.3, &error), &error);
      assert_true(f.relative <= last * (1 + 1e-9));
      last = f.relative;
    }
    last = INFINITY;
    for (double e = 1e-5; e < 1e3; e *= 1.7) {
      assert_ok(sfm_plan_forecast(plan, &f, 50, e, &error), &error);
      assert_true(f.relative <= last * (1 + 1e-9));
      last = f.relative;
    }
    assert_ok(sfm_plan_rows_for(plan, &rows, 0.01, &error), &error);
    assert_ok(sfm_plan_forecast(plan, &f, rows, 0.3, &error), &error);
    assert_true(f.relative <= 0.01);
    assert_ok(sfm_plan_epsilon_for(plan, &epsilon, 0.01, &error), &error);
    assert_ok(sfm_plan_forecast(plan, &f, 50, epsilon, &error), &error);
    assert_true(f.relative <= 0.01);
    sfm_plan_destroy(plan);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(risks_are_known_ones), cmocka_unit_test(geometric_comes_true),
      cmocka_unit_test(mean_over_counts),     cmocka_unit_test(what_cannot_be_had),
      cmocka_unit_test(more_is_better),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
