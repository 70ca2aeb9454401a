/* batch_codec.h - a batch of an interactive session as the bytes that the store keeps.
 *
 *   points    of each value that was released in it: how many coordinates, which (from 0), and
 *             their numbers, words of 64 bits
 *   answers   the values, in steps
 *   latents   questions and released values so far, the noisy threshold of the epoch that is
 *             running, and a nonce: PRIVATE
 * A batch that released nothing has no points, and says nothing of what was asked: but for the
 * nonce, 256 bits from the operating system, two copies of a session could write the same batch
 * after different questions, and the freshness record would follow both. */
#ifndef SFMI_BATCH_CODEC_H
#define SFMI_BATCH_CODEC_H

#include "mechanisms/sessions/private_model.h"
#include "session_store.h"

enum { SFMI_BATCH_CODEC_NONCE = 4, SFMI_BATCH_CODEC_LATENTS = 4 + SFMI_BATCH_CODEC_NONCE };

/* What a batch borrows. */
typedef struct sfmi_batch_codec {
  uint64_t *words;
  int64_t *answers;
  uint64_t latents[SFMI_BATCH_CODEC_LATENTS];
} sfmi_batch_codec;

/* Everything that was told after the first `first` values, with a fresh nonce; clear it also after
 * a failure. */
SFM_MUST_CHECK sfm_status sfmi_batch_codec_pack(sfmi_batch_codec *codec, sfmi_store_batch *batch,
                                                const sfmi_private_model *private_model,
                                                size_t first, sfm_error *error);
void sfmi_batch_codec_clear(sfmi_batch_codec *codec);

/* Back into the private model.  SFM_FORMAT when it is not what was written. */
SFM_MUST_CHECK sfm_status sfmi_batch_codec_unpack(sfmi_private_model *private_model,
                                                  const sfmi_store_batch *batch, sfm_error *error);

#endif
