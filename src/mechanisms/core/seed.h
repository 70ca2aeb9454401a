/* seed.h - where the random numbers of a release come from: the operating system, or (tests only) a
 * seed that anyone knows. */
#ifndef SFMI_SEED_H
#define SFMI_SEED_H

#include "random/stream.h"
#include "sfumato/context.h"

typedef struct sfmi_seed {
  bool seeded;
  uint64_t seed;
} sfmi_seed;

/* That of a context. */
static inline sfmi_seed sfmi_seed_of(const sfm_context *context) {
  return (sfmi_seed){context->seeded, context->seed};
}

/* A stream of the source. */
SFM_MUST_CHECK sfm_status sfmi_seed_stream(sfmi_stream **out, sfmi_seed source, sfm_error *error);

/* Bytes of a stream of their own; their number is a multiple of eight. */
SFM_MUST_CHECK sfm_status sfmi_seed_bytes(void *bytes, size_t count, sfmi_seed source,
                                          sfm_error *error);

/* A seed for random features, which is public, from a stream of its own that no noise comes from.
 */
SFM_MUST_CHECK sfm_status sfmi_seed_random_features(uint64_t *seed, sfmi_seed source,
                                                    sfm_error *error);

#endif
