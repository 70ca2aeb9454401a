/* machine_solver.h - the machine of some rows (machine_problem.h), to a certified gap.
 *
 * The solver runs until gap <= target, whatever the rows hold.  sfmi_solver_floor says which
 * targets it can always reach; a caller refuses lesser ones before rows are read.  The result
 * depends on the rows and the number of threads alone. */
#ifndef SFMI_MACHINE_SOLVER_H
#define SFMI_MACHINE_SOLVER_H

#include "estimators/machine/machine_problem.h"

/* By the solver for the form of the rows: sparse_ascent.h, dense_ascent.h, kernel_ascent.h.  Fails
 * only when memory is short, and owns nothing then. */
SFM_MUST_CHECK sfm_status sfmi_solve(sfmi_solution *solution, const sfmi_problem *problem,
                                     sfm_error *error);

/* From public numbers: the least target that every data set of n rows allows, rounding included,
 * with some slack.  width: the most nonzero features of a row. */
double sfmi_solver_floor(const sfmi_loss *loss, double lambda, double kappa, uint64_t rows,
                         size_t width);

/* values[i] = <w, phi_i> for every row of examples, which have the form that the weights are of
 * (not kernel). */
SFM_MUST_CHECK sfm_status sfmi_solver_values(double *values, const sfmi_examples *examples,
                                             const double *weights, size_t threads,
                                             sfm_error *error);

#endif
