/* twofold.h - numbers held as the sum of two doubles, about 106 bits.
 *
 * Invariant: |lo| <= ulp(hi)/2, so hi is the value rounded.  Products of two doubles are exact;
 * every other operation is right to 2^-100 of its result or, for sums, of the larger operand. Needs
 * contraction of a*b+c to be off, as it is everywhere here. */
#ifndef SFMI_TWOFOLD_H
#define SFMI_TWOFOLD_H

#include <math.h>

typedef struct sfmi_twofold {
  double hi, lo;
} sfmi_twofold;

/* a + b, exactly. */
static inline sfmi_twofold sfmi_twofold_sum(double a, double b) {
  double s = a + b, t = s - a;
  return (sfmi_twofold){s, (a - (s - t)) + (b - t)};
}

/* a b, exactly. */
static inline sfmi_twofold sfmi_twofold_product(double a, double b) {
  double p = a * b;
  return (sfmi_twofold){p, fma(a, b, -p)};
}

static inline sfmi_twofold sfmi_twofold_negative(sfmi_twofold a) {
  return (sfmi_twofold){-a.hi, -a.lo};
}

static inline sfmi_twofold sfmi_twofold_add(sfmi_twofold a, sfmi_twofold b) {
  sfmi_twofold s = sfmi_twofold_sum(a.hi, b.hi), t = sfmi_twofold_sum(a.lo, b.lo);
  s = sfmi_twofold_sum(s.hi, s.lo + t.hi);
  return sfmi_twofold_sum(s.hi, s.lo + t.lo);
}

static inline sfmi_twofold sfmi_twofold_scale(sfmi_twofold a, double b) {
  sfmi_twofold p = sfmi_twofold_product(a.hi, b);
  return sfmi_twofold_sum(p.hi, p.lo + a.lo * b);
}

/* a/b by one correction of the quotient of doubles. */
static inline sfmi_twofold sfmi_twofold_divide(double a, sfmi_twofold b) {
  double q = a / b.hi;
  sfmi_twofold rest =
      sfmi_twofold_add((sfmi_twofold){a, 0}, sfmi_twofold_negative(sfmi_twofold_scale(b, q)));
  sfmi_twofold r = sfmi_twofold_sum(q, rest.hi / b.hi);
  rest = sfmi_twofold_add((sfmi_twofold){a, 0},
                          sfmi_twofold_negative(sfmi_twofold_add(sfmi_twofold_scale(b, r.hi),
                                                                 sfmi_twofold_scale(b, r.lo))));
  return sfmi_twofold_sum(r.hi, r.lo + rest.hi / b.hi);
}

static inline long double sfmi_twofold_value(sfmi_twofold a) {
  return (long double)a.hi + (long double)a.lo;
}

#endif
