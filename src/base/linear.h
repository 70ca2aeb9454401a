/* linear.h - a thin face to BLAS and LAPACK, row-major. */
#ifndef SFMI_LINEAR_H
#define SFMI_LINEAR_H

#include <complex.h>

#include "base/fail.h"

/* out (columns x points) = transpose(array) (columns x terms) times transpose(factors), where array
 * is terms x columns and factors is points x terms: contracts the first axis of a tensor and
 * appends the new axis last. */
void sfmi_contract(double complex *out, const double complex *array, const double complex *factors,
                   size_t terms, size_t columns, size_t points);

/* The lower Cholesky factor of a symmetric positive definite matrix, in place (the upper triangle
 * is zeroed).  Fails with SFM_INVALID when it is not positive definite; name is for the message. */
SFM_MUST_CHECK sfm_status sfmi_cholesky(double *matrix, size_t size, const char *name,
                                        sfm_error *error);

/* vector := L vector for a lower triangular L. */
void sfmi_lower_multiply(const double *lower, size_t size, double *vector);

#endif
