/* online_creation.h - making a session, where it meets rows, secrets and the ledger: in this order,
 * with what the session room does in between.
 *
 *   sfmi_online_creation_begin    all public checks
 *                         paths are checked, and locked
 *   sfmi_online_creation_charge   the charge, durable (charge_protocol.h); or the identity of the
 * session that this request has made before sfmi_online_creation_draw     rows are read and, where
 * there is a ledger, found to be its own; secrets are drawn: facts and state of a random function
 *                         the session file is written, durably, not yet to be asked
 *   sfmi_online_creation_store    its identity goes into the ledger, durably
 *                         the file is sealed and gets its name
 *   sfmi_online_creation_end
 * So a session that can be asked was charged, and there is one under a charge. */
#ifndef SFMI_ONLINE_CREATION_H
#define SFMI_ONLINE_CREATION_H

#include "base/system/session_generation.h"
#include "online_function.h"
#include "mechanisms/functions/density_run.h"

typedef struct sfmi_online_creation {
  sfm_density_settings settings; /* as a release of one place, where the engine is not spectral */
  double place[SFM_MAX_DIMENSION];
  sfmi_density_run run;
} sfmi_online_creation;

/* Not moved until the end. */
SFM_MUST_CHECK sfm_status sfmi_online_creation_begin(sfmi_online_creation *creation, sfm_rows *rows,
                                                     const sfm_density_settings *settings,
                                                     sfm_error *error);
sfm_engine sfmi_online_creation_engine(const sfmi_online_creation *creation);
/* The path of the ledger to be charged, from the root; NULL: none. */
const char *sfmi_online_creation_ledger(const sfmi_online_creation *creation);

/* *made: this request has a session already, and this is its identity. */
SFM_MUST_CHECK sfm_status sfmi_online_creation_charge(sfmi_online_creation *creation, bool *made,
                                                      uint8_t identity[SFMI_SESSION_IDENTITY],
                                                      sfm_error *error);

/* What is drawn.  state is PRIVATE: the caller wipes and frees it, and frees facts. */
typedef struct sfmi_new_session {
  uint8_t identity[SFMI_SESSION_IDENTITY];
  uint8_t key[SFMI_SESSION_KEY]; /* of the session's hashes */
  char *facts;
  uint8_t *state;
  size_t state_length;
} sfmi_new_session;
/* Its identity and key. */
SFM_MUST_CHECK sfm_status sfmi_new_session_identity(sfmi_new_session *drawn, sfm_error *error);
/* Words that nobody has drawn before: from a key that the operating system gives for them alone, so
 * that not even a machine that goes on twice from one image of its memory repeats them. */
SFM_MUST_CHECK sfm_status sfmi_session_nonce(uint64_t *words, size_t count, sfm_error *error);
/* What became of an identity that was to go into the ledger. */
typedef enum sfmi_stored {
  SFMI_STORED_NOT,     /* it failed, and the ledger does not know this session */
  SFMI_STORED_PERHAPS, /* it failed, and the ledger may know it */
  SFMI_STORED_OTHER,   /* another process was first, with another session */
  SFMI_STORED,
} sfmi_stored;
/* The identity goes into the ledger as the answer of the protocol, where there is a charge. */
SFM_MUST_CHECK sfm_status sfmi_identity_store(sfmi_protocol *protocol, sfmi_stored *stored,
                                              const uint8_t identity[SFMI_SESSION_IDENTITY],
                                              const uint8_t *fingerprint, sfm_error *error);
/* Pays, under parameters that are taken over; *made as for sfmi_online_creation_charge. */
SFM_MUST_CHECK sfm_status sfmi_identity_charge(sfmi_protocol *protocol, bool *made,
                                               uint8_t identity[SFMI_SESSION_IDENTITY],
                                               sfm_release *facts, json_t *parameters,
                                               sfm_error *error);

SFM_MUST_CHECK sfm_status sfmi_online_creation_draw(sfmi_online_creation *creation,
                                                    sfmi_new_session *drawn, sfm_error *error);

SFM_MUST_CHECK sfm_status sfmi_online_creation_store(sfmi_online_creation *creation,
                                                     sfmi_stored *stored,
                                                     const uint8_t identity[SFMI_SESSION_IDENTITY],
                                                     sfm_error *error);

/* The last step, also after a failure: what fails after the charge says so. */
SFM_MUST_CHECK sfm_status sfmi_online_creation_end(sfmi_online_creation *creation,
                                                   sfm_status status, sfm_error *error);

#endif
