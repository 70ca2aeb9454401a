#include "spline.h"

#include <assert.h>
#include <math.h>

#include "base/math/elementary.h"

void sfmi_spline_weights(int32_t (*weights)[SFMI_SPLINE_BLOCK], unsigned order, unsigned bits,
                         const double *t, size_t count) {
  assert(order >= SFMI_SPLINE_MIN && order <= SFMI_SPLINE_MAX && bits <= 30);
  /* w 2^bits + 1/2, truncated: the nearest integer, since w >= 0 and the product is exact. */
  const int32_t whole = (int32_t)1 << bits;
  const double scale = (double)whole;
  int32_t *w0 = weights[0], *w1 = weights[1], *w2 = weights[2], *w3 = weights[3];
  if (order == 2) {
    for (size_t i = 0; i < count; i++) {
      w1[i] = (int32_t)(scale * t[i] + 0.5);
      w0[i] = whole - w1[i];
    }
  } else if (order == 3) {
    for (size_t i = 0; i < count; i++) {
      double r = 1 - t[i];
      w0[i] = (int32_t)(scale * (0.5 * r * r) + 0.5);
      w2[i] = (int32_t)(scale * (0.5 * t[i] * t[i]) + 0.5);
      w1[i] = whole - w0[i] - w2[i];
    }
  } else {
    /* The neighbour that takes what is left holds at least 1/6 of the mass. */
    for (size_t i = 0; i < count; i++) {
      double x = t[i], r = 1 - x;
      w0[i] = (int32_t)(scale * (r * r * r / 6) + 0.5);
      w1[i] = (int32_t)(scale * ((4 + x * x * (3 * x - 6)) / 6) + 0.5);
      w3[i] = (int32_t)(scale * (x * x * x / 6) + 0.5);
      w2[i] = whole - w0[i] - w1[i] - w3[i];
    }
  }
}

double sfmi_spline_alias(unsigned order, double u, unsigned power) {
  /* sinc(u+l)/sinc(u) = +-u/(u+l). */
  enum { TERMS = 8 };
  const unsigned n = order * power;
  u = fabs(u);
  if (u == 0) return 0;
  double sum = 0;
  for (int l = 1; l <= TERMS; l++) sum += sfmi_power(u / (l + u), n) + sfmi_power(u / (l - u), n);
  /* The rest is below its integrals from TERMS + 1/2 on, since x^-n is convex. */
  const double end = TERMS + 0.5;
  double rest = (end + u) * sfmi_power(u / (end + u), n) + (end - u) * sfmi_power(u / (end - u), n);
  return (sum + rest / (n - 1)) * (1 + 1e-14);
}
