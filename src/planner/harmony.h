/* harmony.h - fourier-laplace and caratheodory: how many frequencies, and what one row moves.
 *
 * Released are the sums over rows of psi_a = prod of 1, sqrt2 cos(2 pi j u), sqrt2 sin(2 pi j u),
 * |j| <= m an axis, on tori (features/gaussian.h); the reader multiplies by lambda_a.  The
 * constant's is n, which is public.
 *
 * fourier-laplace: what replacing a row moves in l1 (docs/proofs/fourier.md),
 *   one axis    sup over pairs of sum |psi_a(x) - psi_a(y)| + 2 slip,
 *   more        2 (prod (1 + sup |psi|_1 + slip) - 1);
 * the noise has variance 2 (Delta/epsilon)^2 on every coefficient.
 *
 * caratheodory: the moments c_k = sum over rows of exp(2 pi i k u), k = 1..m, and noise r U, U
 * uniform in a body K, r ~ Gamma(2m + 1, Delta/epsilon); Delta is the gauge in both orders
 * (docs/proofs/caratheodory.md), and 2 sqrt2 slip on top of it.
 *
 * m is that of least predicted error: the noise's variance over the domain, and what lies beyond m
 * for the reference law of design.h.  On several axes one cut-off frequency in units of 1/bandwidth
 * serves all. */
#ifndef SFMI_HARMONY_H
#define SFMI_HARMONY_H

#include "planner/design.h"

/* Whether the method is one of the two. */
bool sfmi_harmony_has(sfm_density_method method);

/* What of the settings belongs to them, for any method. */
SFM_MUST_CHECK sfm_status sfmi_harmony_check(const sfm_density_settings *settings,
                                             sfm_error *error);

/* Frequencies, spectrum, sensitivity and plan of a design whose settings are checked. */
SFM_MUST_CHECK sfm_status sfmi_harmony_plan(sfmi_design *design,
                                            const sfm_density_settings *settings, double rows,
                                            sfm_error *error);

#endif
