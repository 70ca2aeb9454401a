/* design_interact.h - everything about an interactive session that is decided before rows are read.
 *
 *   s     = kappa Delta_w + 2 e     what a record moves a value by; e: the rounding of one product
 *   g     a power of two            values are rounded to multiples of it
 *   k     = ceil(s/g) + 1           what a record moves a rounded value by, in steps
 * An epoch has epsilon_a and epsilon_b for AboveThreshold on |q - p|
 * (mechanisms/core/above_threshold.h) and epsilon_c for a released value; round_budget.h says how
 * much an epoch may cost.  Writing X, Y for the two noises of a comparison and T for the questions
 * that are expected,
 *
 *   theta     P(Y - X >= theta) = epochs/(10 T)     at most a tenth of the epochs are false alarms
 *   public    theta + the confidence's quantile of X - Y
 *   released  the confidence's quantile of |Laplace|
 * epsilon_a : epsilon_b = 1 : 2^(2/3) (Lyu, Su & Li 2017, one crossing), and epsilon_c is such that
 * both error bars are equal.  The number of epochs is the largest for which both are within the
 * accuracy.
 * docs/proofs/interactive.md */
#ifndef SFMI_DESIGN_INTERACT_H
#define SFMI_DESIGN_INTERACT_H

#include "design_train.h"
#include "sfumato/interact.h"

typedef struct sfmi_design_interact {
  sfm_interact_plan plan;
  /* In units of the scaled label. */
  double factor; /* half of the label's width: what they are multiplied by to be in its units */
  double step;
  int64_t steps; /* k */
  int64_t theta; /* in steps */
  double ridge;  /* variance of a released value, times kappa^2 */
  double stride; /* eta of the update by steps */
} sfmi_design_interact;

/* All public checks that those of a training do not make; *train: the settings to check it with. */
SFM_MUST_CHECK sfm_status sfmi_design_interact_check(sfm_train_settings *train,
                                                     const sfm_interact_settings *settings,
                                                     sfm_error *error);

/* For a training and its map.  width: the most nonzero features of a row. */
SFM_MUST_CHECK sfm_status sfmi_design_interact_init(sfmi_design_interact *out,
                                                    const sfm_interact_settings *settings,
                                                    const sfmi_design_train *training,
                                                    const sfmi_feature_map *map, size_t width,
                                                    sfm_accounting accounting, sfm_error *error);

#endif
