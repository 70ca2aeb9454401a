/* ledger_tally.h - what the entries of a ledger add up to.
 *
 * Everything a ledger knows follows from its entries in order: a tally is the fold over them, and
 * nothing else is stored that could disagree with it. */
#ifndef SFMI_LEDGER_TALLY_H
#define SFMI_LEDGER_TALLY_H

#include "base/system/session_generation.h"
#include "hash_chain.h"
#include "privacy_unit.h"

typedef struct sfmi_dataset {
  char name[SFM_DATASET_MAX + 1];
  sfm_accounting accounting;
  double epsilon, delta;
  sfmi_cost capacity, spent;
  uint8_t key[SFMI_KEY_BYTES]; /* the master key: see key_derivation.h */
  bool ordered;                /* the fingerprint depends on the order of the records */
  bool bound;
  uint8_t fingerprint[SFMI_HASH_BYTES];
  bool closed;
  sfmi_privacy_unit unit;
  uint64_t charges, answers;
} sfmi_dataset;

/* The generation of the session that a request paid for.  There is none for a request that was
 * never raised: its generation is 0, with a hash of zeros. */
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
/* Wipes and frees. */
void sfmi_tally_clear(sfmi_tally *tally);
sfmi_dataset *sfmi_tally_find(const sfmi_tally *tally, const char *dataset);
/* The generation of the session of a request. */
sfmi_generation sfmi_tally_generation(const sfmi_tally *tally, const char *dataset,
                                      const char *request);

/* Adds the next entry: SFM_REFUSED when it is not the next one, its hash is wrong or it could
 * not have been written (a charge beyond the capacity, an unknown dataset, ...).  Then the tally is
 * as before. */
SFM_MUST_CHECK sfm_status sfmi_tally_add(sfmi_tally *tally, const sfmi_entry *entry,
                                         sfm_error *error);

/* Whether one more cost fits. */
bool sfmi_dataset_fits(const sfmi_dataset *dataset, sfmi_cost cost);
/* What is spent and left of it, in decimals. */
SFM_MUST_CHECK sfm_status sfmi_dataset_report(sfm_dataset_status *status,
                                              const sfmi_dataset *dataset, sfm_error *error);

#endif
