/* tidings.h - a batch of an interactive session as the bytes that the store keeps.
 *
 *   points    of each value that was released in it: how many coordinates, which (from 0), and
 *             their numbers, words of 64 bits
 *   answers   the values, in steps
 *   latents   questions and released values so far, the noisy threshold of the epoch that is
 *             running, and a nonce: PRIVATE
 * A batch that released nothing has no points, and says nothing of what was asked: but for the
 * nonce, 256 bits from the operating system, two copies of a session could write the same batch
 * after different questions, and the witness would follow both. */
#ifndef SFMI_TIDINGS_H
#define SFMI_TIDINGS_H

#include "mechanisms/tutor.h"
#include "sessions/store.h"

enum { SFMI_TIDINGS_NONCE = 4, SFMI_TIDINGS_LATENTS = 4 + SFMI_TIDINGS_NONCE };

/* What a batch borrows. */
typedef struct sfmi_tidings {
  uint64_t *words;
  int64_t *answers;
  uint64_t latents[SFMI_TIDINGS_LATENTS];
} sfmi_tidings;

/* Everything that was told after the first `first` values, with a fresh nonce; clear it also after
 * a failure. */
SFM_MUST_CHECK sfm_status sfmi_tidings_pack(sfmi_tidings *tidings, sfmi_store_batch *batch,
                                            const sfmi_tutor *tutor, size_t first,
                                            sfm_error *error);
void sfmi_tidings_clear(sfmi_tidings *tidings);

/* Back into the tutor.  SFM_FORMAT when it is not what was written. */
SFM_MUST_CHECK sfm_status sfmi_tidings_unpack(sfmi_tutor *tutor, const sfmi_store_batch *batch,
                                              sfm_error *error);

#endif
