/* lapack.h - the routines of LAPACK that are used, by columns, as Fortran has them: arguments by
 * address, and after the others the length of each text. */
#ifndef SFMI_LAPACK_H
#define SFMI_LAPACK_H

#include <stddef.h>

/* The Cholesky factor of a symmetric matrix. */
void dpotrf_(const char *triangle, const int *n, double *a, const int *lda, int *info,
             size_t triangle_length);
/* Eigenvalues, and eigenvectors, of a symmetric matrix.  lwork = -1 asks what work is wanted. */
void dsyevd_(const char *job, const char *triangle, const int *n, double *a, const int *lda,
             double *values, double *work, const int *lwork, int *iwork, const int *liwork,
             int *info, size_t job_length, size_t triangle_length);

#endif
