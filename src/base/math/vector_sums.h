/* vector_sums.h - sums over the entries of vectors, in their order. */
#ifndef SFMI_VECTOR_SUMS_H
#define SFMI_VECTOR_SUMS_H

#include <stddef.h>

static inline double sfmi_inner_product(const double *x, const double *y, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += x[i] * y[i];
  return sum;
}

/* In long double, rounded once. */
static inline double sfmi_sum(const double *values, size_t count) {
  long double sum = 0;
  for (size_t i = 0; i < count; i++) sum += values[i];
  return (double)sum;
}

#endif
