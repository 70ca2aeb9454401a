/* sobolev.h - how large functions of one variable are in the Sobolev space H1, so that families of
 * smooth functions can be released (function.h) with its noise.
 *
 * On [lower, upper] the kernel exp(-gamma |s - t|), which is laplacian with the bandwidth 1/gamma,
 * has the space of functions whose derivative is square integrable, with the norm |f|^2 =
 * (f(lower)^2 + f(upper)^2)/2 + 1/(2 gamma) int (f'^2 + gamma^2 f^2). In several variables norms of
 * products of functions multiply, for the kernel that is the product. Proof:
 * docs/proofs/sobolev.md. */
#ifndef SFUMATO_SOBOLEV_H
#define SFUMATO_SOBOLEV_H

#include "sfumato/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The sensitivity of one record whose function is exp(-(t - x)^2/(2 bandwidth^2)), x anywhere in
 * [lower, upper], or zero: the largest norm of such a function and of a difference of two, no less
 * than it and within 0.1 %.  gamma: in one over the unit of the bounds; 0 on entry: it is set to
 * the one for which the sensitivity is least.  From 1e-4 to 1e4 over the bandwidth, which is at
 * most ten times the domain's width. */
SFM_API SFM_MUST_CHECK sfm_status sfm_sobolev_gaussian(double *sensitivity, double *gamma,
                                                       double lower, double upper, double bandwidth,
                                                       sfm_error *error);

/* No less than the norm of any function with |f| <= largest and |f'| <= steepest on [lower, upper]
 * (with f Lipschitz it is enough that |f'| is, where it exists): largest^2 + (upper - lower)/(2
 * gamma) (steepest^2 + gamma^2 largest^2), its root.  The difference of two such functions has at
 * most twice that norm. */
SFM_API SFM_MUST_CHECK sfm_status sfm_sobolev_bound(double *norm, double largest, double steepest,
                                                    double lower, double upper, double gamma,
                                                    sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
