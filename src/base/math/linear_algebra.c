#include "linear_algebra.h"

#include <cblas.h>
#include <lapacke.h>

void sfmi_tensor_contract(double complex *out, const double complex *array,
                          const double complex *factors, size_t terms, size_t columns,
                          size_t points) {
  const double complex one = 1, zero = 0;
  cblas_zgemm(CblasRowMajor, CblasTrans, CblasTrans, (int)columns, (int)points, (int)terms, &one,
              array, (int)columns, factors, (int)terms, &zero, out, (int)points);
}

void sfmi_matrix_multiply(double *out, const double *a, const double *b, size_t rows, size_t terms,
                          size_t columns) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, (int)columns, (int)terms, 1, a,
              (int)terms, b, (int)columns, 0, out, (int)columns);
}

/* Read by columns a symmetric matrix is the same, and LAPACK's columns are our rows. */
sfm_status sfmi_symmetric_eigen(double *matrix, double *values, size_t size, sfm_error *error) {
  const int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', (int)size, matrix, (int)size, values);
  return info ? sfmi_fail(error, SFM_INTERNAL,
                          "the eigenvectors of a %zu x %zu matrix could not be computed (LAPACK "
                          "status %d)",
                          size, size, info)
              : SFM_OK;
}

/* Read by columns, the lower triangle is the upper one of the transpose, and S = U'U with U = L':
 * LAPACK works in place, without the copy it makes of matrices by rows. */
static int factor(double *matrix, size_t size) {
  return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', (int)size, matrix, (int)size);
}

sfm_status sfmi_cholesky(double *matrix, size_t size, const char *name, sfm_error *error) {
  int info = factor(matrix, size);
  if (info < 0) return sfmi_fail(error, SFM_INVALID, "%s has an entry that is not a number", name);
  if (info)
    return sfmi_fail(error, SFM_INVALID,
                     "%s is not positive definite: its leading %d x %d block fails", name, info,
                     info);
  for (size_t i = 0; i < size; i++)
    for (size_t j = i + 1; j < size; j++) matrix[i * size + j] = 0;
  return SFM_OK;
}

size_t sfmi_cholesky_lower(double *matrix, size_t size) {
  return (size_t)factor(matrix, size);
}

bool sfmi_positive_solve(double *matrix, double *columns, size_t size, size_t count) {
  return LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', (int)size, (int)count, matrix, (int)size, columns,
                       (int)count) == 0;
}

void sfmi_lower_multiply(const double *lower, size_t size, double *vector) {
  cblas_dtrmv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)size, lower, (int)size,
              vector, 1);
}

void sfmi_block_subtract(sfmi_block out, sfmi_block a, sfmi_block b, size_t rows, size_t columns,
                         size_t terms) {
  if (terms == 0) return;
  if (rows == 1)
    cblas_dgemv(CblasRowMajor, CblasNoTrans, (int)columns, (int)terms, -1, b.data, (int)b.stride,
                a.data, 1, 1, out.data, 1);
  else
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)columns, (int)terms, -1,
                a.data, (int)a.stride, b.data, (int)b.stride, 1, out.data, (int)out.stride);
}

void sfmi_block_solve(sfmi_block rows, sfmi_block lower, size_t count, size_t size) {
  if (count == 1)
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)size, lower.data,
                (int)lower.stride, rows.data, 1);
  else
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)count,
                (int)size, 1, lower.data, (int)lower.stride, rows.data, (int)rows.stride);
}
