/* test_answers.c - a point is found if and only if it was added, through growth and forgetting. */
#include "test_support.h"

#include "sessions/answers.h"

enum { COUNT = 20000 };

static void point_of(double *point, size_t i, size_t dimension) {
  for (size_t a = 0; a < dimension; a++)
    point[a] = sfmi_point_normal((double)((i * 7919 + a * 104729) % COUNT) / 64 - 100);
}

static void check(const sfmi_answers *answers, size_t added) {
  double point[3];
  assert_int_equal(answers->count, added);
  for (size_t i = 0; i < COUNT; i++) {
    point_of(point, i, answers->dimension);
    const size_t found = sfmi_answers_find(answers, point);
    if (i >= added) {
      assert_int_equal(found, SFMI_ANSWER_NONE);
    } else {
      assert_int_equal(found, i);
      assert_true(answers->values[found] == (double)i);
    }
  }
}

static void what_was_added_is_found(void **state) {
  (void)state;
  for (size_t dimension = 1; dimension <= 3; dimension++) {
    sfmi_answers answers;
    sfm_error error;
    double point[3];
    sfmi_answers_init(&answers, dimension);
    check(&answers, 0);
    /* Up and down again, across growth. */
    static const size_t stops[] = {1, 1000, 1025, 700, 5000, 0, 3, COUNT, 17, 9000};
    for (size_t s = 0; s < sizeof stops / sizeof *stops; s++) {
      for (size_t i = answers.count; i < stops[s]; i++) {
        point_of(point, i, dimension);
        assert_ok(sfmi_answers_add(&answers, point, (double)i, &error), &error);
      }
      sfmi_answers_truncate(&answers, stops[s]);
      check(&answers, stops[s]);
    }
    sfmi_answers_clear(&answers);
    check(&answers, 0);
  }
}

/* Points that differ in one bit are two; the two zeros are one. */
static void points_are_told_apart_by_their_bits(void **state) {
  (void)state;
  sfmi_answers answers;
  sfm_error error;
  const double one = 1, next = nextafter(1, 2);
  sfmi_answers_init(&answers, 1);
  assert_ok(sfmi_answers_add(&answers, &one, 5, &error), &error);
  assert_int_equal(sfmi_answers_find(&answers, &next), SFMI_ANSWER_NONE);
  assert_ok(sfmi_answers_add(&answers, &next, 6, &error), &error);
  assert_int_equal(sfmi_answers_find(&answers, &one), 0);
  assert_int_equal(sfmi_answers_find(&answers, &next), 1);
  assert_true(!signbit(sfmi_point_normal(-0.0)));
  sfmi_answers_clear(&answers);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_added_is_found),
      cmocka_unit_test(points_are_told_apart_by_their_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
