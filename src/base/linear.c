#include "base/linear.h"

#include <cblas.h>
#include <lapacke.h>

void sfmi_contract(double complex *out, const double complex *array, const double complex *factors,
                   size_t terms, size_t columns, size_t points) {
  const double complex one = 1, zero = 0;
  cblas_zgemm(CblasRowMajor, CblasTrans, CblasTrans, (int)columns, (int)points, (int)terms, &one,
              array, (int)columns, factors, (int)terms, &zero, out, (int)points);
}

sfm_status sfmi_cholesky(double *matrix, size_t size, const char *name, sfm_error *error) {
  int info = LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', (int)size, matrix, (int)size);
  if (info)
    return sfmi_fail(error, SFM_INVALID,
                     "%s is not positive definite: its leading %d x %d block fails", name, info,
                     info);
  for (size_t i = 0; i < size; i++)
    for (size_t j = i + 1; j < size; j++) matrix[i * size + j] = 0;
  return SFM_OK;
}

void sfmi_lower_multiply(const double *lower, size_t size, double *vector) {
  cblas_dtrmv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)size, lower, (int)size,
              vector, 1);
}
