/* kernel_matrix.c - the error of a computed K.
 *
 * With U = 2^-53 and D coordinates: a difference of coordinates is off by U of itself, so a sum of
 * squares or of absolute values of them by (D + 2) U of itself, times a power of 1/bandwidth that
 * is off by 3 U of itself.  Of s = that sum, K is exp(-s/2), exp(-s) or exp(-sqrt s) with
 * polynomials; |s dK/ds| <= 1/e for gaussian and laplacian, 1/2e, 0.41 and 0.47 for matern12, 32,
 * 52; the computed exponential is off by 4 U, the polynomials by 8 U: altogether (D + 6)/2 + 16 of
 * U are enough.
 * - cauchy: a factor is off by 7 U of itself, the product by 8 D U of itself, and K <= 1.
 * - polynomial: <u, v> by (D + 1) U |u||v|, the power by p (D + 3) U + 2 p U of (|u||v| + shift)^p
 *   <= kappa^2.
 * - linear: the same with p = 1.
 * Adding constant^2: U kappa^2. */
#include "kernel_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "estimators/machine/certificate.h"

/* Rows of a tile; points that they are compared with at a time; most dimensions in which rows are
 * laid out in full. */
enum { TILE = 16, GROUP = 8, FULL_MAX = 1024 };

#define SQRT3 1.7320508075688772
#define SQRT5 2.2360679774997896
#define LOG2_E 1.4426950408889634
#define LN2_HIGH 6.93147180369123816490e-01
#define LN2_LOW 1.90821492927058770002e-10
/* Adding it rounds a small number to a whole one, which is then its low bits. */
#define MAGIC 0x1.8p52
#define FARTHEST -700.0
enum { FACTORIALS = 14 };
static const double INVERSE_FACTORIALS[FACTORIALS] = {1.0,
                                                      1.0,
                                                      1.0 / 2,
                                                      1.0 / 6,
                                                      1.0 / 24,
                                                      1.0 / 120,
                                                      1.0 / 720,
                                                      1.0 / 5040,
                                                      1.0 / 40320,
                                                      1.0 / 362880,
                                                      1.0 / 3628800,
                                                      1.0 / 39916800,
                                                      1.0 / 479001600,
                                                      1.0 / 6227020800};

/* What the loops need to know of a kernel. */
typedef struct similarity {
  sfm_kernel_family family;
  size_t dimension;
  double inverse; /* 1/bandwidth */
  unsigned degree;
  double shift, square; /* constant^2 */
  double unit;          /* of lines: 1/kappa^2 */
} similarity;

#define SIMD_LOOPS "estimators/ascent/kernel_matrix_simd.h"
#include "base/system/simd_kinds.h"

typedef struct loops {
  void (*floats)(float *const *out, const double *tiles, size_t count, double (*z)[FULL_MAX],
                 size_t points, const similarity *of);
  void (*sums)(double *sums, const double *tiles, const double *c, size_t count,
               double (*z)[FULL_MAX], size_t points, const similarity *of);
} loops;

struct sfmi_kernel_matrix {
  const sfmi_feature_map *map;
  sfmi_csr rows;
  size_t *numbers;
  size_t count;
  similarity of;
  double *tiles;                      /* NULL: pair after pair */
  double (*scratch)[GROUP][FULL_MAX]; /* with tiles: one for every thread */
  loops loops;
};

static const loops KINDS[] = {
    {plain_floats, plain_sums},
#if defined(__x86_64__)
    {avx2_floats, avx2_sums},
    {avx512_floats, avx512_sums},
#endif
};

size_t sfmi_kernel_matrix_stride(size_t count) {
  return (count + TILE - 1) / TILE * TILE;
}

/* Coordinates of a row, `step` apart. */
static void spread(double *out, size_t step, sfmi_csr rows, size_t number, size_t dimension) {
  for (size_t a = 0; a < dimension; a++) out[a * step] = 0;
  for (size_t k = rows.starts[number]; k < rows.starts[number + 1]; k++)
    out[rows.indices[k] * step] = rows.values[k];
}

static size_t tiled(const sfmi_kernel_matrix *matrix) {
  return sfmi_kernel_matrix_stride(matrix->count) * matrix->of.dimension;
}

sfmi_kernel_matrix *sfmi_kernel_matrix_create(const sfmi_feature_map *map, sfmi_csr rows,
                                              const size_t *numbers, size_t count) {
  sfmi_kernel_matrix *matrix = sfmi_alloc(1, sizeof *matrix);
  if (!matrix) return NULL;
  matrix->map = map;
  matrix->rows = rows;
  matrix->count = count;
  matrix->of = (similarity){.family = map->kernel,
                            .dimension = map->dimension,
                            .inverse = 1 / map->bandwidth,
                            .degree = map->degree,
                            .shift = map->shift,
                            .square = map->constant * map->constant,
                            .unit = 1 / (map->kappa * map->kappa)};
  matrix->loops = KINDS[sfmi_processor_best()];
  matrix->numbers = sfmi_alloc(count, sizeof *matrix->numbers);
  const bool full = map->dimension <= FULL_MAX;
  if (full) matrix->tiles = sfmi_alloc(tiled(matrix), sizeof *matrix->tiles);
  if (full) matrix->scratch = sfmi_alloc(SFMI_THREAD_POOL_MAX, sizeof *matrix->scratch);
  if (!matrix->numbers || (full && !(matrix->tiles && matrix->scratch))) {
    sfmi_kernel_matrix_destroy(matrix);
    return NULL;
  }
  memcpy(matrix->numbers, numbers, count * sizeof *numbers);
  for (size_t i = 0; full && i < count; i++)
    spread(matrix->tiles + i / TILE * TILE * map->dimension + i % TILE, TILE, rows, numbers[i],
           map->dimension);
  return matrix;
}

void sfmi_kernel_matrix_destroy(sfmi_kernel_matrix *matrix) {
  if (!matrix) return;
  sfmi_wipe_free(matrix->tiles, tiled(matrix), sizeof *matrix->tiles);
  sfmi_wipe_free(matrix->numbers, matrix->count, sizeof *matrix->numbers);
  free(matrix->scratch);
  free(matrix);
}

/* K of a row of one CSR and of another. */
static double pair(const sfmi_feature_map *map, sfmi_csr a, size_t i, sfmi_csr b, size_t j) {
  const size_t from = a.starts[i], at = b.starts[j];
  return sfmi_feature_map_kernel(map, a.indices + from, a.values + from, a.starts[i + 1] - from,
                                 b.indices + at, b.values + at, b.starts[j + 1] - at);
}

typedef struct lining {
  const sfmi_kernel_matrix *matrix;
  float *const *lines;
  const size_t *which;
  size_t count;
} lining;

/* A share is every size-th group of points. */
static void lines_share(void *context, size_t index, size_t size) {
  const lining *job = context;
  const sfmi_kernel_matrix *s = job->matrix;
  double(*z)[FULL_MAX] = s->tiles ? s->scratch[index] : NULL;
  for (size_t first = index * GROUP; first < job->count; first += size * GROUP) {
    const size_t left = job->count - first, points = left < GROUP ? left : GROUP;
    for (size_t p = 0; p < points; p++) {
      const size_t number = s->numbers[job->which[first + p]];
      if (s->tiles) spread(z[p], 1, s->rows, number, s->of.dimension);
      for (size_t j = 0; !s->tiles && j < s->count; j++)
        job->lines[first + p][j] =
            (float)(pair(s->map, s->rows, number, s->rows, s->numbers[j]) * s->of.unit);
    }
    if (s->tiles)
      s->loops.floats(job->lines + first, s->tiles, sfmi_kernel_matrix_stride(s->count) / TILE, z,
                      points, &s->of);
  }
  if (z) explicit_bzero(z, sizeof *s->scratch);
}

void sfmi_kernel_matrix_rows(const sfmi_kernel_matrix *matrix, sfmi_thread_pool *pool,
                             float *const *lines, const size_t *which, size_t count) {
  lining job = {matrix, lines, which, count};
  sfmi_thread_pool_run(pool, lines_share, &job);
}

typedef struct summing {
  const sfmi_kernel_matrix *matrix;
  double *values;
  const double *c;
  sfmi_csr points;
  const size_t *numbers;
  size_t count;
} summing;

static double sum_pairs(const summing *job, size_t number) {
  const sfmi_kernel_matrix *s = job->matrix;
  double sum = 0;
  for (size_t from = 0; from < s->count; from += SFMI_SUM_BLOCK) {
    double part = 0;
    for (size_t j = from; j < from + SFMI_SUM_BLOCK && j < s->count; j++)
      part += job->c[j] * pair(s->map, job->points, number, s->rows, s->numbers[j]);
    sum += part;
  }
  return sum;
}

static void sums_share(void *context, size_t index, size_t size) {
  const summing *job = context;
  const sfmi_kernel_matrix *s = job->matrix;
  double(*z)[FULL_MAX] = s->tiles ? s->scratch[index] : NULL;
  for (size_t first = index * GROUP; first < job->count; first += size * GROUP) {
    const size_t left = job->count - first, points = left < GROUP ? left : GROUP;
    for (size_t p = 0; p < points; p++) {
      const size_t number = job->numbers ? job->numbers[first + p] : first + p;
      if (s->tiles)
        spread(z[p], 1, job->points, number, s->of.dimension);
      else
        job->values[first + p] = sum_pairs(job, number);
    }
    if (s->tiles)
      s->loops.sums(job->values + first, s->tiles, job->c,
                    sfmi_kernel_matrix_stride(s->count) / TILE, z, points, &s->of);
  }
  if (z) explicit_bzero(z, sizeof *s->scratch);
}

void sfmi_kernel_matrix_multiply(const sfmi_kernel_matrix *matrix, sfmi_thread_pool *pool,
                                 double *values, const double *c, sfmi_csr points,
                                 const size_t *numbers, size_t count) {
  summing job = {matrix, values, c, points, numbers, count};
  sfmi_thread_pool_run(pool, sums_share, &job);
}

double sfmi_kernel_matrix_error(const sfmi_feature_map *map, size_t nonzeros, size_t rows) {
  const double d = (double)nonzeros, square = map->kappa * map->kappa;
  double off = (d + 6) / 2 + 16;
  if (map->kernel == SFM_KERNEL_CAUCHY) off = 8 * d + 4;
  if (map->kernel == SFM_KERNEL_LINEAR) off = (d + 6) * square;
  if (map->kernel == SFM_KERNEL_POLYNOMIAL) off = (d + 6) * map->degree * square;
  return (off + (sfmi_sum_depth(rows) + 24) * square) * SFMI_UNIT_ROUNDOFF;
}
