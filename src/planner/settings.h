/* settings.h - checking what the user asked of a density. */
#ifndef SFMI_SETTINGS_H
#define SFMI_SETTINGS_H

#include "planner/design.h"

/* Checks every setting and fills the design's domain, neighbours and contributions. */
SFM_MUST_CHECK sfm_status sfmi_settings_check(sfmi_design *design,
                                              const sfm_density_settings *settings,
                                              sfm_error *error);

/* Whether values at places are asked for: sobolev, or gp by an engine other than spectral and
 * random. */
bool sfmi_settings_placed(const sfm_density_settings *settings);
/* Whether gp by random features is asked for, in so many words or by the number of columns. */
bool sfmi_settings_random(const sfm_density_settings *settings);

/* Whether all columns are open. */
bool sfmi_settings_open(const sfm_density_settings *settings);

/* The bounds of any column of rows, which must be stated; place counts from 1, for the message. */
SFM_MUST_CHECK sfm_status sfmi_settings_bounds(double *lower, double *upper,
                                               const sfm_schema *schema, const char *name,
                                               size_t place, sfm_error *error);

#endif
