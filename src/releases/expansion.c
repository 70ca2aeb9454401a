#include "releases/expansion.h"

#include <math.h>
#include <stdlib.h>

/* Numbers of basis values at a time. */
static const size_t BLOCK = (size_t)1 << 16;

struct sfmi_expansion {
  const sfm_release *release;
  double *weights; /* basis->count */
};

sfm_status sfmi_expansion_create(sfmi_expansion **out, const sfm_release *release, double divisor,
                                 sfm_error *error) {
  *out = NULL;
  const size_t count = release->basis->count;
  sfmi_expansion *expansion = sfmi_alloc(1, sizeof *expansion);
  double *weights = sfmi_alloc(count, sizeof *weights);
  if (!expansion || !weights) {
    free(expansion);
    free(weights);
    return sfmi_fail_memory(error);
  }
  for (size_t j = 0; j < count; j++) weights[j] = sfm_release_coefficient(release, j) / divisor;
  *expansion = (sfmi_expansion){release, weights};
  *out = expansion;
  return SFM_OK;
}

void sfmi_expansion_destroy(sfmi_expansion *expansion) {
  if (!expansion) return;
  free(expansion->weights);
  free(expansion);
}

static bool inside(const sfm_release *release, const double *x) {
  for (size_t a = 0; a < release->dimension; a++)
    if (!(x[a] >= release->lower[a] && x[a] <= release->upper[a])) return false;
  return true;
}

/* At a few points within the domain. */
static void block_at(const sfmi_expansion *expansion, double *values, double *work,
                     const double *points, size_t count) {
  const sfmi_basis *basis = expansion->release->basis;
  sfmi_basis_at(basis, work, points, count);
  for (size_t i = 0; i < count; i++) {
    const double *row = work + i * basis->count;
    double sum = 0;
    for (size_t j = 0; j < basis->count; j++) sum += expansion->weights[j] * row[j];
    values[i] = basis->constant + sum;
  }
}

sfm_status sfmi_expansion_at(const sfmi_expansion *expansion, double *values, const double *points,
                             size_t count, sfm_error *error) {
  const sfm_release *release = expansion->release;
  const size_t d = release->dimension, width = release->basis->count;
  const size_t rows = width < BLOCK ? BLOCK / width : 1;
  double *work = sfmi_alloc(rows * width, sizeof *work);
  if (!work) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count;) {
    if (!inside(release, points + i * d)) {
      values[i++] = NAN;
      continue;
    }
    size_t run = 1;
    while (run < rows && i + run < count && inside(release, points + (i + run) * d)) run++;
    block_at(expansion, values + i, work, points + i * d, run);
    i += run;
  }
  free(work);
  return SFM_OK;
}
