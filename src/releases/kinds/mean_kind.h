/* mean_kind.h - what a mean is of: one column with its outer limits, so many rows. */
#ifndef SFMI_MEAN_KIND_H
#define SFMI_MEAN_KIND_H

#include "releases/core/release_kind.h"

/* releases/core/release_kind.h */
bool sfmi_mean_kind_set(json_t *object, const sfm_release *release);
sfm_status sfmi_mean_kind_read(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root);
sfm_status sfmi_mean_kind_check(const sfm_release *release, const char *name, sfm_error *error);

#endif
