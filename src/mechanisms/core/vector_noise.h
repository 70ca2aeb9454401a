/* vector_noise.h - noise for a vector of stated sensitivity, as series, linear queries and machines
 * use it, too: rounding to integers for hardened noise, and the idealised laws. */
#ifndef SFMI_VECTOR_NOISE_H
#define SFMI_VECTOR_NOISE_H

#include "features/bodies/hit_and_run.h"
#include "hardened_noise.h"
#include "planner/design/design_vector.h"
#include "random/stream.h"

/* Law, step and sensitivity for checked settings; mu is used by normal noise only. */
SFM_MUST_CHECK sfm_status sfmi_vector_hardening(sfmi_hardening *out,
                                                const sfm_vector_settings *settings, size_t length,
                                                double mu, sfm_error *error);

/* theta in steps, as sfmi_harden_steps. */
void sfmi_vector_integers(sfmi_i128 *values, const double *theta, size_t length, double step);

/* Noise of a design, ready to be drawn: one of the two. */
typedef struct sfmi_vector_noise {
  sfmi_hardener *hardener; /* hardened */
  sfmi_stream *stream;     /* idealised */
} sfmi_vector_noise;

/* *scale: that of the noise, rounded up where it is hardened.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_vector_noise_init(sfmi_vector_noise *noise, double *scale,
                                                 const sfmi_design_vector *vector_design,
                                                 const sfm_vector_settings *settings,
                                                 sfmi_seed source, sfm_error *error);
void sfmi_vector_noise_clear(sfmi_vector_noise *noise);

/* Hardened: theta in steps, and fresh noise. */
SFM_MUST_CHECK sfm_status sfmi_vector_noise_add(sfmi_vector_noise *noise, int64_t *released,
                                                const double *theta, size_t length, double step,
                                                sfm_error *error);

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
