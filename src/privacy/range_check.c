#include "range_check.h"

#include "calibration.h"

sfm_status sfmi_check_epsilon(double epsilon, sfm_error *error) {
  if (epsilon >= SFMI_EPSILON_MIN && epsilon <= SFMI_EPSILON_MAX) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID, "epsilon must be a number from %g to %g, not %g",
                   SFMI_EPSILON_MIN, SFMI_EPSILON_MAX, epsilon);
}

sfm_status sfmi_check_normal_delta(double delta, sfm_error *error) {
  if (delta == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "normal noise needs a delta (it has no pure epsilon): add settings.delta = "
                     "1e-6, or use settings.noise = laplace");
  if (delta >= SFMI_DELTA_MIN && delta < 1) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "normal noise needs a delta above 0 and below 1 (1e-6 is usual), not %g", delta);
}

sfm_status sfmi_check_calibration(sfm_calibration calibration, double epsilon, sfm_error *error) {
  if (calibration != SFM_CALIBRATION_CLASSICAL || epsilon <= 1) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "the classical calibration is proved for epsilon <= 1 only, not %g; leave out "
                   "settings.calibration = classical (the exact one needs less noise)",
                   epsilon);
}

sfm_status sfmi_check_confidence(double confidence, sfm_error *error) {
  if (confidence > 0 && confidence < 1) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "the band's confidence must be between 0 and 1 (0.95 is usual), not %g",
                   confidence);
}
