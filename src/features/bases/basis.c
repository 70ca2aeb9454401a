#include "basis.h"

#include <math.h>
#include <stdlib.h>

#include "eigen_basis.h"
#include "features/kernels/kernel.h"
#include "polynomial_basis.h"
#include "random_basis.h"
#include "span_basis.h"
#include "trigonometric_basis.h"
#include "wavelet_basis.h"

/* The families, in the order of sfmi_basis_family. */
static const struct family {
  const char *name;
  bool has_constant;
  sfm_status (*complete)(sfmi_basis *basis, sfm_error *error);
} FAMILIES[] = {
    {"fourier", true, sfmi_trigonometric_basis_complete},
    {"cosine", true, sfmi_trigonometric_basis_complete},
    {"legendre", true, sfmi_polynomial_basis_complete},
    {"hermite", false, sfmi_polynomial_basis_complete},
    {"haar", true, sfmi_wavelet_basis_complete},
    {"db4", true, sfmi_wavelet_basis_complete},
    {"eigen", false, sfmi_eigen_basis_complete},
    {"span", false, sfmi_span_basis_complete},
    {"random", false, sfmi_random_basis_complete},
};

const char *sfmi_basis_family_name(sfmi_basis_family family) {
  return FAMILIES[family].name;
}

bool sfmi_basis_family_has_constant(sfmi_basis_family family) {
  return FAMILIES[family].has_constant;
}

/* What every family needs. */
static sfm_status check(const sfmi_basis *basis, sfm_error *error) {
  if ((unsigned)basis->family >= sizeof FAMILIES / sizeof *FAMILIES)
    return sfmi_fail(error, SFM_INTERNAL, "there is no basis number %d", (int)basis->family);
  const bool one = basis->family != SFMI_RANDOM, kernel = basis->family >= SFMI_EIGEN;
  const bool table = basis->family == SFMI_EIGEN || basis->family == SFMI_SPAN;
  if (basis->dimension < 1 || basis->dimension > SFM_MAX_DIMENSION || (one && basis->dimension > 1))
    return sfmi_fail(error, SFM_INVALID, "a basis %s is of one variable, not of %zu",
                     FAMILIES[basis->family].name, basis->dimension);
  if (basis->count < 1 || basis->count > SFMI_BASIS_MAX)
    return sfmi_fail(error, SFM_INVALID, "a basis has 1 to %zu functions, not %zu", SFMI_BASIS_MAX,
                     basis->count);
  for (size_t a = 0; a < basis->dimension; a++) {
    const double width = basis->upper[a] - basis->lower[a];
    if (!(width > 0) || !isfinite(width) || !isfinite(2 / width))
      return sfmi_fail(error, SFM_INVALID,
                       "a basis needs bounds in ascending order whose width is in range, not %g:%g",
                       basis->lower[a], basis->upper[a]);
    if (kernel && !(basis->bandwidth[a] > 0 && isfinite(basis->bandwidth[a])))
      return sfmi_fail(error, SFM_INVALID, "a basis of a kernel needs a positive bandwidth, not %g",
                       basis->bandwidth[a]);
  }
  if (kernel && !sfmi_kernel_stationary(basis->kernel))
    return sfmi_fail(
        error, SFM_INVALID,
        "a basis of a kernel needs a stationary one: gaussian, laplacian, matern or cauchy");
  if (!table) return SFM_OK;
  if (!basis->table || basis->nodes < basis->count ||
      basis->nodes > SFMI_BASIS_TABLE_MAX / basis->count)
    return sfmi_fail(error, SFM_INVALID,
                     "a table of %zu functions needs as many nodes, and at most %zu numbers",
                     basis->count, SFMI_BASIS_TABLE_MAX);
  for (size_t i = 0; i < basis->count * basis->nodes; i++)
    if (!isfinite(basis->table[i]))
      return sfmi_fail(error, SFM_INVALID, "the table of a basis needs finite numbers");
  return SFM_OK;
}

sfm_status sfmi_basis_create(sfmi_basis **out, const sfmi_basis *stated, sfm_error *error) {
  *out = NULL;
  sfmi_basis *basis = sfmi_alloc(1, sizeof *basis);
  if (!basis) {
    free(stated->points);
    free(stated->table);
    return sfmi_fail_memory(error);
  }
  *basis = *stated;
  basis->constant = 0;
  basis->derived = NULL;
  basis->at = NULL;
  sfm_status status = check(basis, error);
  if (!status) status = FAMILIES[basis->family].complete(basis, error);
  if (status) {
    sfmi_basis_destroy(basis);
    return status;
  }
  *out = basis;
  return SFM_OK;
}

void sfmi_basis_destroy(sfmi_basis *basis) {
  if (!basis) return;
  free(basis->points);
  free(basis->table);
  free(basis->derived);
  free(basis);
}

void sfmi_basis_at(const sfmi_basis *basis, double *values, const double *points, size_t count) {
  basis->at(basis, values, points, count);
}
