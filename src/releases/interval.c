#include "releases/interval.h"

#include <math.h>

enum { SCAN = 64, HALVINGS = 24 };

/* The end of what is accepted, between an accepted and a rejected value, on the rejected side. */
static double edge(double accepted, double rejected, sfmi_accepts *accepts, const void *context) {
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = 0.5 * (accepted + rejected);
    if (accepts(context, middle)) {
      accepted = middle;
    } else {
      rejected = middle;
    }
  }
  return rejected;
}

void sfmi_interval_ratio(double *lower, double *upper, double value, sfmi_accepts *accepts,
                         const void *context) {
  const bool middle = accepts(context, value);
  double low = middle ? value : 2, high = middle ? value : -1;
  for (int i = 0; i <= SCAN; i++) {
    const double ratio = (double)i / SCAN;
    if ((ratio < low || ratio > high) && accepts(context, ratio)) {
      low = fmin(low, ratio);
      high = fmax(high, ratio);
    }
  }
  *lower = *upper = value;
  if (low > high) return;
  const double before = fmax(ceil(low * SCAN) - 1, 0) / SCAN,
               after = fmin(floor(high * SCAN) + 1, SCAN) / SCAN;
  *lower = low > 0 ? edge(low, before, accepts, context) : 0;
  *upper = high < 1 ? edge(high, after, accepts, context) : 1;
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
