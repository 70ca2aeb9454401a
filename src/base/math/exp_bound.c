/* exp_bound.c - e^x = 2^k e^r with r = x - k ln 2, 0 <= r < 1, and e^r as a sum of r^i/i!.
 *
 * Everything is a fixed-point number of 120 bits after the point, rounded down: r, because ln 2 is
 * rounded up; every term, because products and quotients are cut; the sum, because what is left out
 * is positive.  So the result is never above e^x.
 *
 * r loses at most 65 units of 2^-120 (one of the division, one for each of at most 64 times ln 2),
 * e^r with it less than 3 times that; each of at most 40 terms less than 3 units (its product, its
 * quotient, and what it inherits: r/i times less); what is left out less than one.  Together under
 * 400 units: 2^-111 of at least 1, while the result's own 64 bits cut 2^-63. */
#include "exp_bound.h"

#include <assert.h>

#define POINT 120
#define ONE ((sfmi_u128)1 << POINT)
/* ceil(2^120 ln 2) */
#define LN2_ABOVE (((sfmi_u128)0xb17217f7d1cf79u << 64) | 0xabc9e3b39803f2f7u)

/* floor(a b / 2^120) for a, b < 2^122: exact, from four products of halves of 61 bits. */
static sfmi_u128 product(sfmi_u128 a, sfmi_u128 b) {
  const sfmi_u128 low = ((sfmi_u128)1 << 60) - 1;
  const sfmi_u128 a1 = a >> 60, a0 = a & low, b1 = b >> 60, b0 = b & low;
  const sfmi_u128 middle = a1 * b0 + a0 * b1 + ((a0 * b0) >> 60);
  return a1 * b1 + (middle >> 60);
}

/* floor(2^120 x) of x = p/q < 1. */
static sfmi_u128 fraction(uint64_t p, uint64_t q) {
  sfmi_u128 rest = p, bits = 0;
  for (int i = 0; i < POINT; i++) {
    rest <<= 1;
    bits <<= 1;
    if (rest >= q) {
      rest -= q;
      bits |= 1;
    }
  }
  return bits;
}

/* Sum of r^i/i!, from below; r < 1. */
static sfmi_u128 series(sfmi_u128 r) {
  sfmi_u128 sum = ONE, term = ONE;
  for (unsigned i = 1; term; i++) {
    term = product(term, r) / i;
    sum += term;
  }
  return sum;
}

sfmi_dyadic_bound sfmi_exp_lower_bound(sfm_ratio x) {
  assert(x.denominator && x.numerator / x.denominator <= SFMI_EXP_BOUND_MAX);
  uint64_t whole = x.numerator / x.denominator;
  sfmi_u128 r = fraction(x.numerator % x.denominator, x.denominator);
  unsigned doublings = 0;
  /* r is kept below one: units go over into it one at a time, and ln 2 comes off. */
  while (whole || r >= LN2_ABOVE) {
    if (r < LN2_ABOVE) {
      r += ONE;
      whole--;
    }
    r -= LN2_ABOVE;
    doublings++;
  }
  const sfmi_u128 power = series(r); /* 1 <= power < 2 */
  return (sfmi_dyadic_bound){(uint64_t)(power >> (POINT - 63)), 63 - doublings};
}
