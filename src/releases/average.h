/* average.h - what a mean is of: one column with its outer limits, so many rows. */
#ifndef SFMI_AVERAGE_H
#define SFMI_AVERAGE_H

#include "releases/special.h"

/* releases/special.h */
bool sfmi_average_set(json_t *object, const sfm_release *release);
sfm_status sfmi_average_read(const sfmi_place *at, sfm_release *release, const json_t *root);
sfm_status sfmi_average_check(const sfm_release *release, const char *name, sfm_error *error);

#endif
