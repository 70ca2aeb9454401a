/* random_dp_checks.h - what a count and a mean under random differential privacy are refused for.
 */
#ifndef SFMI_RANDOM_DP_CHECKS_H
#define SFMI_RANDOM_DP_CHECKS_H

#include "base/system/status.h"
#include "sfumato/schema.h"

/* gamma is a probability. */
SFM_MUST_CHECK sfm_status sfmi_random_dp_check_gamma(double gamma, sfm_error *error);
/* The number of records is public, and each record is a person. */
SFM_MUST_CHECK sfm_status sfmi_random_dp_check_records(const sfm_schema *schema, sfm_error *error);

#endif
