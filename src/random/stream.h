/* stream.h - the secret randomness: ChaCha20 keyed by the operating system.  Only src/random and
 * src/mechanisms may include this. */
#ifndef SFMI_STREAM_H
#define SFMI_STREAM_H

#include "base/status.h"

typedef struct sfmi_stream sfmi_stream;

/* A stream with a fresh key from the operating system; runs the known-answer self-test first. */
SFM_MUST_CHECK sfm_status sfmi_stream_create(sfmi_stream **out, sfm_error *error);
/* For tests only: a stream anyone can repeat. */
SFM_MUST_CHECK sfm_status sfmi_stream_create_seeded(sfmi_stream **out, uint64_t seed,
                                                    sfm_error *error);
/* Wipes and frees it. */
void sfmi_stream_destroy(sfmi_stream *stream);

/* 64 uniform bits, each used once: what was handed out is wiped from the buffer, and a forked child
 * never repeats its parent. */
uint64_t sfmi_stream_word(sfmi_stream *stream);

#endif
