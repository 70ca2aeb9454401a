/* freshness.h - somebody elsewhere who knows how far a session has got, so that of its copies one
 * goes on and the others are refused.
 *
 * Either the ledger that the session was charged to (mechanisms/sessions/session_request.h), or a
 * small file: four lines of text, "sfumato-session-anchor 1", the session's identity, the number of
 * its generation and its hash.  The file is replaced whole and durably, by whoever holds a lock on
 * it: a lock counts once it is on the file that has the name, and whoever replaces that file holds
 * its lock.
 */
#ifndef SFMI_FRESHNESS_H
#define SFMI_FRESHNESS_H

#include "mechanisms/sessions/session_request.h"
#include "session_store.h"

typedef struct sfmi_freshness {
  const sfmi_session_record *record;     /* borrowed */
  const char *path;                      /* of the session, for messages; borrowed */
  const char *verb;                      /* "online", "interact": likewise */
  sfmi_session_request *session_request; /* NULL: a file */
  uint64_t durable; /* the generation that is durably known; UINT64_MAX: none */
} sfmi_freshness;

/* Of the open session at path, which the verb asks; with a ledger, dataset and request say what
 * paid for it. */
SFM_MUST_CHECK sfm_status sfmi_freshness_open(sfmi_freshness *freshness,
                                              const sfmi_session_record *record, const char *path,
                                              const char *verb, const char *dataset,
                                              const char *request, sfm_error *error);
void sfmi_freshness_close(sfmi_freshness *freshness);

/* A new anchor, durable, of a session that has not answered yet.  SFM_INVALID when there is a file.
 */
SFM_MUST_CHECK sfm_status sfmi_freshness_create(const sfmi_session_record *record,
                                                const sfmi_generation *first, sfm_error *error);

/* Whether the file at path is the anchor of that session, which has not answered yet. */
bool sfmi_freshness_unused(const char *path, const uint8_t identity[SFMI_SESSION_IDENTITY]);

/* Takes away an unused anchor, durably. */
SFM_MUST_CHECK sfm_status sfmi_freshness_remove(const char *path, sfm_error *error);

/* Makes the freshness record know `last`: it does already, or it knows `before` and is raised,
 * durably, from there.  Everything else is SFM_REFUSED: this is not the copy that went on. */
SFM_MUST_CHECK sfm_status sfmi_freshness_follow(sfmi_freshness *freshness,
                                                const sfmi_generation *before,
                                                const sfmi_generation *last, sfm_error *error);

#endif
