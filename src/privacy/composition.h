/* composition.h - sums of guarantees (docs/proofs/composition.md, section 7), and the composition
 * of Gaussians, which needs no more than that. */
#ifndef SFMI_COMPOSITION_H
#define SFMI_COMPOSITION_H

#include <stdbool.h>

#include "base/system/status.h"
#include "sfumato/account.h"

/* Whether all losses are Gaussian and together in the range whose curve is followed exactly; then
 * mu->lower <= sqrt(sum mu_i^2) <= mu->upper.  The losses are checked. */
bool sfmi_gaussian_sum(sfm_interval *mu, const sfm_privacy_loss *losses, size_t count);

/* Lower and upper bound of delta at epsilon, and of the least epsilon at delta, for mu in the
 * interval. */
void sfmi_gaussian_delta(sfm_interval *delta, const sfm_interval *mu, double epsilon);
SFM_MUST_CHECK sfm_status sfmi_gaussian_epsilon(sfm_interval *epsilon, const sfm_interval *mu,
                                                double delta, sfm_error *error);

#endif
