/* kernel_ridge.h - kernel ridge regression to public pairs (point, noisy answer), one more at a
 * time: coefficients = (K + ridge I)^-1 answers, through a Cholesky factor that grows by one row
 * per pair: O(count^2) per pair.  Post-processing. */
#ifndef SFMI_KERNEL_RIDGE_H
#define SFMI_KERNEL_RIDGE_H

#include "base/system/status.h"

typedef struct sfmi_kernel_ridge {
  size_t count, most;
  double ridge;
  double *factor; /* lower, its rows `most` apart */
  double *answers, *coefficients;
  double *room;
} sfmi_kernel_ridge;

/* For at most so many pairs; ridge > 0.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_kernel_ridge_init(sfmi_kernel_ridge *fit, size_t most, double ridge,
                                                 sfm_error *error);
void sfmi_kernel_ridge_clear(sfmi_kernel_ridge *fit);

/* The next pair: K with each earlier point and, last, with itself; then all coefficients anew. */
void sfmi_kernel_ridge_add(sfmi_kernel_ridge *fit, const double *kernel, double answer);

#endif
