/* kriging.h - a release that is values y at places, evaluated anywhere: the mean of the process
 * given its values,
 *   f(x) = w'y,   w = (K + nugget I)^-1 k(x),
 * over all places when they are few, else over those nearest to x.  K is the kernel of the noise;
 * the function's own is another one for sobolev.
 *
 * Widths.  If |y_j - F(x_j)| <= N at all places, where F is a mean of functions K(., row) moved by
 * at most S, then |f(x) - F(x)| <= |w|_1 N + |r(row)| + S with r = K_x - sum_j w_j K_{x_j}; and
 * |r(row)| is at most the product of the deviations that the values leave at x and at the row, and
 * at most what interpolation_bound.h finds (docs/proofs/fields.md).  For sobolev r = f_x - sum_j
 * w_j f_{x_j} is <f_row, K_x - sum_j w_j K_{x_j}>, and |f_row| takes the place of the deviation at
 * the row. */
#ifndef SFMI_KRIGING_H
#define SFMI_KRIGING_H

#include "releases/core/release_data.h"

typedef struct sfmi_kriging sfmi_kriging;

/* unit: what a coefficient is multiplied by.  Borrows the release. */
SFM_MUST_CHECK sfm_status sfmi_kriging_create(sfmi_kriging **out, const sfm_release *release,
                                              double unit, sfm_error *error);
void sfmi_kriging_destroy(sfmi_kriging *kriging);

/* The number of the place that x is, or SIZE_MAX. */
size_t sfmi_kriging_find(const sfmi_kriging *kriging, const double *x);

/* Values and half-widths of the band (either may be NULL) at points inside the domain; outside it
 * NaN.  At a place they are those of the release. */
SFM_MUST_CHECK sfm_status sfmi_kriging_at(const sfmi_kriging *kriging, double *values,
                                          double *widths, const double *points, size_t count,
                                          sfm_error *error);

#endif
