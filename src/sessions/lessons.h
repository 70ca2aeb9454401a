/* lessons.h - a batch of an interactive session as the bytes that the store keeps.
 *
 *   points    of each value that was released in it: how many coordinates, which (from 0), and
 *             their numbers, words of 64 bits
 *   answers   the values, in steps
 *   latents   questions and released values so far, and the noisy threshold of the epoch that is
 *             running: PRIVATE
 * A batch that released nothing has no points. */
#ifndef SFMI_LESSONS_H
#define SFMI_LESSONS_H

#include "mechanisms/tutor.h"
#include "sessions/store.h"

/* What a batch borrows. */
typedef struct sfmi_lessons {
  uint64_t *words;
  int64_t *answers;
  uint64_t latents[4];
} sfmi_lessons;

/* Everything that was told after the first `first` values; clear it also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_lessons_pack(sfmi_lessons *lessons, sfmi_store_batch *batch,
                                            const sfmi_tutor *tutor, size_t first,
                                            sfm_error *error);
void sfmi_lessons_clear(sfmi_lessons *lessons);

/* Back into the tutor.  SFM_FORMAT when it is not what was written. */
SFM_MUST_CHECK sfm_status sfmi_lessons_unpack(sfmi_tutor *tutor, const sfmi_store_batch *batch,
                                              sfm_error *error);

#endif
