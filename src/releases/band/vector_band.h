/* vector_band.h - the band of a vector (docs/proofs/bands.md). */
#ifndef SFMI_VECTOR_BAND_H
#define SFMI_VECTOR_BAND_H

#include "releases/core/release_data.h"

/* The band of a vector: half_width for all coordinates at once.  Where noise was shaped to an
 * ellipsoid that is not in memory any more, widened from the band that the release states. */
SFM_MUST_CHECK sfm_status sfmi_band_vector(sfm_band *band, const sfm_release *release,
                                           double confidence, sfm_error *error);

#endif
