#include "basis.h"

#include <math.h>
#include <stdlib.h>

#include "features/kernels/kernel.h"

static const char *const NAMES[] = {"fourier", "cosine", "legendre", "hermite", "haar",
                                    "db4",     "eigen",  "span",     "random"};

const char *sfmi_basis_family_name(sfmi_basis_family family) {
  return NAMES[family];
}

bool sfmi_basis_family_has_constant(sfmi_basis_family family) {
  return family < SFMI_EIGEN && family != SFMI_HERMITE;
}

static sfm_status complete(sfmi_basis *basis, sfm_error *error) {
  switch (basis->family) {
  case SFMI_FOURIER:
  case SFMI_COSINE:
    return sfmi_trigonometric_complete(basis, error);
  case SFMI_LEGENDRE:
  case SFMI_HERMITE:
    return sfmi_polynomials_complete(basis, error);
  case SFMI_HAAR:
  case SFMI_DB4:
    return sfmi_wavelets_complete(basis, error);
  case SFMI_EIGEN:
    return sfmi_eigen_complete(basis, error);
  case SFMI_SPAN:
    return sfmi_span_complete(basis, error);
  case SFMI_RANDOM:
    return sfmi_random_basis_complete(basis, error);
  }
  return sfmi_fail(error, SFM_INTERNAL, "there is no basis number %d", (int)basis->family);
}

/* What every family needs. */
static sfm_status check(const sfmi_basis *basis, sfm_error *error) {
  const bool one = basis->family != SFMI_RANDOM, kernel = basis->family >= SFMI_EIGEN;
  const bool table = basis->family == SFMI_EIGEN || basis->family == SFMI_SPAN;
  if (basis->dimension < 1 || basis->dimension > SFM_MAX_DIMENSION || (one && basis->dimension > 1))
    return sfmi_fail(error, SFM_INVALID, "a basis %s is of one variable, not of %zu",
                     NAMES[basis->family], basis->dimension);
  if (basis->count < 1 || basis->count > SFMI_BASIS_MAX)
    return sfmi_fail(error, SFM_INVALID, "a basis has 1 to %zu functions, not %zu", SFMI_BASIS_MAX,
                     basis->count);
  for (size_t a = 0; a < basis->dimension; a++) {
    const double width = basis->upper[a] - basis->lower[a];
    if (!(width > 0) || !isfinite(width) || !isfinite(2 / width))
      return sfmi_fail(error, SFM_INVALID,
                       "a basis needs bounds in ascending order, not too near or far from each "
                       "other for numbers, not %g:%g",
                       basis->lower[a], basis->upper[a]);
    if (kernel && !(basis->bandwidth[a] > 0 && isfinite(basis->bandwidth[a])))
      return sfmi_fail(error, SFM_INVALID, "a basis of a kernel needs a positive bandwidth, not %g",
                       basis->bandwidth[a]);
  }
  if (kernel && !sfmi_kernel_stationary(basis->kernel))
    return sfmi_fail(error, SFM_INVALID, "a basis of a kernel needs one from gaussian to cauchy");
  if (!table) return SFM_OK;
  if (!basis->table || basis->nodes < basis->count ||
      basis->nodes > SFMI_BASIS_TABLE_MAX / basis->count)
    return sfmi_fail(error, SFM_INVALID,
                     "a table of %zu functions needs as many nodes, and at most %zu numbers",
                     basis->count, SFMI_BASIS_TABLE_MAX);
  for (size_t i = 0; i < basis->count * basis->nodes; i++)
    if (!isfinite(basis->table[i]))
      return sfmi_fail(error, SFM_INVALID, "a basis' table is of finite numbers");
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
  if (!status) status = complete(basis, error);
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

sfm_kernel sfmi_basis_kernel(const sfmi_basis *basis) {
  return (sfm_kernel){
      .family = basis->kernel, .dimension = basis->dimension, .bandwidth = basis->bandwidth};
}
