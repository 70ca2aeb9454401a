#include "quantile.h"

#include <math.h>

/* Beyond the last one when there are too few. */
static size_t rank_above(size_t draws, double confidence) {
  const double n = (double)draws;
  const double rank = ceil(confidence * n + 2.33 * sqrt(confidence * (1 - confidence) * n));
  return rank < n ? (size_t)rank : draws;
}

/* Hoare's selection: what is left of the range always holds the rank. */
double sfmi_quantile_select(double *values, size_t draws, double confidence) {
  const size_t rank = rank_above(draws, confidence);
  if (rank >= draws) return INFINITY;
  for (size_t from = 0, to = draws - 1; from < to;) {
    const double pivot = values[from + (to - from) / 2];
    size_t i = from, j = to;
    for (;; i++, j--) {
      while (values[i] < pivot) i++;
      while (pivot < values[j]) j--;
      if (i >= j) break;
      const double swapped = values[i];
      values[i] = values[j];
      values[j] = swapped;
    }
    if (rank <= j)
      to = j;
    else
      from = j + 1;
  }
  return values[rank];
}
