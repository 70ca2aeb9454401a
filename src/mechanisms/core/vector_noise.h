/* vector_noise.h - noise for a vector of stated sensitivity, as series, linear queries and machines
 * use it, too: rounding to integers for hardened noise, and the idealised laws. */
#ifndef SFMI_VECTOR_NOISE_H
#define SFMI_VECTOR_NOISE_H

#include "features/bodies/hit_and_run.h"
#include "hardened_noise.h"
#include "random/stream.h"
#include "sfumato/vector.h"

/* Law, step and sensitivity for checked settings; mu is used by normal noise only. */
SFM_MUST_CHECK sfm_status sfmi_vector_hardening(sfmi_hardening *out,
                                                const sfm_vector_settings *settings, size_t length,
                                                double mu, sfm_error *error);

/* theta in steps, as sfmi_harden_steps. */
void sfmi_vector_integers(sfmi_i128 *values, const double *theta, size_t length, double step);

/* released = theta + scale L noise in doubles, the noise normal, or of uniform direction and
 * Gamma(length) radius; factor is L, or NULL for the identity. */
void sfmi_vector_idealise(double *released, const double *theta, size_t length, bool gamma,
                          double scale, const double *factor, sfmi_stream *stream);

/* released = theta + r U, r ~ Gamma(length + 1, scale) and U where a walk from zero ends in the
 * shape, which then stands at zero again.  Fails with SFM_INTERNAL, whatever theta is. */
SFM_MUST_CHECK sfm_status sfmi_vector_knorm(double *released, const double *theta, size_t length,
                                            double scale, sfmi_hit_and_run *shape,
                                            sfmi_stream *stream, sfm_error *error);

#endif
