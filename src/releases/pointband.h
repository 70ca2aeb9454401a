/* pointband.h - the band of a release that is values at places (docs/proofs/fields.md). */
#ifndef SFMI_POINTBAND_H
#define SFMI_POINTBAND_H

#include "releases/contents.h"

/* The band at a confidence.  systematic: the part that is not noise, in the released function's own
 * unit.  field: draws the release's process; NULL: one is made when that is affordable. */
SFM_MUST_CHECK sfm_status sfmi_band_places(sfm_band *band, const sfm_release *release,
                                           double confidence, double systematic, sfmi_field *field,
                                           sfm_error *error);

#endif
