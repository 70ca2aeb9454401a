/* sparse_ascent.h - the solvers behind sfmi_solve, one for each kind of rows.  All set weights,
 * certificate and passes of a solution that is empty, and own nothing when they fail (only memory
 * can). */
#ifndef SFMI_SPARSE_ASCENT_H
#define SFMI_SPARSE_ASCENT_H

#include "estimators/machine/machine_solver.h"

/* Forms sparse and powers: dual coordinate ascent. */
SFM_MUST_CHECK sfm_status sfmi_sparse_ascent_solve(sfmi_solution *solution,
                                                   const sfmi_problem *problem, sfm_error *error);
/* Form dense: dense_ascent.c. */
SFM_MUST_CHECK sfm_status sfmi_dense_ascent_solve(sfmi_solution *solution,
                                                  const sfmi_problem *problem, sfm_error *error);
/* Form kernel. */
SFM_MUST_CHECK sfm_status sfmi_kernel_ascent_solve(sfmi_solution *solution,
                                                   const sfmi_problem *problem, sfm_error *error);

#endif
