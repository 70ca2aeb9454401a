/* session_state.h - what is wrong with the private state of a session that was read from its file:
 * the same words for every kind of session. */
#ifndef SFMI_SESSION_STATE_H
#define SFMI_SESSION_STATE_H

#include "base/system/status.h"

/* Its bytes are laid out otherwise.  name is the session's, for the message; SFM_FORMAT, both. */
SFM_MUST_CHECK sfm_status sfmi_state_fail_foreign(const char *name, sfm_error *error);
/* It has numbers that no session has. */
SFM_MUST_CHECK sfm_status sfmi_state_fail_impossible(const char *name, sfm_error *error);

#endif
