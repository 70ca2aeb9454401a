/* discrete_distributions.h - exact draws of uniform integers and Bernoulli variables
 * (docs/proofs/samplers.md). */
#ifndef SFMI_DISCRETE_DISTRIBUTIONS_H
#define SFMI_DISCRETE_DISTRIBUTIONS_H

#include "stream.h"
#include "sfumato/noise.h"

/* Uniform in [0, n), n >= 1. */
uint64_t sfmi_uniform(sfmi_stream *stream, uint64_t n);

/* The same for n up to 2^127. */
sfmi_u128 sfmi_uniform_wide(sfmi_stream *stream, sfmi_u128 n);

/* True with probability p (numerator <= denominator, denominator > 0). */
bool sfmi_bernoulli(sfmi_stream *stream, sfm_ratio p);

/* True with probability exp(-t), t any ratio >= 0 (denominator > 0). */
bool sfmi_bernoulli_exp(sfmi_stream *stream, sfm_ratio t);

#endif
