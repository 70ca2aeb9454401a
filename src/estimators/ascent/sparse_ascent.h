/* sparse_ascent.h - the machine of rows of the forms sparse and monomials (examples.h), by dual
 * coordinate ascent. */
#ifndef SFMI_SPARSE_ASCENT_H
#define SFMI_SPARSE_ASCENT_H

#include "estimators/machine/machine_problem.h"

/* Sets weights, certificate and passes of a solution that is empty; owns nothing when it fails, and
 * fails only when memory is short. */
SFM_MUST_CHECK sfm_status sfmi_sparse_ascent_solve(sfmi_solution *solution,
                                                   const sfmi_problem *problem, sfm_error *error);

#endif
