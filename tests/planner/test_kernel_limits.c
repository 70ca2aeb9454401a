/* test_kernel_limits.c - theorems 3, 5 and 8 as shapes: how they grow with each of
 * their numbers. */
#include "test_support.h"

#include "sfumato/limits.h"

static sfm_learner usual(double delta) {
  sfm_learner l = sfm_learner_default();
  l.rows = 1000000;
  l.lambda = 0.01;
  l.norm = 3;
  l.epsilon = 0.5;
  l.delta = delta;
  l.questions = 1000;
  l.dimension = 4;
  return l;
}

static void with_a_delta_errors_are_roots(void **state) {
  (void)state;
  const sfm_learner l = usual(1e-6);
  /* sqrt(C L R^3 log(T/beta) sqrt(log(1/delta))/(n lambda epsilon)), by hand. */
  const double root = sqrt(log(1e6)), below = 1e6 * 0.01 * 0.5;
  assert_relative("theorem 3", sfm_learner_interactive(&l), sqrt(3 * log(20000) * root / below),
                  1e-12);
  assert_relative("theorem 8", sfm_learner_non_interactive(&l),
                  sqrt(3 * (4 * log(4e6) + log(2e7)) * root / below), 1e-12);
  sfm_learner many = l;
  many.questions = 0; /* the best number */
  const double T = 3 * below / root;
  assert_relative("theorem 5", sfm_learner_semi_interactive(&many),
                  sqrt(3 * log(T / 0.05) * root / below), 1e-12);
  many.questions = 10;
  assert_relative("theorem 5, few points", sfm_learner_semi_interactive(&many),
                  3 * sqrt(log(10 / 0.05) / 10), 1e-12);
}

static void each_number_counts_as_it_should(void **state) {
  (void)state;
  double (*const shapes[])(const sfm_learner *) = {sfm_learner_interactive,
                                                   sfm_learner_non_interactive};
  for (int pure = 0; pure < 2; pure++)
    for (size_t i = 0; i < 2; i++) {
      const double power = pure ? 1.0 / 3 : 0.5;
      sfm_learner l = usual(pure ? 0 : 1e-6), other = l;
      const double value = shapes[i](&l);
      other.epsilon *= 8;
      assert_relative("epsilon", shapes[i](&other), value * pow(8, -power), 1e-12);
      other = l;
      other.lambda *= 8;
      assert_relative("lambda", shapes[i](&other), value * pow(8, -power), 1e-12);
      other = l;
      other.norm *= 8;
      assert_relative("norm", shapes[i](&other), value * pow(8, pure ? 2 * power : power), 1e-12);
      other = l;
      other.lipschitz *= 8;
      assert_relative("lipschitz", shapes[i](&other), value * pow(8, power), 1e-12);
      other = l;
      other.kappa *= 2;
      assert_relative("kappa", shapes[i](&other), value * pow(2, pure ? 4 * power : 3 * power),
                      1e-12);
    }
}

static void what_is_not_stated_is_said(void **state) {
  (void)state;
  sfm_learner l = usual(1e-6);
  sfm_limits limits;
  sfm_error error;
  l.questions = l.dimension = 0;
  assert_ok(sfm_limits_kernel(&limits, &l, &error), &error);
  assert_int_equal(limits.count, 3);
  for (size_t i = 0; i < 3; i++) assert_int_equal(limits.at[i].kind, SFM_LIMIT_RATE);
  assert_true(!limits.at[0].holds && limits.at[1].holds && !limits.at[2].holds);
  assert_non_null(strstr(limits.at[0].why, "needs questions"));
  assert_non_null(strstr(limits.at[1].why, "shape; the constant is unstated"));
  assert_false(limits.at[1].comparable);
  l.lambda = 0;
  assert_int_equal(sfm_limits_kernel(&limits, &l, &error), SFM_INVALID);
  l = usual(1);
  assert_int_equal(sfm_limits_kernel(&limits, &l, &error), SFM_INVALID);
  l = usual(0);
  l.rows = 0;
  assert_int_equal(sfm_limits_kernel(&limits, &l, &error), SFM_INVALID);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(with_a_delta_errors_are_roots),
      cmocka_unit_test(each_number_counts_as_it_should),
      cmocka_unit_test(what_is_not_stated_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
