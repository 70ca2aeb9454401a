/* sobolev.h - computes norms and sensitivities in the Sobolev space H1, for releases of smooth
 * functions of one variable with its noise (function.h).
 *
 * On [lower, upper] the kernel exp(-gamma |s - t|), which is laplacian with bandwidth 1/gamma, has
 * the space of functions with a square integrable derivative, with the norm
 *   |f|^2 = (f(lower)^2 + f(upper)^2)/2 + 1/(2 gamma) int (f'^2 + gamma^2 f^2).
 * In several variables, with the product of such kernels, the norm of a product of functions is the
 * product of their norms.  Proof: docs/proofs/sobolev.md. */
#ifndef SFUMATO_SOBOLEV_H
#define SFUMATO_SOBOLEV_H

#include "sfumato/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Computes the sensitivity of one record whose function is exp(-(t - x)^2/(2 bandwidth^2)), with x
 * anywhere in [lower, upper], or zero.  It is the largest norm of such a function or of a
 * difference of two, rounded up by at most 0.1 %.  gamma is in 1 over the unit of the bounds, from
 * 1e-4 to 1e4 over the bandwidth.  If it is 0 on entry, it is set to the gamma with the least
 * sensitivity.  The bandwidth is at most ten times the width of the bounds. */
SFM_API SFM_MUST_CHECK sfm_status sfm_sobolev_gaussian(double *sensitivity, double *gamma,
                                                       double lower, double upper, double bandwidth,
                                                       sfm_error *error);

/* Computes an upper bound on the norm of functions with |f| <= largest and |f'| <= steepest on
 * [lower, upper]: the root of
 *   largest^2 + (upper - lower)/(2 gamma) (steepest^2 + gamma^2 largest^2).
 * For a Lipschitz function it is enough that |f'| <= steepest where the derivative exists.  The
 * difference of two such functions has at most twice this norm. */
SFM_API SFM_MUST_CHECK sfm_status sfm_sobolev_bound(double *norm, double largest, double steepest,
                                                    double lower, double upper, double gamma,
                                                    sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
