/* mean_kind.h - what a mean is of: one column with its outer limits, so many rows. */
#ifndef SFMI_MEAN_KIND_H
#define SFMI_MEAN_KIND_H

#include "releases/core/release_kind.h"

/* releases/core/release_kind.h */
extern const sfmi_release_kind sfmi_mean_kind;

#endif
