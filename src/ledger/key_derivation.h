/* key_derivation.h - the keys under which the rows of a dataset are read, from its master key.
 *
 *   fingerprint = BLAKE2b-256(key = master, "sfumato key of fingerprints"), or master (ordered)
 *   persons     = BLAKE2b-256(key = master, "sfumato key of persons")
 *   id          = BLAKE2b-128(key = fingerprint, "sfumato id of keys" persons)
 *
 * BLAKE2b with a key is a pseudorandom function: neither of the two keys tells anything about the
 * other or about the master key, and the id tells nothing about either. */
#ifndef SFMI_KEY_DERIVATION_H
#define SFMI_KEY_DERIVATION_H

#include "data/batch/row_keys.h"
#include "hash_chain.h"

/* ordered: of a dataset that sfumato 0.1 created, whose rows are known by their fingerprint under
 * the master key itself. */
void sfmi_row_keys_derive(sfmi_row_keys *keys, const uint8_t master[SFMI_KEY_BYTES], bool ordered);

/* The id of the other members. */
void sfmi_row_keys_identify(uint8_t id[SFMI_ROW_KEYS_ID_BYTES], const sfmi_row_keys *keys);

#endif
