/* expansion_band.h - the band of a sum of basis functions of one variable. */
#ifndef SFMI_EXPANSION_BAND_H
#define SFMI_EXPANSION_BAND_H

#include "releases/core/release_data.h"

/* The band of a release with a basis of one variable; systematic: the public worst case of
 * everything that is not noise, in the function's unit. */
SFM_MUST_CHECK sfm_status sfmi_band_expansion(sfm_band *band, const sfm_release *release,
                                              double confidence, double systematic,
                                              sfm_error *error);

#endif
