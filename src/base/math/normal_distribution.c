#include "normal_distribution.h"

#include <math.h>

double sfmi_normal_tail(double x) {
  return 0.5 * erfc(x * M_SQRT1_2);
}

double sfmi_normal_tail_inverse(double p) {
  if (p > 0.5) return -sfmi_normal_tail_inverse(1 - p);
  /* Newton on log P(N > x), which is concave: from the right it converges without overshooting, and
   * P(N > x) <= exp(-x^2/2)/2 gives a start on the right.  (From the left its first step goes so
   * far right that the tail is 0 there.) */
  double x = sqrt(fmax(-2 * log(2 * p), 0)), goal = log(p);
  for (int i = 0; i < 60; i++) {
    double tail = sfmi_normal_tail(x);
    double step = (log(tail) - goal) * tail / (exp(-0.5 * x * x) / sqrt(2 * M_PI));
    x += step;
    if (fabs(step) < 1e-14 * (1 + x)) break;
  }
  return x;
}
