/* tdil.h - the non-interactive model, TDIL: a private machine is asked at points that are chosen
 * privately, and a public one is fitted to its noisy answers.
 *
 * Of one machine the integers Q_i = round(value at point i/step) are private; each moves by at most
 * `moves` between neighbours.  A round, with the public model's values p_i:
 *   1. point i with probability prop. to exp(choosing/(2 moves) |Q_i - round(p_i/step)|): pure
 *   2. answer Q_i + discrete Laplace noise of its own for `moves` and answering
 *   3. the public model is fitted to all answers so far (estimators/machine/kernel_ridge.h)
 * Both are paid for in every round; nothing else reads Q.  On the ball (the linear kernel) the
 * choice is continuous (random/ball_sampler.h), so idealised.  Proof: docs/proofs/tdil.md. */
#ifndef SFMI_TDIL_H
#define SFMI_TDIL_H

#include "estimators/machine/kernel_ridge.h"
#include "mechanisms/core/hardened_noise.h"
#include "train_run.h"
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
 * for them.  integers: PRIVATE, one a point; map: the kernel. */
SFM_MUST_CHECK sfm_status sfmi_tdil_rounds_net(sfmi_tdil_rounds *tdil, size_t *chosen,
                                               sfmi_kernel_ridge *model, const int64_t *integers,
                                               const sfmi_net *net, const sfmi_feature_map *map,
                                               sfm_error *error);
/* The same in the ball of the map: the points themselves, dimension numbers each.  weights:
 * PRIVATE, those of linear features (the constant one last). */
SFM_MUST_CHECK sfm_status sfmi_tdil_rounds_ball(sfmi_tdil_rounds *tdil, double *points,
                                                sfmi_kernel_ridge *model, const double *weights,
                                                const sfmi_feature_map *map, sfm_error *error);

/* The values of a machine at the points of the net, of what sfmi_train_problem_solve returns of it:
 * what becomes integers.  PRIVATE. */
SFM_MUST_CHECK sfm_status sfmi_tdil_values(double *values, const sfmi_train_problem *train_problem,
                                           const sfmi_net *net, const double *numbers,
                                           sfm_error *error);
/* What each can be off by. */
double sfmi_tdil_rounding(const sfmi_train_problem *train_problem);

/* sfm_train_release of the method tdil. */
SFM_MUST_CHECK sfm_status sfmi_tdil_release(sfm_release **out, sfm_rows *rows,
                                            const sfm_train_settings *settings, sfm_error *error);

#endif
