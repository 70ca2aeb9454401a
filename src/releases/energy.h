/* energy.h - how much noise is in a density, by its public law: the integral over the bounds of the
 * variance of its values. */
#ifndef SFMI_ENERGY_H
#define SFMI_ENERGY_H

#include "releases/wave.h"

/* The variance of the noise in a coefficient; of caratheodory's the mean square of the radius. */
double sfmi_noise_variance(const sfm_release *release);

/* E |noise|^2 of a mode of the release's wave, which stands at index[a] along axis a; times the
 * square of what the wave was loaded with. */
double sfmi_mode_noise(const sfmi_wave *wave, const size_t *index);

/* Of a density that is not refined.  Exact for lattices and features; to some 3 % for caratheodory,
 * whose body hull is taken for the other; of values at places what it is there; of hermite what it
 * is over all numbers.  The noise of a noisy total that it is divided
 * by is not counted. */
SFM_MUST_CHECK sfm_status sfmi_release_energy(double *energy, const sfm_release *release,
                                              sfm_error *error);

#endif
