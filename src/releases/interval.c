#include "releases/interval.h"

#include <math.h>

enum { SCAN = 64, HALVINGS = 40 };

typedef struct test {
  double part, whole;
  sfmi_width *width;
  const void *context;
} test;

static bool accepts(const test *t, double ratio) {
  return fabs(t->part - ratio * t->whole) <= t->width(t->context, ratio);
}

/* The end of what is accepted, between an accepted and a rejected value, on the rejected side. */
static double edge(const test *t, double accepted, double rejected) {
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = 0.5 * (accepted + rejected);
    if (accepts(t, middle)) {
      accepted = middle;
    } else {
      rejected = middle;
    }
  }
  return rejected;
}

void sfmi_interval_ratio(double *lower, double *upper, double part, double whole, sfmi_width *width,
                         const void *context) {
  const test t = {part, whole, width, context};
  const double middle = fmin(fmax(part / whole, 0), 1);
  double low = accepts(&t, middle) ? middle : 2, high = low == middle ? middle : -1;
  for (int i = 0; i <= SCAN; i++) {
    const double ratio = (double)i / SCAN;
    if ((ratio < low || ratio > high) && accepts(&t, ratio)) {
      low = fmin(low, ratio);
      high = fmax(high, ratio);
    }
  }
  *lower = *upper = middle;
  if (low > high) return;
  const double before = fmax(ceil(low * SCAN) - 1, 0) / SCAN,
               after = fmin(floor(high * SCAN) + 1, SCAN) / SCAN;
  *lower = low > 0 ? edge(&t, low, before) : 0;
  *upper = high < 1 ? edge(&t, high, after) : 1;
}

/* Where a line through two neighbouring points meets zero. */
static double meet(const double *x, const double *values, size_t k) {
  const double rise = values[k + 1] - values[k];
  return rise != 0 ? x[k] - values[k] * (x[k + 1] - x[k]) / rise : x[k];
}

double sfmi_interval_crossing(double *lower, double *upper, const double *x, const double *values,
                              const double *widths, size_t points) {
  size_t first = 0, last = points - 2;
  bool found = false;
  while (first + 2 < points && values[first + 1] < 0) first++;
  while (last > 0 && values[last] > 0) last--;
  for (size_t k = 0; k + 1 < points; k++) {
    if (values[k] > widths[k] || values[k + 1] < -widths[k + 1]) continue;
    if (!found) *lower = x[k];
    *upper = x[k + 1];
    found = true;
  }
  return 0.5 * (meet(x, values, first) + meet(x, values, last));
}
