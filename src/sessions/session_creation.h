/* session_creation.h - making a session file of any kind: session_creation.c says in which order.
 */
#ifndef SFMI_SESSION_CREATION_H
#define SFMI_SESSION_CREATION_H

#include "mechanisms/sessions/session_identity.h"
#include "session_store.h"

/* What is made, and the steps of making it that meet rows, secrets and the ledger
 * (mechanisms/sessions/online_creation.h has what they promise). */
typedef struct sfmi_creation_steps {
  sfmi_store_verb verb;
  bool single;      /* its copies must be told apart */
  const char *name; /* what a session is called: "gram" */
  const sfm_charge *charge;
  const char *ledger; /* from the root; NULL: none */
  void *creation;
  sfm_status (*charge_request)(void *creation, bool *made, uint8_t *identity, sfm_error *error);
  sfm_status (*draw)(void *creation, sfmi_new_session *drawn, sfm_error *error);
  sfm_status (*store)(void *creation, sfmi_stored *stored, const uint8_t *identity,
                      sfm_error *error);
} sfmi_creation_steps;

/* After all public checks; the creation is ended by its owner. */
SFM_MUST_CHECK sfm_status sfmi_session_create(const char *path, const sfmi_creation_steps *steps,
                                              const char *anchor, sfm_error *error);

#endif
