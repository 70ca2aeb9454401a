/* release_check.h - the invariants of a release (release_data.h). */
#ifndef SFMI_RELEASE_CHECK_H
#define SFMI_RELEASE_CHECK_H

#include "release_data.h"

/* Whether everything else may rely on sizes and numbers; name is for messages. */
SFM_MUST_CHECK sfm_status sfmi_release_check(const sfm_release *release, const char *name,
                                             sfm_error *error);

#endif
