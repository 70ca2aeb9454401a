/* kernel_ascent.h - the machine of rows of the form kernel (examples.h), by dual ascent on working
 * sets; and the values of such a machine, a combination of kernels f = sum_i c_i K(., row_i). */
#ifndef SFMI_KERNEL_ASCENT_H
#define SFMI_KERNEL_ASCENT_H

#include "estimators/machine/machine_problem.h"
#include "kernel_matrix.h"

/* As sfmi_sparse_ascent_solve; the weights are the coefficients c. */
SFM_MUST_CHECK sfm_status sfmi_kernel_ascent_solve(sfmi_solution *solution,
                                                   const sfmi_problem *problem, sfm_error *error);

/* values[p] = sum_i c_i K(point p, row i), for rows of the form kernel and `count` public points.
 * Each is within sfmi_kernel_ascent_error(...) of the exact value for these coefficients and
 * coordinates.  Fails only when memory is short. */
SFM_MUST_CHECK sfm_status sfmi_kernel_ascent_values(double *values, const sfmi_examples *examples,
                                                    const double *coefficients, sfmi_csr points,
                                                    size_t count, size_t threads, sfm_error *error);

/* The error of those values, from public numbers: sum |c_i| <= total, and the number of rows. */
double sfmi_kernel_ascent_error(const sfmi_feature_map *map, uint64_t rows, double total);

/* sfmi_solver_floor for the form kernel. */
double sfmi_kernel_ascent_floor(const sfmi_loss *loss, double lambda, const sfmi_feature_map *map,
                                uint64_t rows);

#endif
