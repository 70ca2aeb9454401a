/* test_limits.c - what is said of limits: known answers, where formulas hold, and that nothing
 * which is said to be a bound is above what is attained. */
/* suite: release */
#include "sfumato/limits.h"

#include "test_support.h"

static const sfm_limit *find(const sfm_limits *limits, const char *name) {
  for (size_t i = 0; i < limits->count; i++)
    if (strcmp(limits->at[i].name, name) == 0) return &limits->at[i];
  fail_msg("there is no limit called %s", name);
  return NULL;
}

static sfm_limits count_limits(uint64_t n, double epsilon, double worst) {
  sfm_limits_settings s = sfm_limits_settings_default();
  sfm_limits limits;
  sfm_error error;
  s.n = n;
  s.epsilon = epsilon;
  s.worst = worst;
  assert_ok(sfm_limits_count(&limits, &s, &error), &error);
  return limits;
}

static void oracles(void **state) {
  static const struct {
    uint64_t n;
    double epsilon, least;
  } known[] = {{1, 0.2, 0.450166},
               {1, 1, 0.268941},
               {10, 0.5, 1.478986},
               {10, 1, 0.803027},
               {20, 0.5, 1.743536}};
  (void)state;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const sfm_limits limits = count_limits(known[i].n, known[i].epsilon, 0);
    const sfm_limit *exact = find(&limits, "least worst risk");
    assert_int_equal(exact->kind, SFM_LIMIT_EXACT);
    assert_near("least worst risk", exact->value, known[i].least, 1e-6);
  }
}

/* One record at 0.2: the closed form says 0.677, and 0.450 can be had. */
static void closed_form_is_not_shown_where_it_is_wrong(void **state) {
  (void)state;
  const sfm_limits few = count_limits(1, 0.2, 0), many = count_limits(30, 0.2, 0),
                   nearly = count_limits(29, 0.2, 0), sure = count_limits(100, 2, 0);
  assert_false(find(&few, "closed form")->holds);
  assert_true(isnan(find(&few, "closed form")->value));
  assert_non_null(strstr(find(&few, "closed form")->why, "does not hold here"));
  assert_non_null(strstr(find(&few, "closed form")->why, "0.6767, is more than"));
  assert_true(find(&many, "closed form")->holds);
  assert_relative("closed form", find(&many, "closed form")->value, exp(-2) / 0.2, 1e-12);
  assert_false(find(&nearly, "closed form")->holds);
  assert_false(find(&sure, "closed form")->holds);
}

static void check_order(const sfm_limits *limits) {
  for (size_t i = 0; i < limits->count; i++) {
    const sfm_limit *low = &limits->at[i];
    assert_true(low->holds ? low->value >= 0 && isfinite(low->value) : isnan(low->value));
    assert_true(low->why[0] && low->name[0] && low->expression[0]);
    assert_true(strlen(low->why) + 1 < sizeof low->why);
    if (low->kind == SFM_LIMIT_RATE) assert_non_null(strstr(low->why, "only a rate"));
    if (low->kind == SFM_LIMIT_RATE) assert_false(low->comparable);
    if (!low->holds || !low->comparable || low->kind == SFM_LIMIT_ATTAINED) continue;
    for (size_t j = 0; j < limits->count; j++) {
      const sfm_limit *high = &limits->at[j];
      if (!high->holds || !high->comparable || high->kind == SFM_LIMIT_BOUND) continue;
      if (!(low->value <= high->value * (1 + 2e-6)))
        fail_msg("%s, %g, is above %s, %g", low->name, low->value, high->name, high->value);
    }
  }
}

static void no_bound_is_above_what_is_attained(void **state) {
  static const uint64_t sizes[] = {2, 2, 5, 2, 3, 2, 2, 2};
  static const uint64_t records[] = {0, 1, 2, 7, 100, 201, 100000};
  sfm_error error;
  (void)state;
  for (double epsilon = 0.02; epsilon < 20; epsilon *= 5)
    for (size_t r = 0; r < sizeof records / sizeof *records; r++)
      for (int neighbours = 0; neighbours < 2; neighbours++) {
        sfm_limits limits;
        sfm_limits_settings s = {.size = sizeof(sfm_limits_settings),
                                 .n = records[r],
                                 .epsilon = epsilon,
                                 .delta = 1e-6,
                                 .neighbours = (sfm_neighbours)neighbours,
                                 .sizes = sizes};
        if (s.n && neighbours == 0 && s.n < 150) {
          assert_ok(sfm_limits_count(&limits, &s, &error), &error);
          check_order(&limits);
        }
        for (s.columns = 1; s.columns <= 8; s.columns += 3) {
          assert_ok(sfm_limits_margins(&limits, &s, &error), &error);
          check_order(&limits);
        }
        for (s.cells = 1; s.cells < 1000; s.cells = 5 * s.cells + 1) {
          assert_ok(sfm_limits_histogram(&limits, &s, &error), &error);
          check_order(&limits);
          for (s.occupied = 1; s.occupied <= s.cells; s.occupied = 3 * s.occupied + 1) {
            assert_ok(sfm_limits_sparse(&limits, &s, &error), &error);
            check_order(&limits);
          }
        }
      }
}

/* What is computed for the sparse mechanism is below what is stated, everywhere; the thesis's
 * (2q+1)/epsilon (ln p + 1), proved for continuous noise, is passed by discrete noise of a scale
 * below one. */
static void sparse_statements(void **state) {
  sfm_error error;
  sfm_limits limits;
  double nearest = 0;
  (void)state;
  for (double epsilon = 1e-3; epsilon < 30; epsilon *= 1.37)
    for (double bits = 1; bits <= 62; bits += 1.7)
      for (double q = 0; q < bits; q += 3.3) {
        const sfm_limits_settings s = {.size = sizeof(sfm_limits_settings),
                                       .epsilon = epsilon,
                                       .n = 1,
                                       .cells = (uint64_t)exp2(bits),
                                       .occupied = (uint64_t)exp2(q)};
        assert_ok(sfm_limits_sparse(&limits, &s, &error), &error);
        const double plain =
            find(&limits, "sparse, computed")->value / find(&limits, "sparse, stated")->value;
        const double sharp = find(&limits, "sparse, q known, computed")->value /
                             find(&limits, "sparse, q known, stated")->value;
        if (!(plain <= 1 && sharp <= 1))
          fail_msg("p %llu, q %llu, epsilon %g: %g and %g times what is stated",
                   (unsigned long long)s.cells, (unsigned long long)s.occupied, epsilon, plain,
                   sharp);
        nearest = fmax(nearest, plain);
      }
  assert_true(nearest > 0.9); /* it is not stated for nothing */
  const sfm_limits_settings s = {
      .size = sizeof(sfm_limits_settings), .epsilon = 10, .n = 1, .cells = 3269000, .occupied = 1};
  assert_ok(sfm_limits_sparse(&limits, &s, &error), &error);
  assert_true(find(&limits, "sparse, computed")->value > 3 / 10.0 * (log(3269000) + 1));
}

static void stated_worst_risks(void **state) {
  sfm_error error;
  sfm_limits limits;
  (void)state;
  const sfm_limits some = count_limits(1000, 0.5, 4);
  assert_relative("uniform", find(&some, "at every count")->value, 4 * exp(-8 - 0.5), 1e-12);
  const sfm_limits_settings too_good = {
      .size = sizeof(sfm_limits_settings), .n = 100, .epsilon = 0.5, .worst = 1.5};
  assert_int_equal(sfm_limits_count(&limits, &too_good, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "no private mechanism has a worst risk as small as 1.5"));
}

static void refusals(void **state) {
  static const uint64_t sizes[] = {2, 1};
  sfm_error error;
  sfm_limits limits;
  (void)state;
  sfm_limits_settings s = {.size = sizeof(sfm_limits_settings), .n = 10, .epsilon = 0};
  assert_int_equal(sfm_limits_count(&limits, &s, &error), SFM_INVALID);
  s.epsilon = NAN;
  assert_int_equal(sfm_limits_count(&limits, &s, &error), SFM_INVALID);
  s = (sfm_limits_settings){.size = sizeof(sfm_limits_settings), .epsilon = 1};
  assert_int_equal(sfm_limits_count(&limits, &s, &error), SFM_INVALID);
  assert_int_equal(sfm_limits_histogram(&limits, &s, &error), SFM_INVALID);
  s.cells = (UINT64_C(1) << 62) + 1;
  assert_int_equal(sfm_limits_histogram(&limits, &s, &error), SFM_INVALID);
  s.cells = 10;
  s.delta = 1;
  assert_int_equal(sfm_limits_histogram(&limits, &s, &error), SFM_INVALID);
  s.delta = 0;
  s.occupied = 11;
  assert_int_equal(sfm_limits_sparse(&limits, &s, &error), SFM_INVALID);
  s.sizes = sizes;
  s.columns = 2;
  assert_int_equal(sfm_limits_margins(&limits, &s, &error), SFM_INVALID);
  s.columns = 65;
  assert_int_equal(sfm_limits_margins(&limits, &s, &error), SFM_INVALID);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oracles),
      cmocka_unit_test(closed_form_is_not_shown_where_it_is_wrong),
      cmocka_unit_test(no_bound_is_above_what_is_attained),
      cmocka_unit_test(sparse_statements),
      cmocka_unit_test(stated_worst_risks),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
