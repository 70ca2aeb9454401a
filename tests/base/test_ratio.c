/* test_ratio.c - exact ratios from text. */
/* suite: both */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "sfumato/noise.h"

static void numbers_are_read_exactly(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t numerator, denominator;
  } cases[] = {
      {"3/2", 3, 2},
      {"1.5", 3, 2},
      {"4", 4, 1},
      {"1e-3", 1, 1000},
      {"6/4", 3, 2},
      {"0.1", 1, 10},
      {".5", 1, 2},
      {"5.", 5, 1},
      {"007", 7, 1},
      {"100/1000", 1, 10},
      {"1.50000000000000000000000000000000", 3, 2},
      {"0.0000000000000000000000001e25", 1, 1},
      {"1e19", UINT64_C(10000000000000000000), 1},
      {"18446744073709551615", UINT64_MAX, 1},
      {"18446744073709551615/18446744073709551615", 1, 1},
      {"1/18446744073709551615", 1, UINT64_MAX},
      /* 2^63 / 10^27 = 2^36 / 5^27 */
      {"9223372036854775808e-27", UINT64_C(1) << 36, UINT64_C(7450580596923828125)},
      {"2.5E+1", 25, 1},
      {"1000000000000000000000e-20", 10, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sfm_ratio ratio;
    assert_int_equal(sfm_ratio_parse(&ratio, cases[i].text, NULL), SFM_OK);
    assert_true(ratio.numerator == cases[i].numerator);
    assert_true(ratio.denominator == cases[i].denominator);
  }
}

static void what_is_not_a_ratio_is_refused(void **state) {
  (void)state;
  static const char *const cases[] = {
      "",
      "0",
      "0/3",
      "3/0",
      "-1",
      "+1",
      "1/2/3",
      "1.5/2",
      "3/2.5",
      "nan",
      "inf",
      "1e",
      "e5",
      ".",
      "1 ",
      " 1",
      "0x10",
      "1,5",
      "1e400",
      "1e-400",
      "1e20",
      "1e-20",
      "3/",
      "/3",
      "1.2.3",
      "1e5/2",
      "0.0",
      "1e-99999999999999999999",
      "18446744073709551616",
      "1/18446744073709551616",
      "1.00000000000000000001",
      "3.14159265358979323846264338327950288",
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sfm_ratio ratio;
    sfm_error error = {.status = SFM_OK};
    assert_int_equal(sfm_ratio_parse(&ratio, cases[i], &error), SFM_INVALID);
    assert_non_null(strstr(error.message, "3/2"));
  }
}

static void laws_have_names(void **state) {
  (void)state;
  assert_string_equal(sfm_noise_law_name(SFM_NOISE_LAW_DISCRETE_LAPLACE), "discrete-laplace");
  assert_string_equal(sfm_noise_law_name(SFM_NOISE_LAW_ROUNDED_NORMAL), "rounded-normal");
  assert_string_equal(sfm_noise_law_name(SFM_NOISE_LAW_DISCRETE_GAUSSIAN), "discrete-gaussian");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_read_exactly),
      cmocka_unit_test(what_is_not_a_ratio_is_refused),
      cmocka_unit_test(laws_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
