/* mu_cache.h - the mu of normal noise at an epsilon, for the forecasts of one plan.  Finding it
 * takes its time, so the last answer is kept. */
#ifndef SFMI_MU_CACHE_H
#define SFMI_MU_CACHE_H

#include "base/system/status.h"
#include "sfumato/guarantee.h"

/* For one delta and one calibration; all zero: nothing is kept yet. */
typedef struct sfmi_mu_cache {
  double epsilon, mu; /* what was last asked, and answered */
} sfmi_mu_cache;

/* The classical calibration ends at an epsilon of 1.  What is private with that is private with
 * more, so beyond it the answer is that of 1. */
SFM_MUST_CHECK sfm_status sfmi_mu_cache_find(sfmi_mu_cache *cache, double *mu, double epsilon,
                                             double delta, sfm_calibration calibration,
                                             sfm_error *error);

#endif
