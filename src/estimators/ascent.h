/* ascent.h - the solvers behind sfmi_solve, one for each kind of rows.  All set weights,
 * certificate and passes of a solution that is empty, and own nothing when they fail (only memory
 * can). */
#ifndef SFMI_ASCENT_H
#define SFMI_ASCENT_H

#include "estimators/solver.h"

/* Forms sparse and powers: dual coordinate ascent. */
SFM_MUST_CHECK sfm_status sfmi_ascend_rows(sfmi_solution *solution, const sfmi_problem *problem,
                                           sfm_error *error);
/* Form dense: blocks.c. */
SFM_MUST_CHECK sfm_status sfmi_ascend_dense(sfmi_solution *solution, const sfmi_problem *problem,
                                            sfm_error *error);
/* Form kernel. */
SFM_MUST_CHECK sfm_status sfmi_ascend_kernel(sfmi_solution *solution, const sfmi_problem *problem,
                                             sfm_error *error);

#endif
