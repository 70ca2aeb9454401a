/* round_budget.h - the epsilon of the parts of a mechanism with `count` equal rounds, such that all
 * rounds together keep a guarantee.
 *
 * A round is a list of parts, each with pure epsilon: part i has the epsilon share_i * e, where e
 * is the solution and shares add up to one.  A part is any pure mechanism, or a number with Laplace
 * noise, whose privacy losses are known and add up to less.
 *
 *   no delta          count e = epsilon; the guarantee is pure
 *   basic, a delta    delta(epsilon) of the composed losses, its certified upper end, is at most
 *                     delta; the guarantee is approximate (epsilon, delta)
 *   zcdp              rho = count sum (share_i e)^2/2, whose curve is at most delta at epsilon
 *   gdp               mu^2 = count sum mu(share_i e)^2, likewise
 * Everything is verified in the private direction, and all parameters are fixed beforehand: what a
 * round asks may depend on the answers of those before it. */
#ifndef SFMI_ROUND_BUDGET_H
#define SFMI_ROUND_BUDGET_H

#include <stdbool.h>

#include "sfumato/account.h"

#define SFMI_ROUND_PARTS 4

typedef struct sfmi_round_part {
  bool laplace; /* one number with Laplace noise; false: anything pure */
  double share; /* of a round's epsilon, above 0 */
} sfmi_round_part;

typedef struct sfmi_round_budget {
  uint64_t count;
  sfmi_round_part parts[SFMI_ROUND_PARTS];
  size_t part_count;
  double epsilon, delta; /* of the whole */
  sfm_accounting accounting;
  const char *word; /* what a round is called in messages; NULL: a round */
} sfmi_round_budget;

/* e, and the guarantee of all rounds together.  SFM_INVALID when there are so many rounds that a
 * part would have less than the least epsilon that is accounted for (1e-6). */
SFM_MUST_CHECK sfm_status sfmi_round_budget_solve(double *e, sfm_guarantee *guarantee,
                                                  const sfmi_round_budget *rounds,
                                                  sfm_error *error);

/* An integer that moves by at most k >= 1 steps and has discrete Laplace noise of scale b loses no
 * more than a number with real Laplace noise of epsilon = k/b + 1/(4 b^2): its curve is
 * 1 - e^(-(k/b - eps)/2)/cosh(1/(2b)) at worst.  So b = (k + epsilon/(4 k))/epsilon suffices: what
 * to divide by epsilon for the scale.  docs/proofs/interactive.md */
double sfmi_round_budget_steps(double k, double epsilon);

#endif
