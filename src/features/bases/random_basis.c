/* random_basis.c - frequencies from a seed (xoshiro256++ of base/math/prng.h), in this order:
 * - gaussian, matern: in blocks of b = min(d, SFMI_FREQUENCY_BLOCK) frequencies.  b x d normals,
 *   row by row, are made orthonormal from the first row on (modified Gram-Schmidt, every projection
 *   taken twice).  Then each row is multiplied by its length, the root of a sum of d squared
 *   normals, and for matern by the root of 2 nu over a sum of 2 nu squared normals.  Rows of the
 *   last block that are too many are left out.
 * - laplacian, cauchy: sfmi_kernel_frequency, one after the other.
 *
 * It is plain arithmetic in a fixed order, so that every machine has the same frequencies to a few
 * roundings. */
#include "random_basis.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/vector_sums.h"
#include "features/kernels/kernel.h"

enum { GROUP = SFMI_TURNS_GROUP };

const double *sfmi_random_basis_turns(const sfmi_basis *basis) {
  return basis->derived;
}

static size_t at(size_t dimension, size_t i, size_t a) {
  return (i / GROUP * dimension + a) * GROUP + i % GROUP;
}

double sfmi_random_basis_turn(const sfmi_basis *basis, size_t i, size_t axis) {
  return sfmi_random_basis_turns(basis)[at(basis->dimension, i, axis)];
}

size_t sfmi_random_basis_frequencies(const sfmi_basis *basis) {
  return basis->count / 2;
}

static bool orthogonal(sfm_kernel_family kernel) {
  return kernel != SFM_KERNEL_LAPLACIAN && kernel != SFM_KERNEL_CAUCHY;
}

static size_t block_of(sfm_kernel_family kernel, size_t dimension) {
  if (!orthogonal(kernel)) return 1;
  return dimension < SFMI_FREQUENCY_BLOCK ? dimension : SFMI_FREQUENCY_BLOCK;
}

size_t sfmi_random_basis_block(const sfmi_basis *basis) {
  return block_of(basis->kernel, basis->dimension);
}

double sfmi_random_basis_middle(const sfmi_basis *basis, size_t axis) {
  return basis->lower[axis] + (basis->upper[axis] - basis->lower[axis]) / 2;
}

static double sum_of_squares(size_t count, sfmi_prng *prng) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    const double z = sfmi_prng_normal(prng);
    sum += z * z;
  }
  return sum;
}

/* Makes row k orthogonal to the rows before it, and of length one. */
static void orthonormalise(double *rows, size_t k, size_t d) {
  double *row = rows + k * d;
  for (int pass = 0; pass < 2; pass++)
    for (size_t j = 0; j < k; j++) {
      const double along = sfmi_inner_product(row, rows + j * d, d);
      for (size_t a = 0; a < d; a++) row[a] -= along * rows[j * d + a];
    }
  const double length = sqrt(sfmi_inner_product(row, row, d));
  for (size_t a = 0; a < d; a++) row[a] /= length;
}

/* A block of frequencies, in radians per bandwidth. */
static void draw_block(double *rows, size_t block, const sfm_kernel *kernel, sfmi_prng *prng) {
  const size_t d = kernel->dimension;
  for (size_t i = 0; i < block * d; i++) rows[i] = sfmi_prng_normal(prng);
  for (size_t k = 0; k < block; k++) orthonormalise(rows, k, d);
  for (size_t k = 0; k < block; k++) {
    double length = sqrt(sum_of_squares(d, prng));
    if (kernel->family != SFM_KERNEL_GAUSSIAN) {
      const size_t freedom = 1 + 2 * (size_t)(kernel->family - SFM_KERNEL_MATERN12);
      length *= sqrt((double)freedom / sum_of_squares(freedom, prng));
    }
    for (size_t a = 0; a < d; a++) rows[k * d + a] *= length;
  }
}

double sfmi_random_basis_reach(const sfmi_basis *basis, size_t i) {
  double reach = 0;
  for (size_t a = 0; a < basis->dimension; a++)
    reach += fabs(sfmi_random_basis_turn(basis, i, a)) *
             ((basis->upper[a] - basis->lower[a]) / (2 * basis->bandwidth[a]));
  return reach;
}

double sfmi_frequency_shrink(double reach) {
  return isfinite(reach) ? fmin(SFMI_TURNS_MAX / reach, 1) : 0;
}

sfm_status sfmi_frequencies_draw(const sfmi_spectral_law *law, sfmi_frequency_callback *take,
                                 void *context, sfm_error *error) {
  const size_t d = law->dimension, block = block_of(law->kernel, d);
  double *ones = sfmi_alloc(d, sizeof *ones), *rows = sfmi_alloc(block * d, sizeof *rows);
  sfm_status status = ones && rows ? SFM_OK : sfmi_fail_memory(error);
  for (size_t a = 0; !status && a < d; a++) ones[a] = 1;
  const sfm_kernel kernel = {.family = law->kernel, .dimension = d, .bandwidth = ones};
  sfmi_prng prng;
  sfmi_prng_init(&prng, law->seed);
  for (size_t i = 0; !status && i < law->count; i += block) {
    if (orthogonal(law->kernel))
      draw_block(rows, block, &kernel, &prng);
    else
      sfmi_kernel_frequency(&kernel, rows, &prng);
    for (size_t k = 0; k < block && i + k < law->count; k++) take(context, i + k, rows + k * d);
  }
  free(ones);
  free(rows);
  return status;
}

/* Writes frequency i among the turns of a basis. */
static void keep(void *context, size_t i, const double *radians) {
  sfmi_basis *basis = context;
  const size_t d = basis->dimension;
  double *turns = basis->derived;
  for (size_t a = 0; a < d; a++) turns[at(d, i, a)] = radians[a] / (2 * M_PI);
  const double shrink = sfmi_frequency_shrink(sfmi_random_basis_reach(basis, i));
  for (size_t a = 0; a < d && shrink < 1; a++)
    turns[at(d, i, a)] = shrink > 0 ? turns[at(d, i, a)] * shrink : 0;
}

/* By the definition.  Sums over many rows or points go through estimators/sums/frequency_sums.h. */
static void random_at(const sfmi_basis *basis, double *values, const double *points, size_t count) {
  const size_t d = basis->dimension, frequencies = sfmi_random_basis_frequencies(basis);
  const double size = 1 / sqrt((double)frequencies);
  double u[SFM_MAX_DIMENSION];
  for (size_t p = 0; p < count; p++) {
    for (size_t a = 0; a < d; a++)
      u[a] = (points[p * d + a] - sfmi_random_basis_middle(basis, a)) / basis->bandwidth[a];
    for (size_t i = 0; i < frequencies; i++) {
      double t = 0;
      for (size_t a = 0; a < d; a++) t += sfmi_random_basis_turn(basis, i, a) * u[a];
      const double angle = 2 * M_PI * (t - rint(t));
      values[p * basis->count + 2 * i] = size * cos(angle);
      values[p * basis->count + 2 * i + 1] = size * sin(angle);
    }
  }
}

sfm_status sfmi_random_basis_complete(sfmi_basis *basis, sfm_error *error) {
  if (basis->count % 2 != 0)
    return sfmi_fail(error, SFM_INVALID,
                     "random features are pairs, a cosine and a sine: an even number, not %zu",
                     basis->count);
  if (basis->seed >= SFMI_FREQUENCY_SEEDS)
    return sfmi_fail(error, SFM_INVALID, "the seed of random features is below 2^53");
  const size_t groups = (sfmi_random_basis_frequencies(basis) + GROUP - 1) / GROUP;
  double *turns = sfmi_alloc(groups * basis->dimension * GROUP, sizeof *turns);
  if (!turns) return sfmi_fail_memory(error);
  basis->derived = turns;
  basis->at = random_at;
  const sfmi_spectral_law law = {basis->kernel, basis->dimension,
                                 sfmi_random_basis_frequencies(basis), basis->seed};
  return sfmi_frequencies_draw(&law, keep, basis, error);
}
