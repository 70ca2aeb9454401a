#include "decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/system/c_locale.h"

const double sfmi_decimal_powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* 1/10^k for k = 1..19: bits b with 2^(b-1) < 10^k < 2^b, and R = floor(2^(63+b) / 10^k), which
 * lies in [2^63, 2^64). */
static const struct {
  uint64_t R;
  int b;
} reciprocals[19] = {
    {UINT64_C(0xcccccccccccccccc), 4},  {UINT64_C(0xa3d70a3d70a3d70a), 7},
    {UINT64_C(0x83126e978d4fdf3b), 10}, {UINT64_C(0xd1b71758e219652b), 14},
    {UINT64_C(0xa7c5ac471b478423), 17}, {UINT64_C(0x8637bd05af6c69b5), 20},
    {UINT64_C(0xd6bf94d5e57a42bc), 24}, {UINT64_C(0xabcc77118461cefc), 27},
    {UINT64_C(0x89705f4136b4a597), 30}, {UINT64_C(0xdbe6fecebdedd5be), 34},
    {UINT64_C(0xafebff0bcb24aafe), 37}, {UINT64_C(0x8cbccc096f5088cb), 40},
    {UINT64_C(0xe12e13424bb40e13), 44}, {UINT64_C(0xb424dc35095cd80f), 47},
    {UINT64_C(0x901d7cf73ab0acd9), 50}, {UINT64_C(0xe69594bec44de15b), 54},
    {UINT64_C(0xb877aa3236a4b449), 57}, {UINT64_C(0x9392ee8e921d5d07), 60},
    {UINT64_C(0xec1e4a7db69561a5), 64},
};

/* Where exponents stop growing: far beyond every double, far below overflow of a long. */
#define EXPONENT_CAP 100000000L

typedef struct decimal {
  uint64_t mantissa; /* the first 19 significant digits */
  int used;          /* how many of them there are, leading zeros not counted */
  long exponent;     /* value = mantissa * 10^exponent, if exact */
  bool exact;        /* no digit other than 0 was left out */
} decimal;

static bool eight_digits(uint64_t *number, const char *text) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t t;
  memcpy(&t, text, 8);
  t ^= UINT64_C(0x3030303030303030);
  *number = sfmi_decimal_eight(t);
  return sfmi_decimal_stops(t) == 0;
#else
  (void)number;
  (void)text;
  return false;
#endif
}

/* Eight digits at a time while they fit, then one by one.  The first of the eight must count, so
 * that all of them do. */
static const char *scan_digits(decimal *number, const char *text, bool fraction) {
  for (; sfmi_is_digit(*text); text++) {
    while (number->used <= 11 && (number->mantissa != 0 || *text != '0')) {
      uint64_t eight = 0;
      if (!eight_digits(&eight, text)) break;
      number->mantissa = number->mantissa * 100000000 + eight;
      number->used += 8;
      number->exponent -= fraction ? 8 : 0;
      text += 8;
    }
    if (!sfmi_is_digit(*text)) break;
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
  if (!sfmi_is_digit(*digits)) return text; /* the e belongs to something else */
  long exponent = 0;
  for (; sfmi_is_digit(*digits); digits++)
    if (exponent < EXPONENT_CAP) exponent = exponent * 10 + (*digits - '0');
  number->exponent += negative ? -exponent : exponent;
  return digits;
}

/* mantissa / 10^k, correctly rounded, for mantissa > 0 and k = 1..19.  With the mantissa shifted
 * into [2^63, 2^64), the quotient of mantissa * 2^64 by 10^k < 2^64 has more than 63 bits; its last
 * bit, or-ed with "there is a remainder", lies below the rounding bit, so that one conversion to
 * double rounds as the exact quotient would.  The final scaling stays among normal numbers. */
static __attribute__((noinline)) double divide_exactly(uint64_t mantissa, long k) {
  uint64_t divisor = 1;
  for (long i = 0; i < k; i++) divisor *= 10;
  int shift = __builtin_clzll(mantissa);
  sfmi_u128 numerator = (sfmi_u128)(mantissa << shift) << 64;
  sfmi_u128 quotient = numerator / divisor;
  quotient |= quotient * divisor != numerator;
  return ldexp((double)quotient, -64 - shift);
}

/* The same, nearly always by one multiplication.  w = mantissa * 2^shift in [2^63, 2^64); then
 * w 2^(63+b) / 10^k lies in [wR, wR + w), so that with H the high word of wR the quotient in units
 * of 2^(1-b-shift) lies in [H, H + 2).  H has 63 or 64 bits, of which 53 stay: unless the middle of
 * what is dropped lies in that interval, it is clear which way to round. */
static inline double divide(uint64_t mantissa, long k) {
  int shift = __builtin_clzll(mantissa), b = reciprocals[k - 1].b;
  uint64_t high = (uint64_t)((sfmi_u128)(mantissa << shift) * reciprocals[k - 1].R >> 64);
  int dropped = 10 + (int)(high >> 63);
  uint64_t middle = UINT64_C(1) << (dropped - 1), low = high & (2 * middle - 1);
  if (low + 1 - middle < 2) return divide_exactly(mantissa, k);
  uint64_t kept = (high >> dropped) + (low > middle);
  uint64_t scale = (uint64_t)(1023 + dropped + 1 - b - shift) << 52; /* a power of two, normal */
  double power;
  memcpy(&power, &scale, sizeof power);
  return (double)kept * power;
}

/* 1 in each of the bytes of t (characters xor '0') before the first that is no digit. */
static inline uint64_t digit_bytes(uint64_t t) {
  uint64_t stops = sfmi_decimal_stops(t);
  return (((stops - 1) & ~stops) >> 7) & UINT64_C(0x0101010101010101);
}

const char *sfmi_decimal_scan_long(double *value, const char *text) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  static const uint64_t powers[4] = {1, 10, 100, 1000};
  const uint64_t ten_16 = UINT64_C(10000000000000000);
  const uint64_t zeros = UINT64_C(0x3030303030303030), ones = UINT64_C(0x0101010101010101);
  bool negative = *text == '-';
  text += negative;
  uint64_t t, w[3];
  memcpy(&t, text, 8);
  t ^= zeros;
  uint64_t stops = sfmi_decimal_stops(t);
  unsigned whole = stops ? (unsigned)__builtin_ctzll(stops) >> 3 : 0;
  if (whole == 0 || text[whole] != '.') return NULL;
  const char *fraction = text + whole + 1;
  memcpy(w, fraction, sizeof w);
  for (int i = 0; i < 3; i++) w[i] ^= zeros;
  if (sfmi_decimal_stops(w[0])) return NULL;
  /* 8 + second + third digits; those that the second word lacks are zeros.  No branch asks how
   * many there are. */
  uint64_t digits_1 = digit_bytes(w[1]), digits_2 = digit_bytes(w[2]);
  uint64_t second = digits_1 * ones >> 56, third = digits_2 * ones >> 56;
  third &= -(second >> 3);
  uint64_t number = sfmi_decimal_eight(t << (64 - 8 * whole));
  if ((third > 3) | ((number != 0) & (whole + third > 3))) return NULL; /* more than 19 digits */
  uint64_t tail = sfmi_decimal_eight((w[2] << 8) << (56 - 8 * third));
  number = number * ten_16 + sfmi_decimal_eight(w[0]) * 100000000 +
           sfmi_decimal_eight(w[1] & (digits_1 * 255));
  number = number * powers[third] + tail;
  double magnitude = number ? divide(number, 16 + (long)third) : 0.0;
  *value = copysign(magnitude, negative ? -1.0 : 1.0);
  return fraction + 8 + second + third;
#else
  (void)value;
  (void)text;
  return NULL;
#endif
}

const char *sfmi_decimal_scan(double *value, const char *text, locale_t c) {
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
    magnitude = e < 0 ? (double)number.mantissa / sfmi_decimal_powers[-e]
                      : (double)number.mantissa * sfmi_decimal_powers[e];
  else if (number.exact && e < 0 && e >= -19)
    magnitude = divide(number.mantissa, -e);
  else
    magnitude = fabs(strtod_l(start, NULL, c));
  *value = negative ? -magnitude : magnitude;
  return text;
}

bool sfmi_decimal_read(double *value, const char *text, size_t length, locale_t c) {
  const char *end = text + length;
  while (text < end && (*text == ' ' || *text == '\t')) text++;
  while (text < end && (end[-1] == ' ' || end[-1] == '\t')) end--;
  if (text == end) return false;
  double number;
  if (sfmi_decimal_scan(&number, text, c) != end || !isfinite(number)) return false;
  *value = number;
  return true;
}

bool sfmi_decimal_parse(double *value, const char *text, locale_t c) {
  enum { LENGTH_MAX = 63 };
  char copy[LENGTH_MAX + 1 + SFMI_DECIMAL_SLACK] = {0};
  const size_t length = strlen(text);
  if (length > LENGTH_MAX) return false;
  memcpy(copy, text, length);
  return sfmi_decimal_read(value, copy, length, c);
}

size_t sfmi_decimal_print(char text[SFMI_DECIMAL_TEXT], double value) {
  if (fabs(value) < 0x1p53 && value == trunc(value))
    return (size_t)sfmi_snprintf(text, SFMI_DECIMAL_TEXT, "%" PRId64, (int64_t)value);
  char printed[SFMI_DECIMAL_TEXT];
  int precision = 15; /* of which trailing zeros are not printed */
  do sfmi_snprintf(printed, sizeof printed, "%.*g", precision, value);
  while (sfmi_strtod(printed, NULL) != value && precision++ < 17);
  /* What stands between the digits is the locale's business: one byte or more become a point. */
  size_t length = 0;
  for (const char *at = printed; *at; at++) {
    if (sfmi_is_digit(*at) || *at == '-' || *at == '+' || *at == 'e')
      text[length++] = *at;
    else if (text[length - 1] != '.')
      text[length++] = '.';
  }
  text[length] = '\0';
  return length;
}
