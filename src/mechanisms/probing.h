/* probing.h - the non-interactive model, TDIL: a private machine is asked at points that are chosen
 * privately, and a public one is fitted to its noisy answers.
 *
 * Of one machine the integers Q_i = round(value at point i/step) are private; each moves by at most
 * `moves` between neighbours.  A round, with the public model's values p_i:
 *   1. point i with probability prop. to exp(choosing/(2 moves) |Q_i - round(p_i/step)|): pure
 *   2. answer Q_i + discrete Laplace noise of its own for `moves` and answering
 *   3. the public model is fitted to all answers so far (estimators/refit.h)
 * Both are paid for in every round; nothing else reads Q.  On the ball (the linear kernel) the
 * choice is continuous (random/lean.h), so idealised.  Proof: docs/proofs/tdil.md. */
#ifndef SFMI_PROBING_H
#define SFMI_PROBING_H

#include "estimators/refit.h"
#include "mechanisms/harden.h"
#include "mechanisms/machining.h"
#include "planner/probes.h"
#include "random/exponential.h"

/* Noise ready to be drawn, of choices and of answers apart. */
typedef struct sfmi_prober {
  sfmi_probes probes;
  sfmi_rate rate;          /* of the choice from a net, in steps */
  sfmi_stream *stream;     /* choices */
  sfmi_hardener *hardener; /* answers */
} sfmi_prober;

SFM_MUST_CHECK sfm_status sfmi_prober_init(sfmi_prober *prober, const sfmi_probes *probes,
                                           sfmi_seed source, sfm_error *error);
void sfmi_prober_clear(sfmi_prober *prober);

/* Values in steps. */
void sfmi_prober_integers(int64_t *integers, const double *values, size_t count, double step);

/* All rounds of one machine on a net: which points were chosen and the public model, which has room
 * for them.  integers: PRIVATE, one a point; lift: the kernel. */
SFM_MUST_CHECK sfm_status sfmi_prober_net(sfmi_prober *prober, size_t *chosen, sfmi_refit *model,
                                          const int64_t *integers, const sfmi_net *net,
                                          const sfmi_lift *lift, sfm_error *error);
/* The same in the ball of the lift: the points themselves, dimension numbers each.  weights:
 * PRIVATE, those of linear features (the constant one last). */
SFM_MUST_CHECK sfm_status sfmi_prober_ball(sfmi_prober *prober, double *points, sfmi_refit *model,
                                           const double *weights, const sfmi_lift *lift,
                                           sfm_error *error);

/* The values of a machine at the points of the net, of what sfmi_learning_solve returns of it: what
 * becomes integers.  PRIVATE. */
SFM_MUST_CHECK sfm_status sfmi_probing_values(double *values, const sfmi_learning *learning,
                                              const sfmi_net *net, const double *numbers,
                                              sfm_error *error);
/* What each can be off by. */
double sfmi_probing_rounding(const sfmi_learning *learning);

/* sfm_train_release of the method tdil. */
SFM_MUST_CHECK sfm_status sfmi_probing_release(sfm_release **out, sfm_rows *rows,
                                               const sfm_train_settings *settings,
                                               sfm_error *error);

#endif
