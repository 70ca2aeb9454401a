/* nufft.h - a trigonometric polynomial of two or more variables at scattered points, without
 * summing all its modes at each: the modes are divided by the transform of a smooth window, laid on
 * a grid twice as fine, and a point gathers the WIDTH^d grid values around it (a non-uniform FFT of
 * the second kind with the window exp(beta(sqrt(1-z^2)-1)); relative error about 1e-11). */
#ifndef SFMI_NUFFT_H
#define SFMI_NUFFT_H

#include "trig_polynomial.h"

typedef struct sfmi_nufft sfmi_nufft;

/* How many grid points it would hold. */
double sfmi_nufft_size(const sfmi_trig_poly *poly);
SFM_MUST_CHECK sfm_status sfmi_nufft_create(sfmi_nufft **out, const sfmi_trig_poly *poly,
                                            sfm_error *error);
void sfmi_nufft_destroy(sfmi_nufft *nufft);
double sfmi_nufft_at(const sfmi_nufft *nufft, const double *x);

#endif
