/* above_threshold.h - AboveThreshold on integers: which question is the first whose score is high.
 *
 * Let a score be an integer that moves by at most k between neighbours.  An epoch:
 *
 *   T = theta + X,          X discrete Laplace of scale >= k/epsilon_a, once per epoch
 *   each question:          fires when score + Y >= T, Y discrete Laplace of scale >= 2k/epsilon_b,
 *                           afresh
 *   the first that fires ends the epoch.
 *
 * Which question fires, if any, is (epsilon_a + epsilon_b)-DP, however many were asked and however
 * each was chosen after the answers before it (docs/proofs/interactive.md).  The noisy score is
 * compared and forgotten: it is neither returned nor kept.  T is PRIVATE while its epoch lasts and
 * for ever after; an epoch that goes on after a restart goes on with the T that was drawn.
 *
 * Integers of 128 bits: nothing saturates. */
#ifndef SFMI_ABOVE_THRESHOLD_H
#define SFMI_ABOVE_THRESHOLD_H

#include "hardened_noise.h"

/* All of it public. */
typedef struct sfmi_above_law {
  int64_t theta;
  sfmi_noise_law threshold, question;
} sfmi_above_law;

/* k >= 1 steps; both epsilons above 0. */
SFM_MUST_CHECK sfm_status sfmi_above_law_init(sfmi_above_law *law, int64_t theta, int64_t k,
                                              double epsilon_a, double epsilon_b, sfm_error *error);

typedef struct sfmi_above sfmi_above;

/* Between epochs. */
SFM_MUST_CHECK sfm_status sfmi_above_create(sfmi_above **out, const sfmi_above_law *law,
                                            sfmi_seed source, sfm_error *error);
/* Wipes and frees. */
void sfmi_above_destroy(sfmi_above *above);

/* Draws T.  Nothing may be told of a comparison before T is durable. */
void sfmi_above_begin(sfmi_above *above);
/* The epoch whose T was drawn before. */
void sfmi_above_resume(sfmi_above *above, sfmi_i128 threshold);
/* PRIVATE: to be stored. */
sfmi_i128 sfmi_above_threshold(const sfmi_above *above);
bool sfmi_above_running(const sfmi_above *above);

/* One question of the running epoch, which ends when it fires. */
bool sfmi_above_ask(sfmi_above *above, sfmi_i128 score);

#endif
