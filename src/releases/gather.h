/* gather.h - a wave of two or more variables at scattered points, without summing all its modes at
 * each: the modes are divided by the transform of a smooth window, laid on a grid twice as fine,
 * and a point gathers the WIDTH^d grid values around it (a non-uniform FFT of the second kind with
 * the window exp(beta(sqrt(1-z^2)-1)); relative error about 1e-11). */
#ifndef SFMI_GATHER_H
#define SFMI_GATHER_H

#include "releases/wave.h"

typedef struct sfmi_gather sfmi_gather;

/* How many grid points it would hold. */
double sfmi_gather_size(const sfmi_wave *wave);
SFM_MUST_CHECK sfm_status sfmi_gather_create(sfmi_gather **out, const sfmi_wave *wave,
                                             sfm_error *error);
void sfmi_gather_destroy(sfmi_gather *gather);
double sfmi_gather_at(const sfmi_gather *gather, const double *x);

#endif
