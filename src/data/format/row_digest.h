/* row_digest.h - the keyed fingerprint of rows: by it a ledger recognises its dataset.
 *
 * BLAKE2b-256 with a secret key over the bytes of the records as they are read (unpacked, without
 * the header), in order; before those of a matrix, its number of columns and the type of its
 * elements: the same bytes cut into other records are other rows.  Without the key it says nothing
 * about the rows, and it is never shown. */
#ifndef SFMI_ROW_DIGEST_H
#define SFMI_ROW_DIGEST_H

#include <sodium.h>
#include <stddef.h>
#include <stdint.h>

#define SFMI_DIGEST_BYTES 32

typedef struct sfmi_digest {
  crypto_generichash_state state;
} sfmi_digest;

static inline void sfmi_digest_start(sfmi_digest *digest, const uint8_t key[SFMI_DIGEST_BYTES]) {
  crypto_generichash_init(&digest->state, key, SFMI_DIGEST_BYTES, SFMI_DIGEST_BYTES);
}

static inline void sfmi_digest_add(sfmi_digest *digest, const void *bytes, size_t length) {
  crypto_generichash_update(&digest->state, bytes, length);
}

static inline void sfmi_digest_end(sfmi_digest *digest, uint8_t out[SFMI_DIGEST_BYTES]) {
  crypto_generichash_final(&digest->state, out, SFMI_DIGEST_BYTES);
}

#endif
