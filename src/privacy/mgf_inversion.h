/* mgf_inversion.h - certified bounds of delta(epsilon) of a composition, by inverting its moment
 * generating function.
 *
 * With M(z) = E e^(zS) and any lambda > 0,
 *   delta(epsilon) = 1/(2 pi) int M(z) e^(-z epsilon)/(z (z + 1)) dtheta,   z = lambda + i theta.
 * The sum over theta_j = j step gives delta(epsilon), plus what lies a period L = 2 pi/step and
 * more to either side (positive, and bounded by Chernoff), plus what is cut off, plus rounding.
 * Where atoms keep M from falling off, S is smoothed by a normal loss of variance smoothing: that
 * raises delta, by at most smoothing e^(smoothing/8) times the density of the smoothed S at
 * epsilon.  If there are few atoms, they are left out of M and summed directly (loss_atoms.h).
 * Proof: docs/proofs/composition.md, sections 3 to 6.
 *
 * An inversion is made for one lambda and may be asked at any epsilon: its bounds hold
 * everywhere, and are close to each other near the epsilon it was made for.  Evaluating does not
 * change it: threads may share it. */
#ifndef SFMI_MGF_INVERSION_H
#define SFMI_MGF_INVERSION_H

#include "saddle_point.h"

typedef struct sfmi_inversion sfmi_inversion;

/* ln of a lower and of an upper bound of delta (-infinity for 0), and about d ln delta/d epsilon.
 */
typedef struct sfmi_log_bounds {
  long double log_lower, log_upper;
  double slope;
} sfmi_log_bounds;

/* For the point at, and if spacing > 0 such that sfmi_inversion_grid works with it.  The total loss
 * is borrowed for the inversion's life. */
SFM_MUST_CHECK sfm_status sfmi_inversion_create(sfmi_inversion **out, const sfmi_total_loss *total,
                                                const sfmi_saddle *at, double spacing,
                                                sfm_error *error);
void sfmi_inversion_destroy(sfmi_inversion *inversion);

void sfmi_inversion_at(const sfmi_inversion *inversion, double epsilon, sfmi_log_bounds *ends);

/* How many of the wanted points one grid gives; 0 when it was made without, or when asking one by
 * one is faster. */
size_t sfmi_inversion_grid_size(const sfmi_inversion *inversion, size_t wanted);
/* ends[i] at epsilons[i], which are epsilons[0] + i spacing up to rounding, by one Fourier
 * transform of the nodes; count is from grid_size.  Slopes are left 0. */
SFM_MUST_CHECK sfm_status sfmi_inversion_grid(const sfmi_inversion *inversion,
                                              sfmi_log_bounds *ends, const double *epsilons,
                                              size_t count, sfm_error *error);

#endif
