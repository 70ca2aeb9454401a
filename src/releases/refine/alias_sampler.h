/* alias_sampler.h - draws of an index with given weights, in constant time (Walker's alias method):
 * every index has a bin of the same width, part of it its own and the rest that of one other. */
#ifndef SFMI_ALIAS_SAMPLER_H
#define SFMI_ALIAS_SAMPLER_H

#include "base/math/prng.h"

typedef struct sfmi_alias_sampler {
  size_t count;
  double *own;     /* the part of the bin that is its own, in [0, 1] */
  uint32_t *other; /* whose the rest is */
} sfmi_alias_sampler;

/* count < 2^32 weights, not negative, their sum positive and finite. */
SFM_MUST_CHECK sfm_status sfmi_alias_sampler_init(sfmi_alias_sampler *sampler,
                                                  const double *weights, size_t count,
                                                  sfm_error *error);
void sfmi_alias_sampler_clear(sfmi_alias_sampler *sampler);
size_t sfmi_alias_sampler_draw(const sfmi_alias_sampler *sampler, sfmi_prng *prng);

#endif
