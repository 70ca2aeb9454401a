#include "chernoff_bound.h"

#include <float.h>
#include <math.h>

#include "exponential_tilt.h"

double sfmi_log_hockey_stick(double lambda) {
  return -lambda * log1p(1 / lambda) - log1p(lambda);
}

/* What a product of two numbers, each right to a unit, adds. */
static long double product_off(long double x) {
  return 4 * LDBL_EPSILON * fabsl(x);
}

long double sfmi_chernoff_above(const sfmi_total_loss *total, double lambda, long double gap) {
  long double off = product_off(lambda * gap) + 1e-14L;
  const long double base = sfmi_total_loss_log_moment(total, lambda, 0, &off);
  return base + lambda * gap + sfmi_log_hockey_stick(lambda) + off;
}

/* s = 0.45, and halves of it: delta near 1 needs a large one, delta near 0 says nothing. */
#define BELOW_FIRST 0.45
#define BELOW_COUNT 12

long double sfmi_chernoff_below(const sfmi_total_loss *total, long double gap) {
  long double least = 0;
  double s = BELOW_FIRST;
  for (int i = 0; i < BELOW_COUNT; i++, s /= 2) {
    long double off = product_off(s * gap);
    const long double base = sfmi_total_loss_log_moment(total, -s, 0, &off);
    least = fminl(least, base - s * gap + off);
  }
  return least;
}

long double sfmi_chernoff_gap(const sfmi_total_loss *total, long double log_rest) {
  long double least = INFINITY;
  double s = BELOW_FIRST;
  for (int i = 0; i < BELOW_COUNT; i++, s /= 2) {
    long double off = 0;
    const long double base = sfmi_total_loss_log_moment(total, -s, 0, &off);
    const long double gap = (base + off - log_rest) / s;
    least = fminl(least, gap + product_off(gap));
  }
  return least;
}
