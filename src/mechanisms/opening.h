/* opening.h - making a session, where it meets rows, secrets and the ledger: in this order, with
 * what the session room does in between.
 *
 *   sfmi_opening_begin    all public checks
 *                         paths are checked, and locked
 *   sfmi_opening_charge   the charge, durable (billing.h); or the identity of the session that this
 *                         request has made before
 *   sfmi_opening_draw     rows are read and, where there is a ledger, found to be its own; secrets
 *                         are drawn: facts and state of a frozen function
 *                         the session file is written, durably, not yet to be asked
 *   sfmi_opening_store    its identity goes into the ledger, durably
 *                         the file is sealed and gets its name
 *   sfmi_opening_end
 * So a session that can be asked was charged, and there is one under a charge. */
#ifndef SFMI_OPENING_H
#define SFMI_OPENING_H

#include "base/generation.h"
#include "mechanisms/frozen.h"
#include "mechanisms/making.h"

typedef struct sfmi_opening {
  sfm_density_settings settings; /* as a release of one place, where the engine is not spectral */
  double place[SFM_MAX_DIMENSION];
  sfmi_making making;
} sfmi_opening;

/* Not moved until the end. */
SFM_MUST_CHECK sfm_status sfmi_opening_begin(sfmi_opening *opening, sfm_rows *rows,
                                             const sfm_density_settings *settings,
                                             sfm_error *error);
sfm_engine sfmi_opening_engine(const sfmi_opening *opening);
/* The path of the ledger to be charged, from the root; NULL: none. */
const char *sfmi_opening_ledger(const sfmi_opening *opening);

/* *made: this request has a session already, and this is its identity. */
SFM_MUST_CHECK sfm_status sfmi_opening_charge(sfmi_opening *opening, bool *made,
                                              uint8_t identity[SFMI_SESSION_IDENTITY],
                                              sfm_error *error);

/* What is drawn.  state is PRIVATE: the caller wipes and frees it, and frees facts. */
typedef struct sfmi_drawn {
  uint8_t identity[SFMI_SESSION_IDENTITY];
  uint8_t key[SFMI_SESSION_KEY]; /* of the session's hashes */
  char *facts;
  uint8_t *state;
  size_t state_length;
} sfmi_drawn;
/* Its identity and key. */
SFM_MUST_CHECK sfm_status sfmi_drawn_name(sfmi_drawn *drawn, sfm_error *error);
/* Words that nobody has drawn before: from a key that the operating system gives for them alone, so
 * that not even a machine that goes on twice from one image of its memory repeats them. */
SFM_MUST_CHECK sfm_status sfmi_drawn_nonce(uint64_t *words, size_t count, sfm_error *error);
/* After the rows were read: their fingerprint, where there is a charge.  SFM_REFUSED when the
 * ledger knows that they are others than the dataset's: then nothing private is written. */
SFM_MUST_CHECK sfm_status sfmi_rows_accept(sfm_rows *rows, uint8_t *fingerprint,
                                           const sfmi_bill *bill, sfm_error *error);
/* What became of an identity that was to go into the ledger. */
typedef enum sfmi_stored {
  SFMI_STORED_NOT,     /* it failed, and the ledger does not know this session */
  SFMI_STORED_PERHAPS, /* it failed, and the ledger may know it */
  SFMI_STORED_OTHER,   /* another process was first, with another session */
  SFMI_STORED,
} sfmi_stored;
/* The identity goes into the ledger as the answer of the bill, where there is a charge. */
SFM_MUST_CHECK sfm_status sfmi_identity_store(sfmi_bill *bill, sfmi_stored *stored,
                                              const uint8_t identity[SFMI_SESSION_IDENTITY],
                                              const uint8_t *fingerprint, sfm_error *error);
/* Pays, under parameters that are taken over; *made as for sfmi_opening_charge. */
SFM_MUST_CHECK sfm_status sfmi_identity_pay(sfmi_bill *bill, bool *made,
                                            uint8_t identity[SFMI_SESSION_IDENTITY],
                                            sfm_release *facts, json_t *parameters,
                                            sfm_error *error);

SFM_MUST_CHECK sfm_status sfmi_opening_draw(sfmi_opening *opening, sfmi_drawn *drawn,
                                            sfm_error *error);

SFM_MUST_CHECK sfm_status sfmi_opening_store(sfmi_opening *opening, sfmi_stored *stored,
                                             const uint8_t identity[SFMI_SESSION_IDENTITY],
                                             sfm_error *error);

/* The last step, also after a failure: what fails after the charge says so. */
SFM_MUST_CHECK sfm_status sfmi_opening_end(sfmi_opening *opening, sfm_status status,
                                           sfm_error *error);

#endif
