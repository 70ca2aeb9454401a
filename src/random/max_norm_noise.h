/* max_norm_noise.h - noise whose law depends on its largest coordinate alone, exactly:
 *   P(x) prop. to exp(-max |x_i| / scale)   over the vectors x of `length` integers.
 *
 * A radius M has P(M) prop. to (2M + 1)^length exp(-M/scale), M >= 0, and x is uniform among the
 * vectors with no coordinate beyond M (docs/proofs/knorm.md). */
#ifndef SFMI_MAX_NORM_NOISE_H
#define SFMI_MAX_NORM_NOISE_H

#include "noise_sampler.h"

/* Within these nothing overflows: a radius is below 2^116. */
#define SFMI_MAX_NORM_LENGTH_MAX ((size_t)1 << 24)
#define SFMI_MAX_NORM_SCALE_LOG2_MAX 32

/* M, from a discrete Laplace sampler of that scale.  Tries about exp(length/(2 scale)) times. */
sfmi_u128 sfmi_max_norm_radius(const sfmi_sampler *sampler, sfmi_stream *stream, size_t length);

/* Uniform in -radius .. radius. */
sfmi_i128 sfmi_max_norm_coordinate(sfmi_stream *stream, sfmi_u128 radius);

#endif
