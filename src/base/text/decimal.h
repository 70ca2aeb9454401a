/* decimal.h - decimal text to the nearest double, the same in every locale.
 *
 * Syntax: [+-] digits [. digits] [e [+-] digits], at least one digit before the exponent.  No
 * infinities, no NaN, no hexadecimal.  Every result is correctly rounded (to even), so that a value
 * depends on the digits alone.
 *
 * All functions read on until a byte that cannot continue a number: the caller makes sure that one
 * follows (a comma, a quote or a line end always does), and SFMI_DECIMAL_SLACK readable bytes. */
#ifndef SFMI_DECIMAL_H
#define SFMI_DECIMAL_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/system/status.h"

/* Bytes that must be readable after the end of a number (their content does not matter). */
#define SFMI_DECIMAL_SLACK 40

/* 10^k for k = 0..22: the powers of ten that a double holds exactly. */
extern const double sfmi_decimal_powers[23];

/* The byte after the number at text, and its value (infinite when it overflows); NULL when there is
 * no number at text.  c is the "C" locale. */
const char *sfmi_decimal_scan(double *value, const char *text, locale_t c);

/* As sfmi_decimal_scan for another common shape: [-] digits . digits with eight fraction digits or
 * more and at most 19 in all, as doubles are printed in full.  Without a loop, since how many
 * digits there are cannot be foreseen.  NULL for anything else. */
const char *sfmi_decimal_scan_long(double *value, const char *text);

/* The number that fills text[0..length), spaces and tabs around it allowed; false when there is
 * none or it is not finite. */
bool sfmi_decimal_read(double *value, const char *text, size_t length, locale_t c);

/* The number that a string of fewer than 64 bytes is; false when it is none. */
bool sfmi_decimal_parse(double *value, const char *text, locale_t c);

/* Room for a number as text, with its NUL. */
#define SFMI_DECIMAL_TEXT 32

/* The shortest decimal that reads back as value (finite; -0 is 0), and its length. */
size_t sfmi_decimal_print(char text[SFMI_DECIMAL_TEXT], double value);

/* Whether a byte is one of 0..9, in every locale. */
static inline bool sfmi_is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

/* The high bit of every byte of t that is not 0..9, t being eight characters xor '0'. */
static inline uint64_t sfmi_decimal_stops(uint64_t t) {
  const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
  return (((t & low) + UINT64_C(0x7676767676767676)) | t) & ~low;
}

/* Eight digits (values, the first in the lowest byte) to their number. */
static inline uint64_t sfmi_decimal_eight(uint64_t t) {
  const uint64_t pair = UINT64_C(0x000000ff000000ff);
  t = t * 10 + (t >> 8);
  return ((t & pair) * UINT64_C(0x000f424000000064) +
          ((t >> 16) & pair) * UINT64_C(0x0000271000000001)) >>
         32;
}

/* The common shape, [-] digits [. digits] with at most 16 characters after the sign: all of them
 * are looked at in one or two words.  NULL when the text is anything else, including a number of
 * another shape.  Exact: mantissa <= 2^53 and a power of ten up to 10^15, so the one division
 * rounds once (Clinger 1990). */
static inline const char *sfmi_decimal_scan_short(double *value, const char *text) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  const uint64_t zeros = UINT64_C(0x3030303030303030);
  /* A branch, not an addition: where the number ends must not wait for a comparison. */
  bool negative = false;
  if (__builtin_expect(*text == '-', 0)) {
    negative = true;
    text++;
  }
  uint64_t t, stops;
  memcpy(&t, text, 8);
  t ^= zeros;
  stops = sfmi_decimal_stops(t);
  unsigned whole, end, digits; /* positions: of the first stop, of the last, how many digits */
  uint64_t mantissa;
  if (stops & (stops - 1)) {
    whole = end = digits = (unsigned)__builtin_ctzll(stops) >> 3;
    if (text[whole] == '.') {
      uint64_t before = (UINT64_C(1) << (8 * whole)) - 1;
      end = (unsigned)__builtin_ctzll(stops & (stops - 1)) >> 3;
      digits = end - 1;
      t = (t & before) | ((t >> 8) & ~before);
    }
    if (digits == 0) return NULL;
    mantissa = sfmi_decimal_eight(t << (64 - 8 * digits));
  } else {
    uint64_t u;
    memcpy(&u, text + 8, 8);
    u ^= zeros;
    sfmi_u128 wide = (sfmi_u128)u << 64 | t;
    uint64_t far = sfmi_decimal_stops(u);
    if (stops == 0 && far == 0) return NULL;
    whole = end = digits =
        stops ? (unsigned)__builtin_ctzll(stops) >> 3 : 8 + ((unsigned)__builtin_ctzll(far) >> 3);
    if (text[whole] == '.') {
      sfmi_u128 before = ((sfmi_u128)1 << (8 * whole)) - 1;
      if (!stops) far &= far - 1;
      if (far == 0) return NULL;
      end = 8 + ((unsigned)__builtin_ctzll(far) >> 3);
      digits = end - 1;
      wide = (wide & before) | ((wide >> 8) & ~before);
    }
    if (digits == 0) return NULL;
    wide <<= 128 - 8 * digits;
    mantissa = sfmi_decimal_eight((uint64_t)wide) * UINT64_C(100000000) +
               sfmi_decimal_eight((uint64_t)(wide >> 64));
    if (mantissa > UINT64_C(1) << 53) return NULL;
  }
  double magnitude = (double)mantissa / sfmi_decimal_powers[digits - whole];
  *value = negative ? -magnitude : magnitude;
  return text + end;
#else
  (void)value;
  (void)text;
  return NULL;
#endif
}

#endif
