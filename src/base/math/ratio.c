/* ratio.c - what sfumato/noise.h declares and rooms without randomness need too: the names of noise
 * laws, and ratios read from text. */
#include <ctype.h>
#include <stdbool.h>

#include "base/system/status.h"
#include "sfumato/noise.h"

/* The number read so far is digits 10^exponent. */
typedef struct decimal {
  uint64_t digits;
  int exponent;
  unsigned zeros; /* trailing zeros not yet put into digits */
  bool any, fits;
} decimal;

static void add_digit(decimal *d, unsigned digit, bool fraction) {
  d->any = true;
  if (fraction) d->exponent--;
  if (digit == 0) {
    if (d->digits) d->zeros++;
    return;
  }
  for (unsigned i = 0; i <= d->zeros && d->fits; i++) {
    unsigned next = i == d->zeros ? digit : 0;
    d->fits = !__builtin_mul_overflow(d->digits, 10, &d->digits) &&
              !__builtin_add_overflow(d->digits, next, &d->digits);
  }
  d->zeros = 0;
}

/* Reads digits, or digits with a point; returns where it stopped. */
static const char *read_digits(decimal *d, const char *text, bool point) {
  bool fraction = false;
  *d = (decimal){.fits = true};
  for (;; text++) {
    if (isdigit((unsigned char)*text)) {
      add_digit(d, (unsigned)(*text - '0'), fraction);
    } else if (*text == '.' && point && !fraction) {
      fraction = true;
    } else {
      break;
    }
  }
  d->exponent += (int)d->zeros;
  return text;
}

/* Reads an optional exponent; NULL if malformed. */
static const char *read_exponent(decimal *d, const char *text) {
  if (*text != 'e' && *text != 'E') return text;
  text++;
  bool negative = *text == '-';
  if (*text == '-' || *text == '+') text++;
  if (!isdigit((unsigned char)*text)) return NULL;
  int exponent = 0;
  for (; isdigit((unsigned char)*text); text++) {
    if (exponent < 100000) exponent = 10 * exponent + (*text - '0');
  }
  d->exponent += negative ? -exponent : exponent;
  return text;
}

static sfmi_u128 greatest_divisor(sfmi_u128 a, sfmi_u128 b) {
  while (b) {
    sfmi_u128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Puts the zeros of an integer back into its digits. */
static void write_out(decimal *d) {
  for (; d->exponent > 0 && d->fits; d->exponent--) {
    d->fits = !__builtin_mul_overflow(d->digits, 10, &d->digits);
  }
}

/* out := digits 10^exponent / divisor in lowest terms; false if it does not fit.  Beyond 10^38 in
 * the denominator cancelling 64-bit digits leaves more than 64 bits.  divisor > 1 only with
 * exponent 0, so nothing passes 128 bits. */
static bool reduce(sfm_ratio *out, const decimal *d, uint64_t divisor) {
  sfmi_u128 numerator = d->digits, denominator = divisor;
  if (!d->fits || d->exponent > 19 || d->exponent < -38) return false;
  for (int i = 0; i < d->exponent; i++) numerator *= 10; /* below 2^64 10^19 < 2^128 */
  for (int i = 0; i > d->exponent; i--) denominator *= 10;
  sfmi_u128 common = greatest_divisor(numerator, denominator);
  numerator /= common;
  denominator /= common;
  if (numerator > UINT64_MAX || denominator > UINT64_MAX) return false;
  *out = (sfm_ratio){(uint64_t)numerator, (uint64_t)denominator};
  return true;
}

sfm_status sfm_ratio_parse(sfm_ratio *out, const char *text, sfm_error *error) {
  static const char advice[] = "write a positive number such as 3/2, 1.5, 4 or 1e-3";
  decimal top, bottom = {.digits = 1, .any = true, .fits = true};
  const char *end = read_digits(&top, text, true);
  if (*end == '/' && top.exponent - (int)top.zeros >= 0) {
    end = read_digits(&bottom, end + 1, false);
    write_out(&top);
    write_out(&bottom);
  } else if (top.any) {
    end = read_exponent(&top, end);
  }
  if (!end || *end || !top.any || !bottom.any) {
    return sfmi_fail(error, SFM_INVALID, "\"%.100s\" is not a positive ratio: %s", text, advice);
  }
  if (!top.digits || !bottom.digits) {
    return sfmi_fail(error, SFM_INVALID, "\"%.100s\" has a zero: %s", text, advice);
  }
  if (!bottom.fits || !reduce(out, &top, bottom.digits)) {
    return sfmi_fail(error, SFM_INVALID,
                     "\"%.100s\" is not a ratio of two 64-bit integers: %s, with fewer digits",
                     text, advice);
  }
  return SFM_OK;
}
