/* session_identity.h - a new session of any kind: what is drawn for it, its identity, and that
 * identity in the ledger, as the answer of the request that paid for the session. */
#ifndef SFMI_SESSION_IDENTITY_H
#define SFMI_SESSION_IDENTITY_H

#include "base/system/session_generation.h"
#include "mechanisms/core/charge_protocol.h"

/* What is drawn.  state is PRIVATE. */
typedef struct sfmi_new_session {
  uint8_t identity[SFMI_SESSION_IDENTITY];
  uint8_t key[SFMI_SESSION_KEY]; /* of the session's hashes */
  char *facts;
  uint8_t *state;
  size_t state_length;
} sfmi_new_session;

void sfmi_new_session_clear(sfmi_new_session *drawn);

/* Draws identity and key, from the operating system also where the noise has a seed. */
SFM_MUST_CHECK sfm_status sfmi_new_session_identity(sfmi_new_session *drawn, sfm_error *error);

/* Words that nobody has drawn before: from a key that the operating system gives for them alone, so
 * that not even a machine that goes on twice from one image of its memory repeats them. */
SFM_MUST_CHECK sfm_status sfmi_session_nonce(uint64_t *words, size_t count, sfm_error *error);

/* The identity that an answer of the ledger is; SFM_REFUSED when it is something else. */
SFM_MUST_CHECK sfm_status sfmi_identity_read(uint8_t identity[SFMI_SESSION_IDENTITY],
                                             const char *answer, sfm_error *error);

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

#endif
