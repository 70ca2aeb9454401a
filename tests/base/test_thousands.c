/* Numbers in sentences have commas between thousands, and no exponent where they can be read. */
#include "test_support.h"

#include <math.h>
#include <string.h>

#include "base/text/thousands.h"

static void thousands_are_set_apart(void **state) {
  (void)state;
  static const struct {
    double number;
    int digits;
    const char *text;
  } cases[] = {{0, 3, "0"},
               {999, 15, "999"},
               {1000, 15, "1,000"},
               {48842, 15, "48,842"},
               {-1234567, 15, "-1,234,567"},
               {999999999999999, 15, "999,999,999,999,999"},
               {1e15, 15, "1e+15"},
               {10000, 4, "10,000"},
               {12345, 3, "12,300"},
               {99960, 3, "100,000"},
               {1234.5, 6, "1,234.5"},
               {999.96, 4, "1,000"},
               {0.05, 6, "0.05"},
               {1e-9, 3, "1e-09"},
               {INFINITY, 3, "inf"},
               {-INFINITY, 3, "-inf"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[SFMI_THOUSANDS_MAX];
    sfmi_thousands(text, sizeof text, cases[i].number, cases[i].digits);
    assert_string_equal(text, cases[i].text);
  }
}

static void what_does_not_fit_is_cut(void **state) {
  (void)state;
  for (size_t size = 1; size < 12; size++) {
    char text[16] = "###############";
    sfmi_thousands(text, size, 1234567, 15);
    assert_true(strlen(text) < size);
    assert_int_equal(text[size], '#');
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thousands_are_set_apart),
      cmocka_unit_test(what_does_not_fit_is_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
