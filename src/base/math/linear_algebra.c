#include "linear_algebra.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

#include "lapack.h"

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

/* Whether some entry of rows x columns is not finite; of the lower triangle alone if that is
 * asked for. */
static bool has_infinite(const double *matrix, size_t rows, size_t columns, bool lower) {
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < (lower ? i + 1 : columns); j++)
      if (!isfinite(matrix[i * columns + j])) return true;
  return false;
}

/* Read by columns a symmetric matrix is the same, and LAPACK's columns are our rows.  Returns
 * LAPACK's status, or -1 when an entry is not finite, with which LAPACK might not end, or when its
 * workspace, 2n^2 numbers, could not be counted in an int. */
static const size_t EIGEN_MAX = 32767;

static int eigen(double *matrix, double *values, int n, double *work, int lwork, int *iwork,
                 int liwork) {
  int info;
  dsyevd_("V", "U", &n, matrix, &n, values, work, &lwork, iwork, &liwork, &info, 1, 1);
  return info;
}

sfm_status sfmi_symmetric_eigen(double *matrix, double *values, size_t size, sfm_error *error) {
  double wanted = 0;
  if (size == 0) return SFM_OK;
  int iwanted = 0, info = size >= EIGEN_MAX || has_infinite(matrix, size, size, false) ? -1 : 0;
  if (!info) info = eigen(matrix, values, (int)size, &wanted, -1, &iwanted, -1);
  if (!info) {
    double *work = sfmi_alloc((size_t)wanted, sizeof *work);
    int *iwork = sfmi_alloc((size_t)iwanted, sizeof *iwork);
    const bool room = work && iwork;
    if (room) info = eigen(matrix, values, (int)size, work, (int)wanted, iwork, iwanted);
    sfmi_wipe_free(work, (size_t)wanted, sizeof *work);
    free(iwork);
    if (!room) return sfmi_fail_memory(error);
  }
  return info ? sfmi_fail(error, SFM_INTERNAL,
                          "the eigenvectors of a %zu x %zu matrix could not be computed (LAPACK "
                          "status %d)",
                          size, size, info)
              : SFM_OK;
}

/* Read by columns, the lower triangle is the upper one of the transpose, and S = U'U with U = L'.
 * -1 when an entry is not finite. */
static int factor(double *matrix, size_t size) {
  const int n = (int)size;
  if (size == 0) return 0;
  int info = has_infinite(matrix, size, size, true) ? -1 : 0;
  if (!info) dpotrf_("U", &n, matrix, &n, &info, 1);
  return info;
}

sfm_status sfmi_cholesky(double *matrix, size_t size, const char *name, sfm_error *error) {
  int info = factor(matrix, size);
  if (info < 0) return sfmi_fail(error, SFM_INVALID, "%s has an entry that is not finite", name);
  if (info)
    return sfmi_fail(error, SFM_INVALID,
                     "%s is not positive definite: its leading %d x %d block fails", name, info,
                     info);
  for (size_t i = 0; i < size; i++)
    for (size_t j = i + 1; j < size; j++) matrix[i * size + j] = 0;
  return SFM_OK;
}

size_t sfmi_cholesky_lower(double *matrix, size_t size) {
  const int info = factor(matrix, size);
  return info < 0 ? 1 : (size_t)info;
}

bool sfmi_positive_solve(double *matrix, double *columns, size_t size, size_t count) {
  const int n = (int)size, k = (int)count;
  if (has_infinite(columns, size, count, false) || factor(matrix, size)) return false;
  if (size == 0) return true;
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, k, 1, matrix, n,
              columns, k);
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, k, 1, matrix, n,
              columns, k);
  return true;
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
