/* test_decimal.c - text becomes the nearest double, by every path.  In other locales:
 * mechanisms/test_host_locale.c.
 */
/* suite: both */
#include "data/read_rows.h"

#include <math.h>

#include "base/system/c_locale.h"
#include "base/text/decimal.h"

static locale_t c_locale;
static size_t long_ones; /* texts that sfmi_decimal_scan_long read */

static bool read_text(double *value, const char *text) {
  char padded[2048 + SFMI_DECIMAL_SLACK];
  size_t length = strlen(text);
  assert_true(length < 2048);
  memset(padded, '7', sizeof padded); /* digits lie in wait behind the end */
  memcpy(padded, text, length);
  padded[length] = '\n';
  return sfmi_decimal_read(value, padded, length, c_locale);
}

static void test_syntax(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double value;
  } good[] = {
      {"0", 0.0},
      {"-0", -0.0},
      {"3", 3.0},
      {"+3", 3.0},
      {"-3", -3.0},
      {"3.", 3.0},
      {".5", 0.5},
      {"-.5", -0.5},
      {"3.0", 3.0},
      {" 3", 3.0},
      {"3 ", 3.0},
      {" \t3.25\t ", 3.25},
      {"1e3", 1000.0},
      {"1E+3", 1000.0},
      {"1e-3", 0.001},
      {"1.5e2", 150.0},
      {"0001.5", 1.5},
      {"37.4217", 37.4217},
      {"-73.98765432", -73.98765432},
      {"123456789012345", 123456789012345.0},
      {"9007199254740993", 9007199254740992.0},
      {"0.1", 0.1},
      {"0.30000000000000004", 0.30000000000000004},
      {"1e22", 1e22},
      {"1e23", 1e23},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"4.9e-324", 4.9e-324},
      {"2.2250738585072011e-308", 2.2250738585072011e-308},
      {"1e-400", 0.0},
      {"0e999999999999999999999", 0.0},
      {"-1e-999999999999999999999", -0.0},
  };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    double value = 99;
    if (!read_text(&value, good[i].text)) fail_msg("'%s' was not read", good[i].text);
    if (memcmp(&value, &good[i].value, sizeof value) != 0)
      fail_msg("'%s' was read as %.17g", good[i].text, value);
  }
  static const char *const bad[] = {
      "",
      " ",
      "-",
      "+",
      ".",
      "-.",
      "e5",
      "1e",
      "1e+",
      "1e-x",
      "inf",
      "-inf",
      "nan",
      "NaN",
      "Infinity",
      "0x10",
      "0x1p3",
      "1_000",
      "1 000",
      "3x",
      "3 x",
      "x3",
      "3,5",
      "--3",
      "+-3",
      "3..",
      "3.4.5",
      "1e400",
      "-1e400",
      "1e99999999999999999999",
      "three",
      "\"3\"",
      "3\r4",
      ("\xc2\xa0"
       "3"),
      "\xef\xbc\x93",
      "1d5",
      "1f",
      "3%",
      "$3",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double value;
    if (read_text(&value, bad[i])) fail_msg("'%s' was read as %.17g", bad[i], value);
  }
}

/* What every path gives is what glibc's correctly rounded strtod gives. */
static void check_against_strtod(const char *text) {
  char padded[2048 + SFMI_DECIMAL_SLACK] = {0};
  size_t length = strlen(text);
  memcpy(padded, text, length);
  padded[length] = ',';
  double expected = strtod(text, NULL), value = NAN, quick = NAN;
  const char *end = sfmi_decimal_scan(&value, padded, c_locale);
  assert_ptr_equal(end, padded + length);
  if (memcmp(&expected, &value, sizeof value) != 0)
    fail_msg("scan: '%s' gives %a, not %a", text, value, expected);
  if (sfmi_decimal_scan_short(&quick, padded) == padded + length &&
      memcmp(&expected, &quick, sizeof quick) != 0)
    fail_msg("quick: '%s' gives %a, not %a", text, quick, expected);
  if (sfmi_decimal_scan_long(&quick, padded) == padded + length) {
    long_ones++;
    if (memcmp(&expected, &quick, sizeof quick) != 0)
      fail_msg("long: '%s' gives %a, not %a", text, quick, expected);
  }
}

static void test_rounding_is_correct(void **state) {
  (void)state;
  uint64_t seed = 88172645463325252u;
  char text[128];
  for (int i = 0; i < 100000; i++) {
    int whole = (int)(pick(&seed) % 12), fraction = (int)(pick(&seed) % 20);
    int used = snprintf(text, sizeof text, "%s", pick(&seed) % 2 ? "-" : "");
    for (int j = 0; j <= whole; j++) text[used++] = (char)('0' + pick(&seed) % 10);
    if (fraction) text[used++] = '.';
    for (int j = 0; j < fraction; j++) text[used++] = (char)('0' + pick(&seed) % 10);
    text[used] = '\0';
    if (i % 4 == 0) snprintf(text + used, 8, "e%d", (int)(pick(&seed) % 680) - 340);
    check_against_strtod(text);
  }
  for (int i = 0; i < 100000; i++) { /* doubles of ordinary size, in full */
    double value = (double)(pick(&seed) >> 11) * 0x1p-53 * (double)(1 + pick(&seed) % 200);
    snprintf(text, sizeof text, "%.*f", 8 + (int)(pick(&seed) % 12), i % 2 ? -value : value);
    check_against_strtod(text);
  }
  assert_true(long_ones > 50000);
  for (int i = 0; i < 100000; i++) { /* any double, to any number of digits */
    uint64_t bits = pick(&seed);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) continue;
    snprintf(text, sizeof text, "%.*g", 1 + (int)(pick(&seed) % 25), value);
    if (!strstr(text, "inf")) check_against_strtod(text);
  }
}

/* Halfway between two doubles, and a hair to either side of it. */
static void test_ties(void **state) {
  (void)state;
  uint64_t seed = 7;
  char text[1200];
  for (int i = 0; i < 20000; i++) {
    double value =
        ldexp((double)((pick(&seed) >> 11) | UINT64_C(1) << 52), -(int)(pick(&seed) % 60));
    double above = nextafter(value, INFINITY);
    long double tie = ((long double)value + (long double)above) / 2;
    int used = snprintf(text, sizeof text, "%.70Lf", tie);
    while (used > 1 && text[used - 1] == '0') text[--used] = '\0';
    check_against_strtod(text);
    snprintf(text + used, 4, "1");
    check_against_strtod(text);
  }
}

static void test_very_long(void **state) {
  (void)state;
  char text[1600];
  memset(text, '0', sizeof text);
  text[1] = '.';
  text[1500] = '1';
  strcpy(text + 1501, "e1499");
  double value;
  assert_true(read_text(&value, text));
  assert_true(value == 1.0);
  memset(text, '9', 400);
  text[400] = '\0';
  assert_false(read_text(&value, text)); /* 10^400 */
  text[300] = '\0';
  assert_true(read_text(&value, text));
  assert_true(value == 1e300);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_syntax),
      cmocka_unit_test(test_rounding_is_correct),
      cmocka_unit_test(test_ties),
      cmocka_unit_test(test_very_long),
  };
  c_locale = sfmi_c_locale();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
