/* stream.h - the secret randomness: ChaCha20 keyed by the operating system.  Only src/random and
 * src/mechanisms may include this.
 *
 * Invariants:
 *   1. words[0 .. left) are uniform bits never handed out; words[left ..) are zero.
 *   2. key is the only secret from which later words follow; it has produced nothing that is still
 *      in memory other than words[0 .. left) (fast key erasure).
 *   3. The whole struct lies on pages that the kernel zeroes in a forked child, so there left == 0
 *      and alive == 0, and the next word takes a fresh key from the operating system.
 * A stream belongs to one thread at a time. */
#ifndef SFMI_STREAM_H
#define SFMI_STREAM_H

#include <stdbool.h>

#include "base/system/status.h"

#define SFMI_STREAM_KEY_BYTES 32
#define SFMI_STREAM_WORDS 1024

/* Fills bytes with entropy, or returns false. */
typedef bool sfmi_entropy(void *bytes, size_t count);

typedef struct sfmi_stream {
  size_t left;
  uint64_t alive;        /* 0 only in a forked child; else 1, or 1 + words left if process != 0 */
  int64_t process;       /* 0, or, where pages cannot be wiped on fork, the process that owns it:
                            left then stays 0, so that every word passes the check in refill */
  sfmi_entropy *entropy; /* NULL in a forked child: the operating system */
  unsigned char key[SFMI_STREAM_KEY_BYTES];
  uint64_t words[SFMI_STREAM_WORDS];
} sfmi_stream;

/* A stream with a fresh key from the operating system; runs the known-answer self-test first. */
SFM_MUST_CHECK sfm_status sfmi_stream_create(sfmi_stream **out, sfm_error *error);
/* The same with another source of keys: tests make it fail. */
SFM_MUST_CHECK sfm_status sfmi_stream_create_with(sfmi_stream **out, sfmi_entropy *entropy,
                                                  sfm_error *error);
/* For tests only: a stream anyone can repeat. */
SFM_MUST_CHECK sfm_status sfmi_stream_create_seeded(sfmi_stream **out, uint64_t seed,
                                                    sfm_error *error);
/* Wipes and frees it. */
void sfmi_stream_destroy(sfmi_stream *stream);

/* Whether this libsodium computes ChaCha20 as RFC 8439 (appendix A.1) says. */
bool sfmi_stream_self_test(void);

/* What sfmi_stream_word does when nothing is left.  Aborts the process if a forked child cannot get
 * a key: weak noise is worse than none. */
uint64_t sfmi_stream_refill(sfmi_stream *stream);

/* 64 uniform bits, each used once: what was handed out is wiped from the buffer, and a forked child
 * never repeats its parent. */
static inline uint64_t sfmi_stream_word(sfmi_stream *stream) {
  if (__builtin_expect(stream->left == 0, 0)) return sfmi_stream_refill(stream);
  uint64_t word = stream->words[--stream->left];
  stream->words[stream->left] = 0;
  return word;
}

#endif
