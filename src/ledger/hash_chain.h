/* hash_chain.h - the entries of a ledger, the hashes that chain them, and what they add up to.
 *
 * Everything a ledger knows follows from its entries in order: a tally is the fold over them, and
 * nothing else is stored that could disagree with it. */
#ifndef SFMI_HASH_CHAIN_H
#define SFMI_HASH_CHAIN_H

#include <stdbool.h>

#include "base/system/session_generation.h"
#include "privacy/amount.h"
#include "sfumato/ledger.h"

#define SFMI_HASH_BYTES 32
#define SFMI_KEY_BYTES 32
#define SFMI_IDENTITY_BYTES 16
#define SFMI_PARAMETERS_MAX ((size_t)1 << 20)

typedef enum sfmi_entry_kind {
  SFMI_ENTRY_CREATE, /* a dataset: parameters, capacity as amounts, secret = its key */
  SFMI_ENTRY_CHARGE, /* a request: parameters, guarantee, amounts */
  SFMI_ENTRY_ANSWER, /* its answer is stored; secret = hash of the answer's bytes */
  SFMI_ENTRY_BIND,   /* the rows are known from now on; secret = their keyed fingerprint */
  SFMI_ENTRY_CLOSE,  /* no further charge */
  SFMI_ENTRY_RAISE,  /* a session has got further: parameters; secret = hash of its answers */
} sfmi_entry_kind;

/* Strings are borrowed; none is NULL. */
typedef struct sfmi_entry {
  uint64_t number;
  const char *time;
  sfmi_entry_kind kind;
  const char *dataset, *request, *parameters, *guarantee;
  const char
      *unit; /* of a charge: whom it protects, as sfmi_privacy_unit_print writes it; else "" */
  sfmi_cost cost;
  bool has_secret;
  uint8_t secret[32];
  uint8_t hash[SFMI_HASH_BYTES];
} sfmi_entry;

const char *sfmi_entry_kind_name(sfmi_entry_kind kind);
bool sfmi_entry_kind_parse(sfmi_entry_kind *kind, const char *name);

/* Whom a guarantee protects.  With a person column: all records of one person of that column,
 * however many of them count.  Without: any `records` records.  These are different relations
 * (docs/proofs/lattice.md, "Persons"), and a sum of guarantees says something only about one that
 * all of them protect: the first charge fixes neighbours and person column, or the least number of
 * records. */
typedef struct sfmi_privacy_unit {
  sfm_neighbours neighbours;
  uint32_t records;                 /* 0: no charge yet; with a person 1 */
  char person[SFM_DATASET_MAX + 1]; /* "": none */
  bool numbers;                     /* ids are compared as numbers, else as text */
  bool stated;                      /* the owner states the sensitivity: ids as in other charges */
} sfmi_privacy_unit;

/* "replace 1", "add-remove 3", "replace person patient", "replace numbered person patient". */
void sfmi_privacy_unit_print(char text[SFM_PROTECTS_MAX], const sfmi_privacy_unit *unit);
/* From the parameters of a charge (keys neighbours, contributions, person; replace, 1 and none if
 * absent). */
SFM_MUST_CHECK sfm_status sfmi_privacy_unit_parse(sfmi_privacy_unit *unit, const char *parameters,
                                                  sfm_error *error);
/* Whether a charge in this unit may follow those before. */
bool sfmi_privacy_unit_covers(const sfmi_privacy_unit *unit, const sfmi_privacy_unit *before);

typedef struct sfmi_dataset {
  char name[SFM_DATASET_MAX + 1];
  sfm_accounting accounting;
  double epsilon, delta;
  sfmi_cost capacity, spent;
  uint8_t key[SFMI_KEY_BYTES];
  bool bound;
  uint8_t fingerprint[SFMI_HASH_BYTES];
  bool closed;
  sfmi_privacy_unit unit;
  uint64_t charges, answers;
} sfmi_dataset;

/* How far the session has got that a request paid for; of a request that was never raised there is
 * none, and its generation is 0 with a hash of zeros. */
typedef struct sfmi_paid_session {
  char dataset[SFM_DATASET_MAX + 1];
  char request[SFM_REQUEST_MAX + 1];
  sfmi_generation last;
} sfmi_paid_session;

/* The fold: head is the number of the last entry, hash its hash (of entry 0: that of the identity
 * and the anchor's path). */
typedef struct sfmi_tally {
  uint64_t head;
  uint8_t hash[SFMI_HASH_BYTES];
  sfmi_dataset *datasets;
  size_t count;
  sfmi_paid_session *raised;
  size_t raised_count;
} sfmi_tally;

void sfmi_tally_init(sfmi_tally *tally, const uint8_t identity[SFMI_IDENTITY_BYTES],
                     const char *anchor);
/* Wipes it. */
void sfmi_tally_clear(sfmi_tally *tally);
sfmi_dataset *sfmi_tally_find(const sfmi_tally *tally, const char *dataset);
/* How far the session of a request has got. */
sfmi_generation sfmi_tally_generation(const sfmi_tally *tally, const char *dataset,
                                      const char *request);

/* The hash of an entry that follows the tally's head. */
void sfmi_tally_hash(const sfmi_tally *tally, uint8_t hash[SFMI_HASH_BYTES],
                     const sfmi_entry *entry);

/* Takes the next entry in: SFM_REFUSED when it is not the next one, its hash is wrong or it could
 * not have been written (a charge beyond the capacity, an unknown dataset, ...).  Then the tally is
 * as before. */
SFM_MUST_CHECK sfm_status sfmi_tally_add(sfmi_tally *tally, const sfmi_entry *entry,
                                         sfm_error *error);

/* Whether one more cost fits. */
bool sfmi_dataset_fits(const sfmi_dataset *dataset, sfmi_cost cost);

/* The parameters of a create entry, to be freed; NULL when memory is short. */
char *sfmi_dataset_describe(const sfm_dataset *dataset);
/* And back. */
bool sfmi_dataset_parse(sfm_dataset *out, const char *parameters);

/* The parameters of a raise entry, to be freed; NULL when memory is short.  The request is named
 * there and not in the entry's own field, where it could stand once only. */
char *sfmi_raise_describe(const char *request, uint64_t generation);
/* And back. */
bool sfmi_raise_parse(char request[SFM_REQUEST_MAX + 1], uint64_t *generation,
                      const char *parameters);

/* Names and ids: 1 to most bytes of UTF-8 without control characters; what is "dataset name" or
 * "request id". */
SFM_MUST_CHECK sfm_status sfmi_ledger_check_name(const char *name, size_t most, const char *what,
                                                 sfm_error *error);

#endif
