/* place_whitening.h - values at the places of a release, seen through the covariance of its noise.
 */
#ifndef TESTS_MECHANISMS_PLACE_WHITENING_H
#define TESTS_MECHANISMS_PLACE_WHITENING_H

#include "test_support.h"

#include "base/math/linear_algebra.h"
#include "releases/core/release_data.h"

/* A list's second place is its first again. */
static inline size_t whitening_distinct(const sfm_release *release) {
  return release->length - (release->function->places.points != NULL);
}

static inline size_t whitening_place(const sfm_release *release, size_t i) {
  return i + (release->function->places.points && i > 0);
}

/* The factor of K + nugget I over the distinct places of a release, K the kernel of its noise. */
static inline double *whitening_factor(const sfm_release *release, double nugget) {
  const size_t m = whitening_distinct(release);
  double inverse[SFM_MAX_DIMENSION], x[3], y[3];
  const sfm_kernel kernel = sfmi_release_noise_kernel(release, inverse);
  double *matrix = calloc(m * m, sizeof *matrix);
  assert_non_null(matrix);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++) {
      assert_true(sfm_release_place(release, x, whitening_place(release, i)));
      assert_true(sfm_release_place(release, y, whitening_place(release, j)));
      matrix[i * m + j] = sfm_kernel_at(&kernel, x, y) + (i == j ? nugget : 0);
    }
  sfm_error error;
  assert_ok(sfmi_cholesky(matrix, m, "K", &error), &error);
  return matrix;
}

/* |L^-1 v|. */
static inline double whitening_norm(const double *factor, size_t m, double *v) {
  double square = 0;
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < i; j++) v[i] -= factor[i * m + j] * v[j];
    v[i] /= factor[i * m + i];
    square += v[i] * v[i];
  }
  return sqrt(square);
}

/* Whether the mean square of whitened noise is one, against a law whose variance is off by `wrong`.
 */
static inline bool whitening_looks_right(double sum, double count, double wrong) {
  return fabs(sum / count * wrong - 1) <= TEST_Z * sqrt(2 / count);
}

#endif
