/* test_random_dp_composition.c - random differential privacy adds up, in one direction only. */
#include "test_support.h"

#include "sfumato/account.h"

static sfm_guarantee part(sfm_guarantee_kind kind, double epsilon, double delta, double gamma) {
  return (sfm_guarantee){.kind = kind, .epsilon = epsilon, .delta = delta, .gamma = gamma};
}

static void all_three_add_up(void **state) {
  (void)state;
  sfm_error error;
  sfm_guarantee whole;
  const sfm_guarantee parts[] = {
      part(SFM_GUARANTEE_RANDOM_DP, 1, 1e-6, 0.05), part(SFM_GUARANTEE_RANDOM_DP, 0.5, 0, 0.01),
      part(SFM_GUARANTEE_PURE, 0.25, 0, 0), part(SFM_GUARANTEE_APPROXIMATE, 0.1, 1e-7, 0)};
  const uint64_t counts[] = {1, 3, 2, 1};
  assert_ok(sfm_account_random(&whole, parts, counts, 4, &error), &error);
  assert_int_equal(whole.kind, SFM_GUARANTEE_RANDOM_DP);
  assert_relative("epsilon", whole.epsilon, 3.1, 1e-15);
  assert_relative("delta", whole.delta, 1.1e-6, 1e-15);
  assert_relative("gamma", whole.gamma, 0.08, 1e-15);
  assert_true(whole.epsilon >= 3.1 && whole.gamma >= 0.08);
  assert_ok(sfm_account_random(&whole, parts, NULL, 2, &error), &error);
  assert_relative("gamma", whole.gamma, 0.06, 1e-15);
  /* One part is itself; none promises everything. */
  assert_ok(sfm_account_random(&whole, parts, NULL, 1, &error), &error);
  assert_true(whole.epsilon == 1 && whole.delta == 1e-6 && whole.gamma == 0.05);
  assert_ok(sfm_account_random(&whole, NULL, NULL, 0, &error), &error);
  assert_true(whole.epsilon == 0 && whole.gamma == 0);
}

/* What is differential privacy alone still comes out under the other name. */
static void the_name_never_goes_back(void **state) {
  (void)state;
  sfm_error error;
  sfm_guarantee whole, converted;
  const sfm_guarantee pure = part(SFM_GUARANTEE_PURE, 1, 0, 0);
  assert_ok(sfm_account_random(&whole, &pure, NULL, 1, &error), &error);
  assert_int_equal(whole.kind, SFM_GUARANTEE_RANDOM_DP);
  double number;
  for (int kind = SFM_GUARANTEE_PURE; kind <= SFM_GUARANTEE_ZCDP; kind++)
    assert_int_not_equal(
        sfm_guarantee_convert(&converted, &whole, (sfm_guarantee_kind)kind, &error), SFM_OK);
  assert_int_not_equal(sfm_guarantee_delta(&number, &whole, 1, &error), SFM_OK);
}

static void curves_count_where_they_were_asked_for(void **state) {
  (void)state;
  sfm_error error;
  sfm_guarantee whole, normal = part(SFM_GUARANTEE_GDP, 1, 1e-6, 0);
  assert_ok(sfm_gdp_calibrate(&normal.mu, 1, 1e-6, &error), &error);
  assert_ok(sfm_account_random(&whole, &normal, NULL, 1, &error), &error);
  assert_true(whole.epsilon == 1 && whole.delta == 1e-6);
  normal.mu *= 1.01;
  assert_int_equal(sfm_account_random(&whole, &normal, NULL, 1, &error), SFM_INVALID);
}

static void what_promises_nothing_is_refused(void **state) {
  (void)state;
  sfm_error error;
  sfm_guarantee whole;
  const uint64_t many = 20;
  const sfm_guarantee half = part(SFM_GUARANTEE_RANDOM_DP, 1, 0.01, 0.05);
  assert_int_equal(sfm_account_random(&whole, &half, &many, 1, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "gamma"));
  const sfm_guarantee wrong[] = {
      part(SFM_GUARANTEE_RANDOM_DP, -1, 0, 0.1),  part(SFM_GUARANTEE_RANDOM_DP, NAN, 0, 0.1),
      part(SFM_GUARANTEE_RANDOM_DP, 1, 1, 0.1),   part(SFM_GUARANTEE_RANDOM_DP, 1, 0, 1),
      part(SFM_GUARANTEE_RANDOM_DP, 1, 0, NAN),   part(SFM_GUARANTEE_PURE, 1, 1e-6, 0),
      part(SFM_GUARANTEE_APPROXIMATE, 1, 0, 0.1), part(SFM_GUARANTEE_RANDOM_DP, INFINITY, 0, 0.1)};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_int_equal(sfm_account_random(&whole, &wrong[i], NULL, 1, &error), SFM_INVALID);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_three_add_up),
      cmocka_unit_test(the_name_never_goes_back),
      cmocka_unit_test(curves_count_where_they_were_asked_for),
      cmocka_unit_test(what_promises_nothing_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
