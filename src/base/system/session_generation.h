/* session_generation.h - the generation of a session: how many batches of answers it has given, and
 * a hash of all of them. */
#ifndef SFMI_SESSION_GENERATION_H
#define SFMI_SESSION_GENERATION_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Bytes of a session's identity, of the key of its hashes, and of a hash. */
#define SFMI_SESSION_IDENTITY 16
#define SFMI_SESSION_KEY 32
#define SFMI_GENERATION_BYTES 32

typedef struct sfmi_generation {
  uint64_t number;
  uint8_t hash[SFMI_GENERATION_BYTES];
} sfmi_generation;

static inline bool sfmi_generation_same(const sfmi_generation *a, const sfmi_generation *b) {
  return a->number == b->number && memcmp(a->hash, b->hash, sizeof a->hash) == 0;
}

#endif
