#include "basis_expansion.h"

#include <math.h>
#include <stdlib.h>

#include "estimators/sums/frequency_sums.h"

/* Numbers of basis values at a time, and points at a time where there are none. */
static const size_t BLOCK = (size_t)1 << 16, POINTS = (size_t)1 << 14;

struct sfmi_expansion {
  const sfm_release *release;
  double *weights;                /* basis->count */
  sfmi_frequency_sums *harmonics; /* of random features; else NULL */
  size_t together;                /* groups of frequencies whose part of a value is independent */
};

/* Waves are not scaled by P^-1/2, but their weights; blocks of dependent frequencies are whole. */
static sfm_status use_harmonics(sfmi_expansion *expansion, sfm_error *error) {
  const sfmi_basis *basis = expansion->release->function->basis;
  const double size = 1 / sqrt((double)sfmi_random_basis_frequencies(basis));
  for (size_t j = 0; j < basis->count; j++) expansion->weights[j] *= size;
  const size_t block = sfmi_random_basis_block(basis);
  expansion->together = block % 4 == 0 ? block / 4 : block % 2 == 0 ? block / 2 : block;
  return sfmi_frequency_sums_create(&expansion->harmonics, basis, 0, error);
}

sfm_status sfmi_expansion_create(sfmi_expansion **out, const sfm_release *release, double divisor,
                                 sfm_error *error) {
  *out = NULL;
  const size_t count = release->function->basis->count, group = 2 * SFMI_TURNS_GROUP;
  sfmi_expansion *expansion = sfmi_alloc(1, sizeof *expansion);
  if (!expansion) return sfmi_fail_memory(error);
  expansion->release = release;
  expansion->weights = sfmi_alloc((count + group - 1) / group * group, sizeof(double));
  sfm_status status = expansion->weights ? SFM_OK : sfmi_fail_memory(error);
  for (size_t j = 0; !status && j < count; j++)
    expansion->weights[j] = sfm_release_coefficient(release, j) / divisor;
  if (!status && release->function->basis->family == SFMI_RANDOM)
    status = use_harmonics(expansion, error);
  if (!status) {
    *out = expansion;
  } else {
    sfmi_expansion_destroy(expansion);
  }
  return status;
}

void sfmi_expansion_destroy(sfmi_expansion *expansion) {
  if (!expansion) return;
  sfmi_frequency_sums_destroy(expansion->harmonics);
  free(expansion->weights);
  free(expansion);
}

void sfmi_expansion_multiply(sfmi_expansion *expansion, const double *factors) {
  for (size_t j = 0; j < expansion->release->function->basis->count; j++)
    expansion->weights[j] *= factors[j];
}

/* At a few points within the domain; squares: of what independent frequencies add to a value. */
static void block_at(const sfmi_expansion *expansion, double *values, double *squares, double *work,
                     const double *points, size_t count) {
  const sfmi_basis *basis = expansion->release->function->basis;
  if (expansion->harmonics) {
    sfmi_frequency_sums_at(expansion->harmonics, values, squares, expansion->weights, points, count,
                           expansion->together);
    return;
  }
  sfmi_basis_at(basis, work, points, count);
  for (size_t i = 0; i < count; i++) {
    const double *row = work + i * basis->count;
    double sum = 0;
    for (size_t j = 0; j < basis->count; j++) sum += expansion->weights[j] * row[j];
    values[i] = basis->constant + sum;
  }
}

static sfm_status evaluate(const sfmi_expansion *expansion, double *values, double *squares,
                           const double *points, size_t count, sfm_error *error) {
  const sfm_release *release = expansion->release;
  const size_t d = release->dimension,
               width = expansion->harmonics ? 0 : release->function->basis->count;
  const size_t rows = expansion->harmonics ? POINTS : width < BLOCK ? BLOCK / width : 1;
  double *work = sfmi_alloc(rows * width, sizeof *work);
  if (!work) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count;) {
    if (!sfmi_release_contains(release, points + i * d)) {
      values[i++] = NAN;
      continue;
    }
    size_t run = 1;
    while (run < rows && i + run < count && sfmi_release_contains(release, points + (i + run) * d))
      run++;
    block_at(expansion, values + i, squares ? squares + i : NULL, work, points + i * d, run);
    i += run;
  }
  free(work);
  return SFM_OK;
}

sfm_status sfmi_expansion_at(const sfmi_expansion *expansion, double *values, const double *points,
                             size_t count, sfm_error *error) {
  return evaluate(expansion, values, NULL, points, count, error);
}

sfm_status sfmi_expansion_squares(const sfmi_expansion *expansion, double *values, double *squares,
                                  const double *points, size_t count, sfm_error *error) {
  return evaluate(expansion, values, squares, points, count, error);
}

size_t sfmi_expansion_batch(const sfmi_expansion *expansion) {
  return expansion->together * SFMI_TURNS_GROUP;
}
