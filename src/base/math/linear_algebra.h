/* linear_algebra.h - a thin wrapper of BLAS and LAPACK, row-major. */
#ifndef SFMI_LINEAR_ALGEBRA_H
#define SFMI_LINEAR_ALGEBRA_H

#include <complex.h>
#include <stdbool.h>

#include "base/system/status.h"

/* out (columns x points) = transpose(array) (columns x terms) times transpose(factors), where array
 * is terms x columns and factors is points x terms: contracts the first axis of a tensor and
 * appends the new axis last. */
void sfmi_tensor_contract(double complex *out, const double complex *array,
                          const double complex *factors, size_t terms, size_t columns,
                          size_t points);

/* out (rows x columns) = a (rows x terms) times b (terms x columns). */
void sfmi_matrix_multiply(double *out, const double *a, const double *b, size_t rows, size_t terms,
                          size_t columns);

/* The eigenvalues of a symmetric matrix, in ascending order, and in place of the matrix its
 * eigenvectors, of length one, as rows.  Fails with SFM_INTERNAL. */
SFM_MUST_CHECK sfm_status sfmi_symmetric_eigen(double *matrix, double *values, size_t size,
                                               sfm_error *error);

/* The lower Cholesky factor of a symmetric positive definite matrix, in place (the upper triangle
 * is zeroed).  Fails with SFM_INVALID when it is not positive definite; name is for the message. */
SFM_MUST_CHECK sfm_status sfmi_cholesky(double *matrix, size_t size, const char *name,
                                        sfm_error *error);

/* The same on the lower triangle alone: what is above the diagonal is neither read nor written.
 * Returns 0, or the order of the first leading block that is not positive definite.  Entries are
 * finite. */
size_t sfmi_cholesky_lower(double *matrix, size_t size);

/* columns (size x count) := S^-1 columns for a symmetric positive definite S, which is overwritten.
 * Returns false when it is not. */
bool sfmi_positive_solve(double *matrix, double *columns, size_t size, size_t count);

/* vector := L vector for a lower triangular L. */
void sfmi_lower_multiply(const double *lower, size_t size, double *vector);

/* A matrix inside a larger one: its rows begin `stride` numbers apart. */
typedef struct sfmi_block {
  double *data;
  size_t stride;
} sfmi_block;

/* out (rows x columns) -= a (rows x terms) times the transpose of b (columns x terms). */
void sfmi_block_subtract(sfmi_block out, sfmi_block a, sfmi_block b, size_t rows, size_t columns,
                         size_t terms);
/* x := L^-1 x for each of the rows x of a block, L lower triangular. */
void sfmi_block_solve(sfmi_block rows, sfmi_block lower, size_t count, size_t size);

#endif
