/* noise_sampler.h - exact integer samplers (docs/proofs/samplers.md). */
#ifndef SFMI_NOISE_SAMPLER_H
#define SFMI_NOISE_SAMPLER_H

#include "stream.h"
#include "sfumato/noise.h"

/* Scales from 2^-20 to 2^52 are accepted: the bounds in noise_sampler.c show that nothing
 * overflows. */
#define SFMI_SCALE_LOG2_MIN (-20)
#define SFMI_SCALE_LOG2_MAX 52

typedef struct sfmi_sampler sfmi_sampler;

/* Prepares the tables for one law and scale; refuses scales outside what is proved not to
 * overflow. */
SFM_MUST_CHECK sfm_status sfmi_sampler_create(sfmi_sampler **out, sfm_noise_law law,
                                              sfm_ratio scale, sfm_error *error);
void sfmi_sampler_destroy(sfmi_sampler *sampler);

/* Draws count independent integers. */
void sfmi_sampler_draw(const sfmi_sampler *sampler, sfmi_stream *stream, sfmi_i128 *values,
                       size_t count);

/* For a discrete Laplace sampler: draws from P(k) = (1 - r) r^k, r = exp(-1/scale), k >= 0.  What
 * exceeds a threshold tau, given that it does, is tau + 1 + such a k. */
void sfmi_sampler_draw_geometric(const sfmi_sampler *sampler, sfmi_stream *stream,
                                 sfmi_i128 *values, size_t count);

#endif
