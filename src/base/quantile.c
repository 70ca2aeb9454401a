#include "base/quantile.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

void sfmi_sort(double *values, size_t count) {
  qsort(values, count, sizeof *values, ascending);
}

double sfmi_quantile_above(const double *sorted, size_t draws, double confidence) {
  double n = (double)draws;
  double rank = ceil(confidence * n + 2.33 * sqrt(confidence * (1 - confidence) * n));
  return rank < n ? sorted[(size_t)rank] : INFINITY;
}
