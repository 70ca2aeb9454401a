#include "spline.h"

#include <assert.h>
#include <math.h>

#include "base/math/elementary.h"

/* The weights of orders 5 and 6, at x from the neighbour's far side. */
static inline double quartic_end(double x) {
  return x * x * x * x / 24;
}

static inline double quartic_side(double x) {
  return (1 + x * (4 + x * (6 + x * (4 - 4 * x)))) / 24;
}

static inline double quintic_end(double x) {
  return x * x * x * x * x / 120;
}

static inline double quintic_side(double x) {
  return (1 + x * (5 + x * (10 + x * (10 + x * (5 - 5 * x))))) / 120;
}

static inline double quintic_middle(double x) {
  return (66 + x * x * (x * x * (30 - 10 * x) - 60)) / 120;
}

void sfmi_spline_weights(int32_t (*weights)[SFMI_SPLINE_BLOCK], unsigned order, unsigned bits,
                         const double *t, size_t count) {
  assert(order >= SFMI_SPLINE_MIN && order <= SFMI_SPLINE_MAX && bits <= 30);
  /* w 2^bits + 1/2, truncated: the nearest integer, since w >= 0 and the product is exact. */
  const int32_t whole = (int32_t)1 << bits;
  const double scale = (double)whole;
  int32_t *w0 = weights[0], *w1 = weights[1], *w2 = weights[2], *w3 = weights[3];
  int32_t *w4 = weights[4], *w5 = weights[5];
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
  } else if (order == 4) {
    /* The neighbour that takes what is left holds at least 1/6 of the mass. */
    for (size_t i = 0; i < count; i++) {
      double x = t[i], r = 1 - x;
      w0[i] = (int32_t)(scale * (r * r * r / 6) + 0.5);
      w1[i] = (int32_t)(scale * ((4 + x * x * (3 * x - 6)) / 6) + 0.5);
      w3[i] = (int32_t)(scale * (x * x * x / 6) + 0.5);
      w2[i] = whole - w0[i] - w1[i] - w3[i];
    }
  } else if (order == 5) {
    /* At least 11/24. */
    for (size_t i = 0; i < count; i++) {
      double x = t[i], r = 1 - x;
      w0[i] = (int32_t)(scale * quartic_end(r) + 0.5);
      w1[i] = (int32_t)(scale * quartic_side(r) + 0.5);
      w3[i] = (int32_t)(scale * quartic_side(x) + 0.5);
      w4[i] = (int32_t)(scale * quartic_end(x) + 0.5);
      w2[i] = whole - w0[i] - w1[i] - w3[i] - w4[i];
    }
  } else {
    /* At least 26/120. */
    for (size_t i = 0; i < count; i++) {
      double x = t[i], r = 1 - x;
      w0[i] = (int32_t)(scale * quintic_end(r) + 0.5);
      w1[i] = (int32_t)(scale * quintic_side(r) + 0.5);
      w3[i] = (int32_t)(scale * quintic_middle(r) + 0.5);
      w4[i] = (int32_t)(scale * quintic_side(x) + 0.5);
      w5[i] = (int32_t)(scale * quintic_end(x) + 0.5);
      w2[i] = whole - w0[i] - w1[i] - w3[i] - w4[i] - w5[i];
    }
  }
}

void sfmi_spline_real_weights(double *w, unsigned order, double t) {
  const double r = 1 - t;
  assert(order >= SFMI_SPLINE_MIN && order <= SFMI_SPLINE_MAX);
  if (order == 2) {
    w[0] = r;
    w[1] = t;
  } else if (order == 3) {
    w[0] = 0.5 * r * r;
    w[1] = 0.5 + t * r;
    w[2] = 0.5 * t * t;
  } else if (order == 4) {
    w[0] = r * r * r / 6;
    w[1] = (4 + t * t * (3 * t - 6)) / 6;
    w[2] = (4 + r * r * (3 * r - 6)) / 6;
    w[3] = t * t * t / 6;
  } else if (order == 5) {
    w[0] = quartic_end(r);
    w[1] = quartic_side(r);
    w[2] = (11 + t * r * (12 + 6 * t * r)) / 24;
    w[3] = quartic_side(t);
    w[4] = quartic_end(t);
  } else {
    w[0] = quintic_end(r);
    w[1] = quintic_side(r);
    w[2] = quintic_middle(t);
    w[3] = quintic_middle(r);
    w[4] = quintic_side(t);
    w[5] = quintic_end(t);
  }
}

unsigned sfmi_spline_rest(unsigned order) {
  return order == 2 ? 0 : order == 3 ? 1 : 2;
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
