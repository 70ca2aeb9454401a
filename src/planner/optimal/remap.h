/* remap.h - the best table T to follow the truncated geometric mechanism G
 * (releases/kinds/optimal.h).
 *
 * Bayes: what answer is best depends on what G said alone, so T's row k is the answer of least cost
 * (sfmi_optimal_costs).  Minimax: a linear program,
 *
 *   least z  with  sum over k, j of G[i][k] L[i][j] T[k][j] <= z for every i,  T stochastic,
 *
 * of which few columns are used.  It is solved with some of them, and those that would improve it
 * under its duals, a prior, are added.  The costs under that prior bound the optimum from below at
 * every step;
 * where the losses are unimodal they bound the risk of any private mechanism.  When counting from
 * the other end changes no loss, T may be taken to be the same from both ends: half the rows and
 * half the columns. */
#ifndef SFMI_REMAP_H
#define SFMI_REMAP_H

#include "releases/kinds/optimal.h"

typedef struct sfmi_remap {
  double *table; /* T, (n+1) x (n+1), rows sum to one but for rounding.  The caller's. */
  double *prior; /* n+1: minimax, one under which no remap has less mean risk than limit */
  double value;  /* of the program */
  double limit;
  size_t columns, rounds; /* of the program, when it was solved for the last time */
} sfmi_remap;

/* n, epsilon and losses are those of the mechanism, and so is the prior for Bayes. */
SFM_MUST_CHECK sfm_status sfmi_remap_bayes(sfmi_remap *remap, const sfmi_optimal *optimal,
                                           sfm_error *error);
/* equal: among those of least worst risk, one whose risks are equal (to 1e-7 of them);
 * *equal is whether there is one. */
SFM_MUST_CHECK sfm_status sfmi_remap_minimax(sfmi_remap *remap, const sfmi_optimal *optimal,
                                             bool *equal, sfm_error *error);

#endif
