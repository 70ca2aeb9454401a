/* kernel_fixtures.h - a kernel of every family in one to three dimensions, with bandwidths that
 * differ, for points of the unit cube. */
#ifndef TEST_KERNEL_FIXTURES_H
#define TEST_KERNEL_FIXTURES_H

#include "test_support.h"

#include "features/kernels/kernel.h"

#define FAMILIES (SFM_KERNEL_OWN + 1)
#define FAMILY_DIMENSIONS 3

/* exp<x, y>: positive definite, and at most e^d on the unit cube. */
static double own_exponential(void *context, const double *x, const double *y, size_t dimension) {
  double sum = 0;
  (void)context;
  for (size_t a = 0; a < dimension; a++) sum += x[a] * y[a];
  return exp(sum);
}

static inline sfm_kernel family_kernel(sfm_kernel_family family, size_t dimension) {
  static const double bandwidth[FAMILY_DIMENSIONS] = {0.4, 0.15, 0.9};
  return (sfm_kernel){.family = family,
                      .dimension = dimension,
                      .bandwidth = bandwidth,
                      .degree = 3,
                      .constant = 0.5,
                      .radius = sqrt((double)dimension),
                      .function = own_exponential,
                      .bound = exp((double)dimension)};
}

static inline void random_points(double *points, size_t count, size_t dimension, sfmi_prng *prng) {
  for (size_t i = 0; i < count * dimension; i++) points[i] = sfmi_prng_uniform(prng);
}

/* The matrix K(points[i], points[j]). */
static inline void gram_matrix(double *matrix, const sfm_kernel *kernel, const double *points,
                               size_t count) {
  const size_t d = kernel->dimension;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      matrix[i * count + j] = sfm_kernel_at(kernel, points + i * d, points + j * d);
}

#endif
