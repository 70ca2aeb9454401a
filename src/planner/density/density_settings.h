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

/* Whether gp (sobolev, where that is the method) can have the boundaries: open ones, and by the
 * engine spectral also those that reflect. */
bool sfmi_density_settings_process_fits(const sfm_density_settings *settings);
/* Where no boundary is stated: that of the method, reflect where it can (lattice, and gp by the
 * engine spectral; AUTO is the lattice), else open. */
void sfmi_density_settings_lay_boundary(sfmi_design_density *design,
                                        const sfm_density_settings *settings,
                                        sfm_density_method method);

/* The boundaries that are asked for, whatever method a design has. */
void sfmi_density_settings_asked_boundary(sfm_boundary *boundary,
                                          const sfm_density_settings *settings,
                                          const sfmi_design_density *design);

#endif
