/* lp.h - linear programs, solved by CLP's simplex methods; a program can be changed a little and
 * solved again from its last solution.
 *
 *   minimise (or maximise)  objective . x
 *   subject to              row_lower <= A x <= row_upper,   lower <= x <= upper.
 *
 * Bounds may be infinite; a bound of absolute value 1e20 or more is infinite.  A program belongs
 * to one thread at a time.  Nothing is printed.  When memory runs out inside CLP the process ends.
 */
#ifndef SFMI_LP_H
#define SFMI_LP_H

#include <stdbool.h>

#include "base/system/status.h"

typedef struct sfmi_lp sfmi_lp;

/* A program as its maker states it; everything is copied. */
typedef struct sfmi_lp_problem {
  bool maximise;
  bool balanced; /* the entries of A are of one size already: do not rescale rows and columns */
  size_t rows, columns;
  const double *objective;
  const double *lower, *upper; /* of the columns; NULL: 0 and infinity */
  const double *row_lower, *row_upper;
  const double *values; /* of A, column after column */
  /* Where the values stand: those of column j are number starts[j] to starts[j + 1] - 1, and value
   * number e is in row indices[e] (each at most once per column).  NULL for both: all rows x
   * columns of them are given. */
  const int *starts, *indices;
} sfmi_lp_problem;

typedef enum sfmi_lp_outcome {
  SFMI_LP_OPTIMAL,
  SFMI_LP_INFEASIBLE, /* no x satisfies the constraints */
  SFMI_LP_UNBOUNDED   /* some do, and there is no best one */
} sfmi_lp_outcome;

/* Constraints and duals are satisfied to this, in the program's own units. */
#define SFMI_LP_TOLERANCE 1e-9

SFM_MUST_CHECK sfm_status sfmi_lp_create(sfmi_lp **out, const sfmi_lp_problem *problem,
                                         sfm_error *error);
void sfmi_lp_destroy(sfmi_lp *lp);

/* Changes.  Arrays are as long as the program has rows, or columns. */
void sfmi_lp_set_rows(sfmi_lp *lp, const double *row_lower, const double *row_upper);
void sfmi_lp_set_columns(sfmi_lp *lp, const double *lower, const double *upper);
void sfmi_lp_set_objective(sfmi_lp *lp, const double *objective);
/* One entry of A, which must have been stated (zero or not) when the program was made. */
void sfmi_lp_set_entry(sfmi_lp *lp, size_t row, size_t column, double value);
/* More columns, after those there are, from 0 to infinity; starts and indices as in a problem.  The
 * next solve goes on from the last basis, in which they are 0. */
SFM_MUST_CHECK sfm_status sfmi_lp_add_columns(sfmi_lp *lp, size_t count, const double *objective,
                                              const double *values, const int *starts,
                                              const int *indices, sfm_error *error);

/* Solves, from the last basis if there is one.  An outcome other than optimal, and any trouble on
 * the way, is checked by solving once more from the start.  Fails with SFM_INTERNAL when CLP gives
 * up.
 */
SFM_MUST_CHECK sfm_status sfmi_lp_solve(sfmi_lp *lp, sfmi_lp_outcome *outcome, sfm_error *error);

/* After an optimal solve, until the next change: */
double sfmi_lp_value(const sfmi_lp *lp);
/* x, one number per column. */
const double *sfmi_lp_solution(const sfmi_lp *lp);
/* How fast the optimum grows with each row's active bound (0 where none is active): one number per
 * row, in out. */
void sfmi_lp_duals(const sfmi_lp *lp, double *out);

#endif
