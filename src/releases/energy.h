/* energy.h - how much noise is in a density, by its public law: the integral over the bounds of the
 * variance of its values. */
#ifndef SFMI_ENERGY_H
#define SFMI_ENERGY_H

#include "releases/contents.h"

/* The variance of the noise in a coefficient. */
double sfmi_noise_variance(const sfm_release *release);

/* Of a density that is not refined.  Exact for lattices and features; of values at places what it
 * is there; of hermite what it is over all numbers.  The noise of a noisy total that it is divided
 * by is not counted. */
SFM_MUST_CHECK sfm_status sfmi_release_energy(double *energy, const sfm_release *release,
                                              sfm_error *error);

#endif
