/* session_cleanup.h - what a process that died while it made a session left behind: PATH.opening,
 * the session before it has its name.  It is PRIVATE, as the session is.  That the process is dead
 * is known by its lock (session_lock.h).
 *
 * PATH.opening is wanted when the ledger knows it as the session of a request: repeating that
 * request completes it.  It may be wanted when that ledger cannot be asked, and when somebody has
 * asked the session all the same.  Otherwise nobody has seen anything of it and nobody ever will:
 * it is overwritten and removed.  The request that was charged for it, if any, draws anew when it
 * is repeated. */
#ifndef SFMI_SESSION_CLEANUP_H
#define SFMI_SESSION_CLEANUP_H

#include <stdbool.h>

#include "session_store.h"

/* The identity of the session at path; false when there is none that can be read. */
bool sfmi_session_identity(uint8_t identity[SFMI_SESSION_IDENTITY], const char *path);

/* The request that paid for a session, as its file says. */
typedef struct sfmi_payer {
  char *ledger, *dataset, *request;
} sfmi_payer;

/* False when the session at path names none, or cannot be read.  Clear it in any case. */
bool sfmi_payer_read(sfmi_payer *payer, const char *path);
void sfmi_payer_clear(sfmi_payer *payer);

/* Under the lock of the session at path: wipes PATH.opening, and an anchor that was made for it,
 * unless it is or may be wanted.  What cannot be wiped stays. */
void sfmi_session_cleanup_locked(const char *path);

/* The same for whoever does not have the lock; nothing is done while somebody else has. */
void sfmi_session_cleanup(const char *path);
/* The same for all sessions in the folder of path but this one. */
void sfmi_session_cleanup_folder(const char *path);

#endif
