/* double_double.h - numbers held as the sum of two doubles, about 106 bits.
 *
 * Invariant: |lo| <= ulp(hi)/2, so hi is the value rounded.  Products of two doubles are exact;
 * every other operation is right to 2^-100 of its result or, for sums, of the larger operand. Needs
 * contraction of a*b+c to be off, as it is everywhere here. */
#ifndef SFMI_DOUBLE_DOUBLE_H
#define SFMI_DOUBLE_DOUBLE_H

#include <math.h>

typedef struct sfmi_dd {
  double hi, lo;
} sfmi_dd;

/* a + b, exactly. */
static inline sfmi_dd sfmi_dd_two_sum(double a, double b) {
  double s = a + b, t = s - a;
  return (sfmi_dd){s, (a - (s - t)) + (b - t)};
}

/* a b, exactly. */
static inline sfmi_dd sfmi_dd_two_product(double a, double b) {
  double p = a * b;
  return (sfmi_dd){p, fma(a, b, -p)};
}

static inline sfmi_dd sfmi_dd_negate(sfmi_dd a) {
  return (sfmi_dd){-a.hi, -a.lo};
}

static inline sfmi_dd sfmi_dd_add(sfmi_dd a, sfmi_dd b) {
  sfmi_dd s = sfmi_dd_two_sum(a.hi, b.hi), t = sfmi_dd_two_sum(a.lo, b.lo);
  s = sfmi_dd_two_sum(s.hi, s.lo + t.hi);
  return sfmi_dd_two_sum(s.hi, s.lo + t.lo);
}

static inline sfmi_dd sfmi_dd_scale(sfmi_dd a, double b) {
  sfmi_dd p = sfmi_dd_two_product(a.hi, b);
  return sfmi_dd_two_sum(p.hi, p.lo + a.lo * b);
}

/* a/b by one correction of the quotient of doubles. */
static inline sfmi_dd sfmi_dd_divide(double a, sfmi_dd b) {
  double q = a / b.hi;
  sfmi_dd rest = sfmi_dd_add((sfmi_dd){a, 0}, sfmi_dd_negate(sfmi_dd_scale(b, q)));
  sfmi_dd r = sfmi_dd_two_sum(q, rest.hi / b.hi);
  rest = sfmi_dd_add((sfmi_dd){a, 0},
                     sfmi_dd_negate(sfmi_dd_add(sfmi_dd_scale(b, r.hi), sfmi_dd_scale(b, r.lo))));
  return sfmi_dd_two_sum(r.hi, r.lo + rest.hi / b.hi);
}

static inline long double sfmi_dd_value(sfmi_dd a) {
  return (long double)a.hi + (long double)a.lo;
}

#endif
