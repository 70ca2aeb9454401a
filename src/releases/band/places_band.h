/* places_band.h - the band of a release that is values at places (docs/proofs/fields.md). */
#ifndef SFMI_PLACES_BAND_H
#define SFMI_PLACES_BAND_H

#include "releases/core/release_data.h"

/* The band at a confidence.  rounding: of a function of the caller's own.  field: draws the
 * release's process; NULL: one is made when that is affordable. */
SFM_MUST_CHECK sfm_status sfmi_band_places(sfm_band *band, const sfm_release *release,
                                           double confidence, double rounding, sfmi_field *field,
                                           sfm_error *error);

#endif
