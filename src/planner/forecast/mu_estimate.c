#include "mu_estimate.h"

#include <math.h>

#include "base/math/normal_distribution.h"

/* P(N > a) over the density at a. */
static double mills(double a) {
  static const double FAR = 6;
  double tail = a;
  if (a < FAR) return sfmi_normal_tail(a) * sqrt(2 * M_PI) * exp(a * a / 2);
  for (int k = 60; k > 0; k--) tail = a + k / tail;
  return 1 / tail;
}

/* With a = epsilon/mu - mu/2 and b = a + mu, delta = density(a) (mills(a) - mills(b)). */
double sfmi_mu_estimate(double epsilon, double delta) {
  double low = log(1e-12), high = log(1e3);
  for (int i = 0; i < 80; i++) {
    const double middle = (low + high) / 2, mu = exp(middle), a = epsilon / mu - mu / 2;
    /* Far below zero the first tail is 1. */
    const double got = a < -30 ? 1 : exp(-a * a / 2) / sqrt(2 * M_PI) * (mills(a) - mills(a + mu));
    *(got < delta ? &low : &high) = middle;
  }
  return exp(low);
}
