/* optimal_table.h - the best private table M itself, row i the law of the answer when the count is
 * i: the program of all private mechanisms,
 *
 *   M stochastic,  M[i][j] <= e^epsilon M[i+1][j],  M[i+1][j] <= e^epsilon M[i][j],
 *
 * for losses of which no remap needs to be best.  What a solver finds satisfies this nearly; the
 * repair makes it exact. */
#ifndef SFMI_OPTIMAL_TABLE_H
#define SFMI_OPTIMAL_TABLE_H

#include "releases/kinds/optimal.h"

/* table: (n+1) x (n+1); value: the optimum of the mechanism's objective.  *feasible is false when
 * no mechanism has equal risks, which can only be when those were asked for. */
SFM_MUST_CHECK sfm_status sfmi_optimal_table_solve(double *table, double *value, bool *feasible,
                                                   const sfmi_optimal *optimal, sfm_error *error);

/* Numerators that satisfy the mechanism's invariants exactly, near the table:
 *  1. entries are raised until no ratio is too large (which changes next to nothing), so that rows
 *     sum to one and a little more, each its own;
 *  2. what a row lacks of the largest sum is added as a geometric mechanism of half the epsilon,
 *     with enough of it for all rows to keep ratios within bounds;
 *  3. a uniform mechanism of some 2^-60 is added, as room for rounding;
 *  4. divided by the sum, rounded to integers, checked in integers; if a ratio is too large, all of
 *     it again with more room. */
SFM_MUST_CHECK sfm_status sfmi_optimal_table_repair(sfmi_optimal *optimal, const double *table,
                                                    sfm_error *error);

#endif
