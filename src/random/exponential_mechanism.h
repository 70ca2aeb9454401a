/* exponential_mechanism.h - the exponential mechanism, exactly: one of finitely many candidates,
 * each with probability proportional to exp(-rate x loss), in integers (docs/proofs/selection.md).
 */
#ifndef SFMI_EXPONENTIAL_MECHANISM_H
#define SFMI_EXPONENTIAL_MECHANISM_H

#include "discrete_distributions.h"

/* Losses are below this. */
#define SFMI_LOSS_MAX ((sfmi_u128)1 << 92)

/* numerator / 2^shift: numerator in [2^16, 2^32), shift <= 62. */
typedef struct sfmi_dyadic_rate {
  uint64_t numerator;
  unsigned shift;
} sfmi_dyadic_rate;

/* The rate at which choosing by losses that move by at most `sensitivity` (1 or more) between
 * neighbours is epsilon-DP: epsilon / (2 sensitivity), rounded down by 2^-16 of it at most.
 * SFM_INVALID where it is out of range. */
SFM_MUST_CHECK sfm_status sfmi_exponential_rate(sfmi_dyadic_rate *out, double epsilon,
                                                double sensitivity, sfm_error *error);

/* The loss of candidate i, below SFMI_LOSS_MAX: how much worse it is than the best. */
typedef sfmi_u128 sfmi_candidate_loss(const void *context, size_t i);

/* Candidate i of 0 .. count - 1 (count >= 1) with probability prop. to exp(-rate loss(i)).  When
 * one loss is 0 it takes at most count tries on average. */
size_t sfmi_exponential_draw(sfmi_stream *stream, sfmi_dyadic_rate rate, sfmi_candidate_loss *loss,
                             const void *context, size_t count);

/* The same by scores, of which the larger is the better: prop. to exp(rate scores[i]).  They are
 * less than SFMI_LOSS_MAX apart. */
size_t sfmi_exponential_draw_scores(sfmi_stream *stream, sfmi_dyadic_rate rate,
                                    const int64_t *scores, size_t count);

#endif
