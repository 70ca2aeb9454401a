/* urn.h - draws of an index with given weights, in constant time (Walker's alias method): every
 * index has a bin of the same width, part of it its own and the rest that of one other. */
#ifndef SFMI_URN_H
#define SFMI_URN_H

#include "base/prng.h"

typedef struct sfmi_urn {
  size_t count;
  double *own;     /* the part of the bin that is its own, in [0, 1] */
  uint32_t *other; /* whose the rest is */
} sfmi_urn;

/* count < 2^32 weights, not negative, their sum positive and finite. */
SFM_MUST_CHECK sfm_status sfmi_urn_init(sfmi_urn *urn, const double *weights, size_t count,
                                        sfm_error *error);
void sfmi_urn_clear(sfmi_urn *urn);
size_t sfmi_urn_draw(const sfmi_urn *urn, sfmi_prng *prng);

#endif
