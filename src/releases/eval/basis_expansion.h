/* basis_expansion.h - a release that is a sum of the functions of its basis (series, curve, random
 * features), ready to be evaluated. */
#ifndef SFMI_BASIS_EXPANSION_H
#define SFMI_BASIS_EXPANSION_H

#include "releases/core/release_data.h"

typedef struct sfmi_expansion sfmi_expansion;

/* f = constant + sum_j c_j b_j/divisor; borrows the release. */
SFM_MUST_CHECK sfm_status sfmi_expansion_create(sfmi_expansion **out, const sfm_release *release,
                                                double divisor, sfm_error *error);
void sfmi_expansion_destroy(sfmi_expansion *expansion);
/* Multiplies the coefficients of a series by factors, one per function. */
void sfmi_expansion_multiply(sfmi_expansion *expansion, const double *factors);

/* values[i] = f(points[i]), NaN outside the domain.  A value depends on its point alone.
 * Thread-safe. */
SFM_MUST_CHECK sfm_status sfmi_expansion_at(const sfmi_expansion *expansion, double *values,
                                            const double *points, size_t count, sfm_error *error);

/* Random features: values at points as above, and the squares of what each batch of frequencies,
 * independent of the others, adds to them.  Thread-safe. */
SFM_MUST_CHECK sfm_status sfmi_expansion_squares(const sfmi_expansion *expansion, double *values,
                                                 double *squares, const double *points,
                                                 size_t count, sfm_error *error);
/* How many frequencies a batch has. */
size_t sfmi_expansion_batch(const sfmi_expansion *expansion);

#endif
