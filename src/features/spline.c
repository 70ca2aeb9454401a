#include "features/spline.h"

#include <math.h>

/* Nearest integer to w 2^bits; w in [0,1], so the product is exact and below 2^53. */
static int64_t quantise(double w, unsigned bits) {
  return (int64_t)(ldexp(w, (int)bits) + 0.5);
}

void sfmi_spline_weights(int64_t *weights, unsigned order, unsigned bits, double t) {
  const double r = 1 - t;
  const int64_t whole = (int64_t)1 << bits;
  if (order == 2) {
    weights[1] = quantise(t, bits);
    weights[0] = whole - weights[1];
  } else if (order == 3) {
    weights[0] = quantise(0.5 * r * r, bits);
    weights[2] = quantise(0.5 * t * t, bits);
    weights[1] = whole - weights[0] - weights[2];
  } else {
    /* The neighbour that takes what is left holds at least 1/6 of the mass. */
    weights[0] = quantise(r * r * r / 6, bits);
    weights[1] = quantise((4 + t * t * (3 * t - 6)) / 6, bits);
    weights[3] = quantise(t * t * t / 6, bits);
    weights[2] = whole - weights[0] - weights[1] - weights[3];
  }
}

double sfmi_sinc(double x) {
  return x == 0 ? 1 : sin(M_PI * x) / (M_PI * x);
}

double sfmi_spline_alias(unsigned order, double u, unsigned power) {
  /* sinc(u+l)/sinc(u) = +-u/(u+l). */
  enum { TERMS = 64 };
  const double exponent = (double)order * power;
  u = fabs(u);
  if (u == 0) return 0;
  double sum = 0;
  for (int l = 1; l <= TERMS; l++) sum += pow(u / (l + u), exponent) + pow(u / (l - u), exponent);
  /* The rest is below the integral from TERMS - 1 on. */
  return sum + 2 * pow(u, exponent) * pow(TERMS - 1, 1 - exponent) / (exponent - 1);
}
