/* phase_factor.h - e^(i rate theta) at the nodes of an inversion, theta_j = j step. */
#ifndef SFMI_PHASE_FACTOR_H
#define SFMI_PHASE_FACTOR_H

#include "base/math/double_double.h"

/* Nodes are treated by the block: theta_j = j step, for SFMI_NODE_BLOCK consecutive j. */
#define SFMI_NODE_BLOCK 64

/* rate theta_j. */
sfmi_dd sfmi_phase_angle(sfmi_dd rate, double step, double j);
/* e^(i rate theta_j) for the nodes j = 0 .. SFMI_NODE_BLOCK - 1. */
typedef struct sfmi_phase_factors {
  double cosine[SFMI_NODE_BLOCK], sine[SFMI_NODE_BLOCK];
} sfmi_phase_factors;
void sfmi_phase_factors_init(sfmi_phase_factors *turns, sfmi_dd rate, double step);
/* Moves them on to the nodes first .. first + SFMI_NODE_BLOCK - 1. */
void sfmi_phase_factors_at(sfmi_phase_factors *out, const sfmi_phase_factors *turns, sfmi_dd rate,
                           double step, double first);

#endif
