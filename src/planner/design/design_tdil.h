/* design_tdil.h - everything about the method tdil that is decided before rows are read.
 *
 * The machine w~ is certified: replacing a record (contributions of them) moves its value at any
 * point by at most s = kappa * used.  Values are counted in steps of `step`, a power of two.  A
 * value is computed to within `off`, so its integer moves by at most moves = floor((s + 2
 * off)/step) + 1. In each of `rounds` rounds, machine after machine, a point is chosen by the
 * exponential mechanism (choosing) and its integer is released with discrete Laplace noise
 * (answering).  Both are paid for, whether or not they improve the machine.
 *
 * Points are those of a net, or (the linear kernel, unless a net is asked for) all of the ball that
 * rows lie in, which is idealised.  docs/proofs/tdil.md. */
#ifndef SFMI_DESIGN_TDIL_H
#define SFMI_DESIGN_TDIL_H

#include "planner/forecast/gp_learning_curve.h"
#include "sfumato/plan.h"
#include "design_train.h"
#include "sfumato/account.h"

/* Most rounds of a machine, and most coordinates of a point of the ball. */
#define SFMI_DESIGN_TDIL_ROUNDS ((size_t)1000)
#define SFMI_DESIGN_TDIL_COORDINATES ((size_t)10000)

typedef struct sfmi_design_tdil {
  bool ball;
  size_t rounds;              /* of one machine */
  double choosing, answering; /* epsilon of each, per round */
  sfm_guarantee guarantee;    /* of all rounds together */
  double off, step, moves;
  double scale; /* of the noise of an answer, in values: Laplace's */
  double ridge; /* added to the diagonal of the kernel's matrix: the noise's variance * kappa^2 */
  double prior; /* root mean square of a typical function over the points */
  double forecast; /* the same of what is not known of it in the end */
} sfmi_design_tdil;

/* Whether the points are those of the ball. */
bool sfmi_design_tdil_ball(const sfm_train_settings *settings);

/* The net of checked settings. */
SFM_MUST_CHECK sfm_status sfmi_design_tdil_net(sfmi_net *net, const sfmi_encoding *encoding,
                                               const sfm_train_settings *settings,
                                               sfm_error *error);
/* The learning curve over the net or the ball. */
SFM_MUST_CHECK sfm_status sfmi_design_tdil_learning_curve(sfmi_learning_curve *learning_curve,
                                                          const sfmi_encoding *encoding,
                                                          const sfmi_feature_map *map,
                                                          const sfm_train_settings *settings,
                                                          sfm_error *error);

/* Public checks of what only this method has. */
SFM_MUST_CHECK sfm_status sfmi_design_tdil_check(const sfm_train_settings *settings,
                                                 sfm_error *error);

/* The design, for a training whose values are computed to within `off`.  Where the number of rounds
 * is not stated, it is the one of least predicted error. */
SFM_MUST_CHECK sfm_status sfmi_design_tdil_init(sfmi_design_tdil *probes,
                                                const sfm_train_settings *settings,
                                                const sfmi_design_train *training,
                                                const sfmi_learning_curve *learning_curve,
                                                double off, sfm_accounting accounting,
                                                sfm_error *error);

/* About the same, quickly, for forecasts at other epsilons: never better than the exact design. */
void sfmi_design_tdil_estimate(sfmi_design_tdil *probes, const sfm_train_settings *settings,
                               const sfmi_design_train *training,
                               const sfmi_learning_curve *learning_curve);
/* The public numbers.  net: empty for the ball. */
sfm_probes_plan sfmi_design_tdil_public(const sfmi_design_tdil *probes, const sfmi_net *net,
                                        const sfm_train_settings *settings);
/* The least epsilon that is enough for the stated number of rounds, or for one. */
double sfmi_design_tdil_least_epsilon(const sfm_train_settings *settings);

/* The largest error of a value <w, phi> of finite features, computed term by term. */
double sfmi_design_tdil_rounding(const sfmi_design_train *training);

#endif
