#include "data/number.h"

#include <math.h>
#include <stdlib.h>

const double sfmi_number_powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Where exponents stop growing: far beyond every double, far below overflow of a long. */
#define EXPONENT_CAP 100000000L

typedef struct decimal {
  uint64_t mantissa; /* the first 19 significant digits */
  int used;          /* how many of them there are, leading zeros not counted */
  long exponent;     /* value = mantissa * 10^exponent, if exact */
  bool exact;        /* no digit other than 0 was left out */
} decimal;

static bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

static const char *scan_digits(decimal *number, const char *text, bool fraction) {
  for (; is_digit(*text); text++) {
    unsigned digit = (unsigned)(*text - '0');
    if (number->used < 19) {
      number->mantissa = number->mantissa * 10 + digit;
      number->used += number->mantissa != 0;
      number->exponent -= fraction;
    } else {
      number->exact &= digit == 0;
      number->exponent += !fraction;
    }
  }
  return text;
}

static const char *scan_exponent(decimal *number, const char *text) {
  const char *digits = text + 1;
  if (*text != 'e' && *text != 'E') return text;
  bool negative = *digits == '-';
  if (*digits == '-' || *digits == '+') digits++;
  if (!is_digit(*digits)) return text; /* the e belongs to something else */
  long exponent = 0;
  for (; is_digit(*digits); digits++)
    if (exponent < EXPONENT_CAP) exponent = exponent * 10 + (*digits - '0');
  number->exponent += negative ? -exponent : exponent;
  return digits;
}

/* mantissa / 10^k, correctly rounded, for mantissa > 0 and k = 1..19.  With the mantissa shifted
 * into [2^63, 2^64), the quotient of mantissa * 2^64 by 10^k < 2^64 has more than 63 bits; its last
 * bit, or-ed with "there is a remainder", lies below the rounding bit, so that one conversion to
 * double rounds as the exact quotient would.  The final scaling stays among normal numbers. */
static double divide_exactly(uint64_t mantissa, long k) {
  uint64_t divisor = 1;
  for (long i = 0; i < k; i++) divisor *= 10;
  int shift = __builtin_clzll(mantissa);
  sfmi_u128 numerator = (sfmi_u128)(mantissa << shift) << 64;
  sfmi_u128 quotient = numerator / divisor;
  quotient |= quotient * divisor != numerator;
  return ldexp((double)quotient, -64 - shift);
}

const char *sfmi_number_scan(double *value, const char *text, locale_t c) {
  const char *start = text;
  bool negative = *text == '-';
  if (*text == '-' || *text == '+') text++;
  decimal number = {.exact = true};
  const char *first = text;
  text = scan_digits(&number, text, false);
  ptrdiff_t digits = text - first;
  if (*text == '.') {
    first = text + 1;
    text = scan_digits(&number, first, true);
    digits += text - first;
  }
  if (digits == 0) return NULL;
  text = scan_exponent(&number, text);

  long e = number.exponent;
  double magnitude;
  if (number.exact && number.mantissa == 0)
    magnitude = 0.0;
  else if (number.exact && number.mantissa <= UINT64_C(1) << 53 && e >= -22 && e <= 22)
    magnitude = e < 0 ? (double)number.mantissa / sfmi_number_powers[-e]
                      : (double)number.mantissa * sfmi_number_powers[e];
  else if (number.exact && e < 0 && e >= -19)
    magnitude = divide_exactly(number.mantissa, -e);
  else
    magnitude = fabs(strtod_l(start, NULL, c));
  *value = negative ? -magnitude : magnitude;
  return text;
}

bool sfmi_number_read(double *value, const char *text, size_t length, locale_t c) {
  const char *end = text + length;
  while (text < end && (*text == ' ' || *text == '\t')) text++;
  while (text < end && (end[-1] == ' ' || end[-1] == '\t')) end--;
  if (text == end) return false;
  double number;
  if (sfmi_number_scan(&number, text, c) != end || !isfinite(number)) return false;
  *value = number;
  return true;
}
