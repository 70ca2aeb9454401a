/* shrinkage.h - Wiener shrinkage: every frequency of a release is multiplied by the share of it
 * that is not noise, estimated from the release and from the noise's law, which is public.
 *
 * c_j = signal + noise, E |noise|^2 = v_j known.  Among all factors that do not grow with the
 * frequency those are taken whose unbiased estimate of the squared error is least:
 *   sum_j (1 - l_j)^2 |c_j|^2 + 2 l_j v_j - v_j   over   1 >= l_1 >= l_2 >= ... >= 0,
 * which pooling adjacent violators solves: within a pool l = max(0, 1 - sum v/sum |c|^2).
 * Frequency is in bandwidths: |(j_a h_a/period_a)_a|.  The constant stays as it is. */
#ifndef SFMI_SHRINKAGE_H
#define SFMI_SHRINKAGE_H

#include "releases/eval/trig_polynomial.h"

/* Why a release cannot be shrunk, in words that say what can, or SFM_OK. */
SFM_MUST_CHECK sfm_status sfmi_shrinkage_check(const sfm_release *release, sfm_error *error);

/* Shrinks the polynomial of its release's coefficients times factor. */
SFM_MUST_CHECK sfm_status sfmi_shrinkage_apply(sfmi_trig_poly *poly, double factor,
                                               sfm_error *error);

/* As sfm_evaluator_create, of the shrunk release. */
SFM_MUST_CHECK sfm_status sfmi_evaluator_create_shrunk(sfm_evaluator **out,
                                                       const sfm_release *release, double total,
                                                       sfm_error *error);

#endif
