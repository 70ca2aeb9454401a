/* random_stopping.h - how many runs a selection by random stopping has, exactly
 * (docs/proofs/tuning.md).
 *
 * The truncated negative binomial law: P(k) prop. to (1 - gamma)^k prod_{l < k} (l + eta)/(l + 1),
 * k >= 1.  eta = 1 is geometric; as eta falls to 0 it becomes the logarithmic law. */
#ifndef SFMI_RANDOM_STOPPING_H
#define SFMI_RANDOM_STOPPING_H

#include "discrete_distributions.h"

typedef struct sfmi_stopping_law {
  sfm_ratio eta;   /* 0 < eta <= 1, both numbers below 2^16 */
  sfm_ratio gamma; /* 0 < gamma <= 1 */
} sfmi_stopping_law;

uint64_t sfmi_stopping_draw(sfmi_stream *stream, const sfmi_stopping_law *law);

#endif
