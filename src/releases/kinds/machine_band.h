/* machine_band.h - the band of a machine. */
#ifndef SFMI_MACHINE_BAND_H
#define SFMI_MACHINE_BAND_H

#include "releases/core/release_data.h"

/* Wherever its features are longest. */
sfm_status sfmi_machine_band(sfm_band *band, const sfm_release *release, double confidence,
                             sfm_error *error);

#endif
