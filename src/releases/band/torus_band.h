/* torus_band.h - the bands of fourier-laplace and caratheodory.
 *
 * Noise.  fourier-laplace: at a point a sum of independent Laplace variables, whose tail is bounded
 * (sfmi_laplace_sum_bound) and whose sup over the domain is simulated with the public generator.
 * caratheodory: r U, |r U(x)| <= r k at every x with k = sum over 0 < |j| <= m of lambda_j/period,
 * because U is a mixture of +-Psi(y); r is a Gamma variable.  Of the body exact U is simulated
 * besides, and the smaller of both is taken.
 *
 * Not noise: frequencies beyond m, and the estimator's certificate (docs/proofs/fourier.md). */
#ifndef SFMI_TORUS_BAND_H
#define SFMI_TORUS_BAND_H

#include "releases/core/release_data.h"

SFM_MUST_CHECK sfm_status sfmi_band_torus(sfm_band *band, const sfm_release *release,
                                          double confidence, sfm_error *error);

#endif
