/* density_remarks.h - settings of a density that are allowed but probably a mistake. */
#ifndef SFMI_DENSITY_REMARKS_H
#define SFMI_DENSITY_REMARKS_H

#include "sfumato/density.h"

/* Tells the caller of stated bandwidths of a thousandth of the bounds' width or less.  The settings
 * were checked. */
void sfmi_density_remarks(const sfm_density_settings *settings);

#endif
