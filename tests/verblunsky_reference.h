/* verblunsky_reference.h - the body K_m of trigonometric moments (features/bodies/verblunsky.h) by
 * its definitions: the gauge from eigenvalues, and moments to parameters, step by step. */
#ifndef TEST_VERBLUNSKY_REFERENCE_H
#define TEST_VERBLUNSKY_REFERENCE_H

#include <math.h>
#include <stdlib.h>

#include "base/math/linear_algebra.h"
#include "features/bodies/verblunsky.h"

/* The entry (i, j) of B(z), the Hermitian Toeplitz matrix with the first row (0, z_1, .., z_m). */
static inline double complex verblunsky_reference_entry(const double complex *z, size_t i,
                                                        size_t j) {
  if (i == j) return 0;
  return i < j ? z[j - i - 1] : conj(z[i - j - 1]);
}

/* The gauge of K_m at z, min {t >= 0 : z in t K_m} = -(least eigenvalue of B(z)); NaN where it is
 * not found.  R + i S Hermitian has the eigenvalues of the symmetric [R -S; S R], there twice each.
 */
static inline double verblunsky_reference_gauge(const double complex *z, size_t m) {
  const size_t n = m + 1, size = 2 * n;
  double *values = calloc(size, sizeof *values), *matrix = calloc(size * size, sizeof *matrix);
  sfm_error error;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      const double complex value = verblunsky_reference_entry(z, i, j);
      matrix[i * size + j] = matrix[(n + i) * size + n + j] = creal(value);
      matrix[(n + i) * size + j] = cimag(value);
      matrix[i * size + n + j] = -cimag(value);
    }
  const double gauge = sfmi_symmetric_eigen(matrix, values, size, &error) ? NAN : -values[0];
  free(values);
  free(matrix);
  return gauge;
}

/* The gauge of Psi(x) - Psi(y), which is that of Psi(y) - Psi(x), for t = x - y:
 * sqrt((m + 1)^2 - (sin(pi (m + 1) t)/sin(pi t))^2), at most m + 1. */
static inline double verblunsky_reference_distance(double t, size_t m) {
  const double n = (double)m + 1, sine = sin(M_PI * t);
  const double kernel = sine == 0 ? n : sin(M_PI * n * t) / sine;
  return sqrt(fmax(0, (n - kernel) * (n + kernel)));
}

/* Moments to parameters, by Levinson's recursion: a_0 = 1, a_1 .. a_(k-1) predict c_k, and the
 * error of the prediction is E g.  False, and p is of no use, when c is not an inner point of K_m.
 */
static inline bool verblunsky_reference_invert(sfmi_verblunsky *p, const double complex *c,
                                               size_t m) {
  double complex *a = calloc(m + 1, sizeof *a), *next = calloc(m + 1, sizeof *next);
  double E = 1;
  bool inner = true;
  a[0] = 1;
  for (size_t k = 1; k <= m && inner; k++) {
    double complex g = c[k - 1];
    for (size_t i = 1; i < k; i++) g += a[i] * c[k - i - 1];
    g /= E;
    const double size = cabs(g);
    inner = size < 1;
    p[k - 1] = (sfmi_verblunsky){g, (1 - size) * (1 + size)};
    for (size_t i = 0; i <= k; i++) next[i] = a[i] - g * conj(a[k - i]);
    for (size_t i = 0; i <= k; i++) a[i] = next[i];
    E *= p[k - 1].rest;
  }
  free(a);
  free(next);
  return inner;
}

#endif
