#include "session_state.h"

sfm_status sfmi_state_fail_foreign(const char *name, sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT,
                   "the session %.300s was made by another version of sfumato, or on another kind "
                   "of machine: ask it there",
                   name);
}

sfm_status sfmi_state_fail_impossible(const char *name, sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT,
                   "the session %.300s is damaged: it holds numbers that no session has; put back "
                   "its newest good copy",
                   name);
}
