/* markov_kernels.h - what the tests of Markov processes share: their kernels, covariances of
 * places, and how far a matrix is from another. */
#ifndef TEST_FIELDS_MARKOV_KERNELS_H
#define TEST_FIELDS_MARKOV_KERNELS_H

#include "test_support.h"

#include "base/math/linear_algebra.h"
#include "features/kernels/kernel.h"

static const sfm_kernel_family markovian_families[] = {SFM_KERNEL_LAPLACIAN, SFM_KERNEL_MATERN12,
                                                       SFM_KERNEL_MATERN32, SFM_KERNEL_MATERN52};
enum { MARKOVIAN_FAMILIES = 4 };

static inline sfm_kernel markovian_kernel(sfm_kernel_family family, const double *bandwidth) {
  return (sfm_kernel){.family = family, .dimension = 1, .bandwidth = bandwidth};
}

/* K + nugget where places are the same, count x count. */
static inline void markovian_covariance(double *out, const sfm_kernel *kernel, const double *points,
                                        size_t count, double nugget) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      out[i * count + j] =
          sfm_kernel_at(kernel, &points[i], &points[j]) + (points[i] == points[j] ? nugget : 0);
}

/* square += column column'. */
static inline void markovian_accumulate(double *square, const double *column, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) square[i * count + j] += column[i] * column[j];
}

static inline double markovian_distance(const double *a, const double *b, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* The least eigenvalue of a symmetric matrix, which is overwritten. */
static inline double markovian_least(double *matrix, size_t size) {
  double *values = malloc(size * sizeof *values);
  sfm_error error;
  assert_ok(sfmi_symmetric_eigen(matrix, values, size, &error), &error);
  const double least = values[0];
  free(values);
  return least;
}

#endif
