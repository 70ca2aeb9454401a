/* simulated_noise.h - noise of a mechanism's law, drawn with a public generator: for simulated
 * releases, which say that they are not private. */
#ifndef SFMI_SIMULATED_NOISE_H
#define SFMI_SIMULATED_NOISE_H

#include "base/math/prng.h"
#include "releases/core/release_data.h"
#include "sfumato/vector.h"

/* Fills the numbers of a release, whose law, scale, step and length are set, with values + noise:
 * integers in whole steps, or reals.  Marks it as not private, writes its sentence and hands it
 * out.  Frees the values, which are on the heap; after a failure, also an earlier one (status),
 * the release as well. */
SFM_MUST_CHECK sfm_status sfmi_simulated_noise_finish(sfm_release **out, sfm_release *release,
                                                      double *values, sfm_vector_noise law,
                                                      sfmi_prng *prng, sfm_status status,
                                                      sfm_error *error);

#endif
