/* knorm.h - the K-norm mechanism on the trigonometric moments of one column: the only place where
 * its noise is drawn.
 *
 * Theorem (docs/proofs/caratheodory.md).  Let K be a convex body around zero in R^D, and let theta
 * move by at most Delta in K's gauge between neighbours, in either order.  theta + r U, U uniform
 * in K and r ~ Gamma(D + 1, Delta/epsilon) independent, is epsilon-DP.  Idealised: the draws are
 * doubles, and those of the symmetric hull come from a Markov chain. */
#ifndef SFMI_KNORM_H
#define SFMI_KNORM_H

#include <complex.h>

#include "hardened_noise.h"
#include "sfumato/density.h"

typedef struct sfmi_knorm sfmi_knorm;

/* Everything that is needed to draw for m frequencies, taken before anything is charged. */
SFM_MUST_CHECK sfm_status sfmi_knorm_create(sfmi_knorm **out, sfm_density_body body, size_t m,
                                            sfmi_seed source, sfm_error *error);
/* Wipes and frees. */
void sfmi_knorm_destroy(sfmi_knorm *knorm);

/* released = theta + r U, m numbers, r ~ Gamma(2m + 1, scale).  Fails only for the hull, with
 * SFM_INTERNAL or SFM_STOPPED, whatever theta is. */
SFM_MUST_CHECK sfm_status sfmi_knorm_add(sfmi_knorm *knorm, double complex *released,
                                         const double complex *theta, double scale,
                                         const sfm_context *context, sfm_error *error);

#endif
