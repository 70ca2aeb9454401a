/* range_check.h - numbers that every release is asked for: each in its range, or a message. */
#ifndef SFMI_RANGE_CHECK_H
#define SFMI_RANGE_CHECK_H

#include "base/system/status.h"
#include "sfumato/guarantee.h"

/* From SFMI_EPSILON_MIN to SFMI_EPSILON_MAX. */
SFM_MUST_CHECK sfm_status sfmi_check_epsilon(double epsilon, sfm_error *error);
/* Of normal noise, from SFMI_DELTA_MIN to below 1. */
SFM_MUST_CHECK sfm_status sfmi_check_normal_delta(double delta, sfm_error *error);
/* The classical calibration is for epsilon up to 1. */
SFM_MUST_CHECK sfm_status sfmi_check_calibration(sfm_calibration calibration, double epsilon,
                                                 sfm_error *error);
/* Of a band, between 0 and 1. */
SFM_MUST_CHECK sfm_status sfmi_check_confidence(double confidence, sfm_error *error);

#endif
