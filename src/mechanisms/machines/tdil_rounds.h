/* tdil_rounds.h - the rounds of the non-interactive model, from one private machine.
 *
 * Of the machine the integers Q_i = round(value at point i/step) are private; each moves by at most
 * `moves` between neighbours.  A round, with the public model's values p_i:
 *   1. point i with probability prop. to exp(choosing/(2 moves) |Q_i - round(p_i/step)|): pure
 *   2. answer Q_i + discrete Laplace noise of its own for `moves` and answering
 *   3. the public model is fitted to all answers so far (estimators/machine/kernel_ridge.h)
 * Both are paid for in every round; nothing else reads Q.  On the ball (the linear kernel) the
 * choice is continuous (random/ball_sampler.h), so idealised.  Proof: docs/proofs/tdil.md. */
#ifndef SFMI_TDIL_ROUNDS_H
#define SFMI_TDIL_ROUNDS_H

#include "estimators/machine/kernel_ridge.h"
#include "mechanisms/core/hardened_noise.h"
#include "planner/design/design_tdil.h"
#include "random/exponential_mechanism.h"

/* Noise ready to be drawn, of choices and of answers apart. */
typedef struct sfmi_tdil_rounds {
  sfmi_design_tdil probes;
  sfmi_dyadic_rate rate;   /* of the choice from a net, in steps */
  sfmi_stream *stream;     /* choices */
  sfmi_hardener *hardener; /* answers */
} sfmi_tdil_rounds;

SFM_MUST_CHECK sfm_status sfmi_tdil_rounds_init(sfmi_tdil_rounds *tdil,
                                                const sfmi_design_tdil *probes, sfmi_seed source,
                                                sfm_error *error);
void sfmi_tdil_rounds_clear(sfmi_tdil_rounds *tdil);

/* Values in steps. */
void sfmi_tdil_rounds_integers(int64_t *integers, const double *values, size_t count, double step);

/* All rounds of one machine on a net: which points were chosen and the public model, which has room
 * for them.  integers: PRIVATE, one per point; map: the kernel. */
SFM_MUST_CHECK sfm_status sfmi_tdil_rounds_net(sfmi_tdil_rounds *tdil, size_t *chosen,
                                               sfmi_kernel_ridge *model, const int64_t *integers,
                                               const sfmi_net *net, const sfmi_feature_map *map,
                                               sfm_error *error);
/* The same in the ball of the map: the points themselves, dimension numbers each.  weights:
 * PRIVATE, those of linear features (the constant one last). */
SFM_MUST_CHECK sfm_status sfmi_tdil_rounds_ball(sfmi_tdil_rounds *tdil, double *points,
                                                sfmi_kernel_ridge *model, const double *weights,
                                                const sfmi_feature_map *map, sfm_error *error);

#endif
