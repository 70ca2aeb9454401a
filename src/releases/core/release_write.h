/* release_write.h - a release as the bytes of its .sfm file. */
#ifndef SFMI_RELEASE_WRITE_H
#define SFMI_RELEASE_WRITE_H

#include "release_data.h"

/* The whole file in memory, to be freed. */
SFM_MUST_CHECK sfm_status sfmi_release_print(const sfm_release *release, char **bytes,
                                             size_t *length, sfm_error *error);

#endif
