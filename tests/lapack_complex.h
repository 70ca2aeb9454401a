/* lapack_complex.h - LAPACK's routines for complex Hermitian matrices, which only tests use. */
#ifndef SFM_TEST_LAPACK_COMPLEX_H
#define SFM_TEST_LAPACK_COMPLEX_H

#include <complex.h>
#include <stddef.h>

#include "test_support.h"

void zhegv_(const int *type, const char *job, const char *triangle, const int *n, double complex *a,
            const int *lda, double complex *b, const int *ldb, double *values, double complex *work,
            const int *lwork, double *rwork, int *info, size_t job_length, size_t triangle_length);
void zpotrf_(const char *triangle, const int *n, double complex *a, const int *lda, int *info,
             size_t triangle_length);

/* The eigenvalues of A x = lambda B x, in ascending order, for matrices by rows, which are
 * overwritten. Read by columns they are the conjugates, whose eigenvalues are the same. */
static inline void generalised_eigenvalues(double *values, double complex *A, double complex *B,
                                           int n) {
  const int type = 1, lwork = 2 * n;
  int info;
  double complex *work = calloc((size_t)lwork, sizeof *work);
  double *rwork = calloc(3 * (size_t)n, sizeof *rwork);
  assert_true(work && rwork);
  zhegv_(&type, "N", "L", &n, A, &n, B, &n, values, work, &lwork, rwork, &info, 1, 1);
  assert_int_equal(info, 0);
  free(rwork);
  free(work);
}

/* The Cholesky factor of what is on and above the diagonal of a matrix by rows, in place: its
 * diagonal is that of the conjugate's. */
static inline void cholesky_of_upper(double complex *T, int n) {
  int info;
  zpotrf_("L", &n, T, &n, &info, 1);
  assert_int_equal(info, 0);
}

#endif
