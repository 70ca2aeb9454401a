/* simulated_noise.h - noise of a mechanism's law, drawn with a public generator: for simulated
 * releases, which say that they are not private. */
#ifndef SFMI_SIMULATED_NOISE_H
#define SFMI_SIMULATED_NOISE_H

#include "base/math/prng.h"
#include "releases/core/release_data.h"
#include "sfumato/vector.h"

/* Fills the numbers of a release, whose law, scale, step and length are set, with values + noise:
 * integers in whole steps, or reals.  Marks it as not private. */
SFM_MUST_CHECK sfm_status sfmi_simulated_noise_fill(sfm_release *release, const double *values,
                                                    sfm_vector_noise noise, sfmi_prng *prng,
                                                    sfm_error *error);

#endif
