/* refit.h - kernel ridge regression to public pairs (point, noisy answer), one more at a time:
 *   coefficients = (K + ridge I)^-1 answers
 * through a Cholesky factor that grows by a row: O(count^2) a pair.  Post-processing. */
#ifndef SFMI_REFIT_H
#define SFMI_REFIT_H

#include "base/fail.h"

typedef struct sfmi_refit {
  size_t count, most;
  double ridge;
  double *factor; /* lower, its rows `most` apart */
  double *answers, *coefficients;
  double *room;
} sfmi_refit;

/* For at most so many pairs; ridge > 0.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_refit_init(sfmi_refit *refit, size_t most, double ridge,
                                          sfm_error *error);
void sfmi_refit_clear(sfmi_refit *refit);

/* The next pair: K with each earlier point and, last, with itself; then all coefficients anew. */
void sfmi_refit_add(sfmi_refit *refit, const double *kernel, double answer);

#endif
