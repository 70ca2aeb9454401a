/* dense_ascent.h - the machine of rows of the form dense (examples.h), by dual ascent on blocks of
 * rows; and the values of such rows. */
#ifndef SFMI_DENSE_ASCENT_H
#define SFMI_DENSE_ASCENT_H

#include "estimators/machine/machine_problem.h"

/* As sfmi_sparse_ascent_solve. */
SFM_MUST_CHECK sfm_status sfmi_dense_ascent_solve(sfmi_solution *solution,
                                                  const sfmi_problem *problem, sfm_error *error);

/* values[i] = <w, phi_i> for every row of the form dense (0 where nothing is kept), within
 * (sfmi_sum_depth(features) + 16) 2^-53 |w||phi_i| (certificate.h). */
void sfmi_dense_ascent_values(double *values, const sfmi_examples *examples, const double *weights,
                              size_t threads);

#endif
