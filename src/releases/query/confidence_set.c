#include "confidence_set.h"

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

void sfmi_confidence_set_ratio(double *lower, double *upper, double value, sfmi_accepts *accepts,
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

double sfmi_confidence_set_root(const double *x, const double *values, size_t k) {
  const double rise = values[k + 1] - values[k];
  return rise != 0 ? x[k] - values[k] * (x[k + 1] - x[k]) / rise : x[k];
}

sfmi_zero_crossing sfmi_confidence_set_crossing(const double *values, const double *widths,
                                                size_t points) {
  sfmi_zero_crossing c = {{0, points - 2}, {points - 1, 0}};
  while (c.zero[0] + 2 < points && values[c.zero[0] + 1] < 0) c.zero[0]++;
  while (c.zero[1] > 0 && values[c.zero[1]] > 0) c.zero[1]--;
  for (size_t k = 0; k + 1 < points; k++) {
    if (values[k] > widths[k] || values[k + 1] < -widths[k + 1]) continue;
    if (c.kept[0] > k) c.kept[0] = k;
    c.kept[1] = k;
  }
  return c;
}

void sfmi_confidence_set_runs(double *lower, double *upper, double *pieces, size_t *found,
                              size_t most, const double *x, const bool *may, size_t count) {
  bool before = false, any = false;
  *found = 0;
  for (size_t k = 0; k < count; k++) {
    const double from = k > 0 ? 0.5 * (x[k - 1] + x[k]) : x[k],
                 to = k + 1 < count ? 0.5 * (x[k] + x[k + 1]) : x[k];
    if (may[k] && !any) *lower = from;
    if (may[k]) *upper = to;
    if (may[k] && !before && pieces && *found < most) pieces[2 * (*found)++] = from;
    if (may[k] && pieces && *found) pieces[2 * *found - 1] = to;
    any = any || may[k];
    before = may[k];
  }
}
