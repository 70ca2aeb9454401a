/* duplicate_name.h - whether a list has the same name twice. */
#ifndef SFMI_DUPLICATE_NAME_H
#define SFMI_DUPLICATE_NAME_H

#include "base/system/status.h"

/* The place of a name that stands there twice (the second of them), or count. */
SFM_MUST_CHECK sfm_status sfmi_duplicate_name(size_t *place, const char *const *names, size_t count,
                                              sfm_error *error);

#endif
