/* privacy_loss.h - the privacy losses of mechanisms, and their sum: what sfm_privacy_loss means as
 * a law.
 *
 * The loss of a mechanism is Y = ln(p/q) under p, for its worst pair of neighbouring outputs p, q:
 *   Gaussian, mu = Delta/sigma  normal, mean mu^2/2, variance mu^2
 *   two points                  eps and -eps, with odds e^eps to 1 (discrete Laplace at one step,
 *                               binary randomised response, anything that is eps-DP)
 *   three points                eps, -eps, 0 with weights e^eps, 1, k - 2 (k answers)
 *   Laplace                     mass 1/2 at eps, e^-eps/2 at -eps, density e^((y-eps)/2)/4 between
 *   lattice normal              (1 - 2x)/(2 sigma^2), x an integer with weight e^(-x^2/(2 sigma^2))
 * (docs/proofs/composition.md, section 1).
 *
 * Invariants of a total loss: laws of the same shape and parameters are one law with a count;
 * Gaussians are not among them, but summed in `variance`; top is the sum of the largest losses of
 * the laws that have one (all but lattice normals). */
#ifndef SFMI_PRIVACY_LOSS_H
#define SFMI_PRIVACY_LOSS_H

#include <stdbool.h>

#include "base/system/status.h"
#include "base/math/double_double.h"
#include "sfumato/account.h"

typedef enum sfmi_loss_shape {
  SFMI_TWO_POINTS,
  SFMI_THREE_POINTS,
  SFMI_LAPLACE,
  SFMI_LATTICE_NORMAL,
} sfmi_loss_shape;

typedef struct sfmi_loss_law {
  sfmi_loss_shape shape;
  double parameter; /* epsilon; sigma of a lattice normal */
  double others;    /* three points: k - 2 */
  uint64_t count;
} sfmi_loss_law;

typedef struct sfmi_total_loss {
  sfmi_loss_law *laws;
  size_t count;
  sfmi_dd variance; /* sum of mu^2 over the Gaussians */
  sfmi_dd top;
  double top_above;        /* top, rounded up to a double */
  double laplaces;         /* how many releases are Laplace */
  bool bounded;            /* no Gaussian, no lattice normal: the loss is at most top */
  long double log_top;     /* if bounded: ln of the probability of the loss top, */
  long double log_top_off; /* known to this */
} sfmi_total_loss;

/* All losses together; SFM_INVALID, naming the one that is wrong, when there is none or one is out
 * of range. */
SFM_MUST_CHECK sfm_status sfmi_total_loss_init(sfmi_total_loss *total,
                                               const sfm_privacy_loss *losses, size_t count,
                                               sfm_error *error);
void sfmi_total_loss_clear(sfmi_total_loss *total);

/* Whether every field of a loss is in its range. */
SFM_MUST_CHECK sfm_status sfmi_losses_check(const sfm_privacy_loss *losses, size_t count,
                                            sfm_error *error);

/* How many answers a randomised response has. */
static inline uint32_t sfmi_loss_categories(const sfm_privacy_loss *loss) {
  return loss->categories ? loss->categories : 2;
}

#endif
