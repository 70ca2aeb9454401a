/* tidings.h - a batch of an interactive session as the bytes that the store keeps.
 *
 *   points    of each value that was released in it: how many coordinates, which (from 0), and
 *             their numbers, words of 64 bits
 *   answers   the values, in steps
 *   latents   questions and released values so far, and the noisy threshold of the epoch that is
 *             running: PRIVATE
 * A batch that released nothing has no points. */
#ifndef SFMI_TIDINGS_H
#define SFMI_TIDINGS_H

#include "mechanisms/tutor.h"
#include "sessions/store.h"

/* What a batch borrows. */
typedef struct sfmi_tidings {
  uint64_t *words;
  int64_t *answers;
  uint64_t latents[4];
} sfmi_tidings;

/* Everything that was told after the first `first` values; clear it also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_tidings_pack(sfmi_tidings *tidings, sfmi_store_batch *batch,
                                            const sfmi_tutor *tutor, size_t first,
                                            sfm_error *error);
void sfmi_tidings_clear(sfmi_tidings *tidings);

/* Back into the tutor.  SFM_FORMAT when it is not what was written. */
SFM_MUST_CHECK sfm_status sfmi_tidings_unpack(sfmi_tutor *tutor, const sfmi_store_batch *batch,
                                              sfm_error *error);

#endif
