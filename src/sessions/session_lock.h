/* session_lock.h - the lock of a session that is being made: PATH.lock, a flock, held by whoever
 * makes the session PATH or wipes what is left of one. */
#ifndef SFMI_SESSION_LOCK_H
#define SFMI_SESSION_LOCK_H

#include <stdbool.h>

#include "base/system/status.h"

typedef struct sfmi_session_lock {
  char *path; /* PATH.lock */
  int descriptor;
} sfmi_session_lock;

/* Takes the lock of the session at path, or says who has it.  Release it in any case. */
SFM_MUST_CHECK sfm_status sfmi_session_lock_take(sfmi_session_lock *lock, const char *path,
                                                 sfm_error *error);
/* Removes the file, too. */
void sfmi_session_lock_release(sfmi_session_lock *lock);

#endif
