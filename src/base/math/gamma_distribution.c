#include "gamma_distribution.h"

#include <float.h>
#include <math.h>

#include "normal_distribution.h"

static const double SHAPE_LARGE = 1e4;
enum { ROUNDS = 20000 };

/* x^a exp(-x)/Gamma(a). */
static double front(double a, double x) {
  int sign;
  return exp(a * log(x) - x - lgamma_r(a, &sign));
}

/* sum_k x^k/(a (a + 1) ... (a + k)): for x < a + 1. */
static double by_series(double a, double x) {
  double term = 1 / a, sum = term;
  for (int k = 1; k < ROUNDS && term > sum * DBL_EPSILON / 4; k++) {
    term *= x / (a + k);
    sum += term;
  }
  return sum * front(a, x);
}

/* The tail by Lentz's continued fraction: for x >= a + 1. */
static double tail_by_fraction(double a, double x) {
  const double tiny = 1e-300;
  double b = x + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
  for (int k = 1; k < ROUNDS; k++) {
    const double factor = -k * (k - a);
    b += 2;
    d = factor * d + b;
    c = b + factor / c;
    d = 1 / (fabs(d) < tiny ? tiny : d);
    c = fabs(c) < tiny ? tiny : c;
    h *= c * d;
    if (fabs(c * d - 1) < DBL_EPSILON) break;
  }
  return h * front(a, x);
}

double sfmi_gamma_cdf(double a, double x) {
  if (!(x > 0)) return 0;
  if (a > SHAPE_LARGE) return sfmi_normal_tail((1 - 1 / (9 * a) - cbrt(x / a)) * 3 * sqrt(a));
  return x < a + 1 ? by_series(a, x) : 1 - tail_by_fraction(a, x);
}

double sfmi_gamma_quantile(double a, double p) {
  if (a > SHAPE_LARGE)
    return a * pow(1 - 1 / (9 * a) - sfmi_normal_tail_inverse(p) / (3 * sqrt(a)), 3);
  double low = 1e-300, high = a + 1;
  if (sfmi_gamma_cdf(a, low) >= p) return 0;
  while (sfmi_gamma_cdf(a, high) < p) high *= 2;
  while (high > low * (1 + 1e-13)) {
    const double middle = low < high / 2 ? sqrt(low) * sqrt(high) : 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    *(sfmi_gamma_cdf(a, middle) < p ? &low : &high) = middle;
  }
  return high;
}

double sfmi_gamma_tail_bound(double shape, double p) {
  /* Shapes and probabilities for which the quantile is exact. */
  static const double EXACT = 1e4, TAIL = 1e-8;
  if (shape <= EXACT && p > TAIL) return sfmi_gamma_quantile(shape, 1 - p);
  const double goal = -log(p) / shape;
  return shape * (1 + sqrt(2 * goal) + goal);
}
