/* session_creation.h - making a session file of any kind: session_creation.c says in which order.
 */
#ifndef SFMI_SESSION_CREATION_H
#define SFMI_SESSION_CREATION_H

#include "mechanisms/core/release_run.h"
#include "mechanisms/sessions/session_identity.h"
#include "session_store.h"

/* What is made. */
typedef struct sfmi_session_kind {
  sfmi_store_verb verb;
  bool single;      /* its copies must be told apart */
  const char *name; /* what a session is called: "gram" */
  const sfmi_release_steps *steps;
  sfmi_new_session *drawn; /* what the steps have drawn */
} sfmi_session_kind;

/* Makes the session of the run, which has its settings; anchor may be NULL. */
SFM_MUST_CHECK sfm_status sfmi_session_create(const char *path, const char *anchor,
                                              const sfmi_session_kind *kind, sfmi_release_run *run,
                                              sfm_error *error);

#endif
