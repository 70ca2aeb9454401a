/* noise_variance.h - how much noise is in a density, by its public law: the integral over the
 * bounds of the variance of its values. */
#ifndef SFMI_NOISE_VARIANCE_H
#define SFMI_NOISE_VARIANCE_H

#include "releases/eval/trig_polynomial.h"

/* The variance of the noise in a coefficient; of caratheodory's the mean square of the radius. */
double sfmi_noise_variance(const sfm_release *release);

/* E |noise|^2 of a mode of the release's polynomial, which stands at index[a] along axis a; times
 * the square of what the polynomial was loaded with. */
double sfmi_mode_noise_variance(const sfmi_trig_poly *poly, const size_t *index);

/* Of a density that is not refined.  Exact for lattices and features; to some 3 % for caratheodory,
 * whose body hull is taken for the other.  For values at places: the variance there.  For hermite:
 * the integral over all numbers.  The noise of a noisy total that it is divided by is ignored. */
SFM_MUST_CHECK sfm_status sfmi_integrated_noise_variance(double *energy, const sfm_release *release,
                                                         sfm_error *error);

#endif
