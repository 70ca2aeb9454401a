/* boundary_reference.h - density estimates with boundaries, by their definition: every row and its
 * images. */
#ifndef TEST_BOUNDARY_REFERENCE_H
#define TEST_BOUNDARY_REFERENCE_H

#include <math.h>
#include <stddef.h>

#include "sfumato/release.h"

/* The kernel of one row along one column, at q: the Gaussian density, summed over all images that
 * are not too far to matter. */
static inline double boundary_reference_kernel(double q, double x, double lower, double upper,
                                               double h, sfm_boundary boundary) {
  const double width = upper - lower, mirrored = 2 * lower - x;
  const double period = boundary == SFM_BOUNDARY_REFLECT ? 2 * width : width;
  const int images = boundary == SFM_BOUNDARY_OPEN ? 0 : 2 + (int)(12 * h / period);
  double sum = 0;
  for (int k = -images; k <= images; k++) {
    double z = (q - x - k * period) / h, m = (q - mirrored - k * period) / h;
    sum += exp(-0.5 * z * z) + (boundary == SFM_BOUNDARY_REFLECT ? exp(-0.5 * m * m) : 0);
  }
  return sum / (sqrt(2 * M_PI) * h);
}

static inline double boundary_reference_density(const double *rows, size_t count, size_t dimension,
                                                const double *lower, const double *upper,
                                                const double *h, const sfm_boundary *boundary,
                                                const double *q) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    double product = 1;
    for (size_t a = 0; a < dimension; a++)
      product *= boundary_reference_kernel(q[a], rows[i * dimension + a], lower[a], upper[a], h[a],
                                           boundary[a]);
    sum += product;
  }
  return sum / (double)count;
}

#endif
