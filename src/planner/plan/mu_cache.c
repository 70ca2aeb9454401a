#include "mu_cache.h"

#include <math.h>

#include "privacy/calibration.h"

sfm_status sfmi_mu_cache_find(sfmi_mu_cache *cache, double *mu, double epsilon, double delta,
                              sfm_calibration calibration, sfm_error *error) {
  const double asked = calibration == SFM_CALIBRATION_CLASSICAL ? fmin(epsilon, 1) : epsilon;
  const sfm_status status = asked == cache->epsilon
                                ? SFM_OK
                                : sfmi_gdp_mu_for(&cache->mu, asked, delta, calibration, error);
  cache->epsilon = !status ? asked : 0;
  *mu = cache->mu;
  return status;
}
