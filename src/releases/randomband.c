#include "releases/expansion.h"

sfm_status sfmi_band_random(sfm_band *band, const sfm_release *release, double confidence,
                            sfm_error *error) {
  (void)release;
  *band = (sfm_band){.confidence = confidence};
  return sfmi_fail(error, SFM_INTERNAL, "there is no band of random features yet");
}
