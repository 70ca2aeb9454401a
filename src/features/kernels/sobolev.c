#include "sfumato/sobolev.h"

#include <math.h>

#include "gaussian_torus.h"
#include "sobolev_sensitivity.h"

sfm_status sfm_sobolev_gaussian(double *sensitivity, double *gamma, double lower, double upper,
                                double bandwidth, sfm_error *error) {
  const char *wanted = sfmi_gaussian_unfit(lower, upper, bandwidth);
  if (wanted)
    return sfmi_fail(error, SFM_INVALID, "a Gaussian function on [%g, %g] of bandwidth %g needs %s",
                     lower, upper, bandwidth, wanted);
  sfmi_sobolev_axis axis = {.width = sfmi_sobolev_width(lower, upper, bandwidth),
                            .rate = *gamma * bandwidth};
  if (*gamma == 0) {
    sfmi_sobolev_choose_rates(&axis, 1);
    *gamma = axis.rate / bandwidth;
  } else if (!(axis.rate >= SFMI_SOBOLEV_RATE_MIN && axis.rate <= SFMI_SOBOLEV_RATE_MAX)) {
    return sfmi_fail(error, SFM_INVALID,
                     "gamma must be 0 (the best one) or from %g to %g for the bandwidth %g, not %g",
                     SFMI_SOBOLEV_RATE_MIN / bandwidth, SFMI_SOBOLEV_RATE_MAX / bandwidth,
                     bandwidth, *gamma);
  }
  *sensitivity = sfmi_sobolev_sensitivity(&axis, 1);
  return SFM_OK;
}

sfm_status sfm_sobolev_bound(double *norm, double largest, double steepest, double lower,
                             double upper, double gamma, sfm_error *error) {
  const double width = upper - lower;
  if (!(width > 0) || !isfinite(width) || !(gamma > 0) || !isfinite(gamma))
    return sfmi_fail(error, SFM_INVALID,
                     "a Sobolev norm needs bounds, lower < upper, and a positive gamma, not %g, %g "
                     "and %g",
                     lower, upper, gamma);
  if (!(largest >= 0) || !(steepest >= 0))
    return sfmi_fail(error, SFM_INVALID,
                     "the largest value and slope of a function are numbers >= 0, not %g and %g",
                     largest, steepest);
  /* hypot neither overflows nor underflows where the norm does not. */
  const double size =
      hypot(largest * sqrt(1 + gamma * width / 2), steepest * sqrt(width / (2 * gamma)));
  if (!isfinite(size))
    return sfmi_fail(error, SFM_INVALID,
                     "the norm is out of range; rescale the function or its variable");
  *norm = size * (1 + 1e-12);
  return SFM_OK;
}
