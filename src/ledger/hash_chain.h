/* hash_chain.h - the entries of a ledger, and the hashes that chain them. */
#ifndef SFMI_HASH_CHAIN_H
#define SFMI_HASH_CHAIN_H

#include <stdbool.h>

#include "privacy/amount.h"
#include "sfumato/ledger.h"

#define SFMI_HASH_BYTES 32
#define SFMI_KEY_BYTES 32
#define SFMI_IDENTITY_BYTES 16
#define SFMI_PARAMETERS_MAX ((size_t)1 << 20)

typedef enum sfmi_entry_kind {
  SFMI_ENTRY_CREATE, /* a dataset: parameters, capacity as amounts, secret = its master key */
  SFMI_ENTRY_CHARGE, /* a request: parameters, guarantee, amounts */
  SFMI_ENTRY_ANSWER, /* its answer is stored; secret = hash of the answer's bytes */
  SFMI_ENTRY_BIND,   /* the dataset has these rows from now on; secret = their keyed fingerprint */
  SFMI_ENTRY_CLOSE,  /* no further charge */
  SFMI_ENTRY_RAISE, /* the next generation of a session: parameters; secret = hash of its answers */
} sfmi_entry_kind;

/* Strings are borrowed; none is NULL. */
typedef struct sfmi_entry {
  uint64_t number;
  const char *time;
  sfmi_entry_kind kind;
  const char *dataset, *request, *parameters, *guarantee;
  /* Of a charge: whom it protects, as sfmi_privacy_unit_print writes it; else "". */
  const char *unit;
  sfmi_cost cost;
  bool has_secret;
  uint8_t secret[32];
  uint8_t hash[SFMI_HASH_BYTES];
} sfmi_entry;

/* An entry of the dataset without anything else. */
sfmi_entry sfmi_entry_of(sfmi_entry_kind kind, const char *dataset);

const char *sfmi_entry_kind_name(sfmi_entry_kind kind);
bool sfmi_entry_kind_parse(sfmi_entry_kind *kind, const char *name);

/* The hash that the first entry follows: that of the ledger's identity and of its anchor's path. */
void sfmi_chain_start(uint8_t hash[SFMI_HASH_BYTES], const uint8_t identity[SFMI_IDENTITY_BYTES],
                      const char *anchor);
/* The hash of an entry that follows one with the hash `before`; entry->hash is not read.
 * hash and before may be the same array. */
void sfmi_entry_hash(uint8_t hash[SFMI_HASH_BYTES], const uint8_t before[SFMI_HASH_BYTES],
                     const sfmi_entry *entry);

#endif
