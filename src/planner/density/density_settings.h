/* density_settings.h - checking what the user asked of a density. */
#ifndef SFMI_DENSITY_SETTINGS_H
#define SFMI_DENSITY_SETTINGS_H

#include "design_density.h"

/* Checks every setting and fills the design's domain, neighbours and contributions. */
SFM_MUST_CHECK sfm_status sfmi_density_settings_check(sfmi_design_density *design,
                                                      const sfm_density_settings *settings,
                                                      sfm_error *error);

/* Whether values at places are asked for: sobolev, or gp by an engine other than spectral and
 * random. */
bool sfmi_density_settings_placed(const sfm_density_settings *settings);
/* Whether gp by random features is asked for, in so many words or by the number of columns. */
bool sfmi_density_settings_random(const sfm_density_settings *settings);

/* Whether all columns are open. */
bool sfmi_density_settings_open(const sfm_density_settings *settings);

#endif
