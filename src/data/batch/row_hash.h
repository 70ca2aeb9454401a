/* row_hash.h - what readers hash of a record: its bytes, for the fingerprint of the rows and for
 * the choice among the records of a person; and its person.
 *
 * Hashes are SipHash-2-4 under secret keys (docs/proofs/reading.md, Fingerprint and Persons).  A
 * hash depends on the bytes of its record and on public facts alone, so that neither the order of
 * the records nor a split of them changes it. */
#ifndef SFMI_ROW_HASH_H
#define SFMI_ROW_HASH_H

#include <locale.h>

#include "row_keys.h"
#include "person_id.h"
#include "row_batch.h"

/* What a reader says of how records are cut: it goes into the key of the fingerprint. */
#define SFMI_READER_FACTS 4

typedef struct sfmi_row_hasher {
  bool prints;  /* records are hashed for the fingerprint, */
  bool orders;  /* and for the choice among a person's */
  bool persons; /* ids are hashed */
  sfmi_person_id_type ids;
  uint8_t print_keys[2][16], order_key[16], person_key[16];
} sfmi_row_hasher;

/* The sum of the fingerprints of records, modulo 2^256, and their number.  The sums of two sets of
 * records are added to make that of both.  PRIVATE with its key. */
typedef struct sfmi_row_sum {
  uint64_t count;
  uint64_t words[4]; /* the lowest first */
} sfmi_row_sum;

/* Keys for what the flags of the hasher, which are set, ask for. */
void sfmi_row_hasher_set_keys(sfmi_row_hasher *hasher, const sfmi_row_keys *keys,
                              const uint64_t facts[SFMI_READER_FACTS]);

/* Row r of the batch consists of these bytes, read before anything changes them. */
void sfmi_row_hash_record(const sfmi_row_hasher *hasher, sfmi_batch *batch, size_t r,
                          const void *bytes, size_t length);
/* Row r belongs to the person of that id; of length 0: to nobody. */
void sfmi_row_hash_person(const sfmi_row_hasher *hasher, sfmi_batch *batch, size_t r,
                          const void *id, size_t length);
/* The same by the cell (unescaped) of the id. */
void sfmi_row_hash_cell(const sfmi_row_hasher *hasher, sfmi_batch *batch, size_t r,
                        const sfmi_cell *cell, locale_t c);

bool sfmi_row_hash_is_zero(const sfmi_row_hash *hash);
/* The part, of so many, that a person's records are in; those of nobody are in part 0. */
uint64_t sfmi_row_hash_part(const sfmi_row_hash *person, uint64_t parts);

void sfmi_row_sum_add(sfmi_row_sum *sum, const sfmi_row_print *print);
void sfmi_row_sum_merge(sfmi_row_sum *sum, const sfmi_row_sum *other);
/* The fingerprint: the sum through a function under the same keys. */
void sfmi_row_sum_fingerprint(const sfmi_row_sum *sum, const sfmi_row_keys *keys,
                              uint8_t fingerprint[SFMI_ROW_KEY_BYTES]);

#endif
