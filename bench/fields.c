/* fields.c - paths of the exponential kernel by each engine, beside what they are made of: one
 * transform, one factorisation.  Normals are given; times are from kernel and places to the path.
 * Usage: bench_fields        a table for people
 *        bench_fields dense  engine seconds, one per line, at 8,000 places (for the peer) */
#include <fftw3.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/bench_support.h"
#include "base/math/linear_algebra.h"
#include "base/math/sort.h"
#include "fields/sequential_field.h"
#include "fields/gaussian_field.h"

enum { DENSE = 8000, ONLINE = 2000, EVERY = 20 };
#define GRID ((size_t)1 << 24)
#define SORTED ((size_t)10000000)

static const double bandwidth = 0.1;
static const sfm_kernel kernel = {
    .family = SFM_KERNEL_LAPLACIAN, .dimension = 1, .bandwidth = &bandwidth};

static double *draw(size_t count) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 1);
  double *normals = bench_memory(malloc(count * sizeof *normals));
  for (size_t i = 0; i < count; i++) normals[i] = sfmi_prng_normal(&prng);
  return normals;
}

/* Sorted uniform places in [0, 1]. */
static double *places_sorted(size_t count) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 2);
  double *points = bench_memory(malloc(count * sizeof *points));
  for (size_t i = 0; i < count; i++) points[i] = sfmi_prng_uniform(&prng);
  sfmi_sort_doubles(points, count);
  return points;
}

typedef struct lap {
  double create, path;
} lap;

/* The best of three. */
static lap measure(sfm_engine engine, const sfmi_places *places) {
  lap best = {INFINITY, INFINITY};
  sfm_error error;
  double *path = bench_memory(calloc(places->count, sizeof *path));
  for (int i = 0; i < 3; i++) {
    sfmi_field *field;
    const double start = bench_clock();
    bench_check(sfmi_field_create(&field, engine, &kernel, places, SFMI_NUGGET, &error), &error);
    const double created = bench_clock();
    double *normals = draw(sfmi_field_normals(field));
    const double drawn = bench_clock();
    sfmi_field_path(field, path, normals);
    const double end = bench_clock();
    if (created - start + end - drawn < best.create + best.path)
      best = (lap){created - start, end - drawn};
    free(normals);
    sfmi_field_destroy(field);
  }
  free(path);
  return best;
}

static sfmi_places grid(size_t count) {
  return (sfmi_places){.dimension = 1, .count = count, .counts = {count}, .upper = {1}};
}

static void dense(void) {
  double *points = places_sorted(DENSE);
  const sfmi_places list = {.dimension = 1, .count = DENSE, .points = points}, even = grid(DENSE);
  const lap gram = measure(SFM_ENGINE_GRAM, &list), markov = measure(SFM_ENGINE_MARKOV, &list);
  const lap circulant = measure(SFM_ENGINE_CIRCULANT, &even);
  printf("gram %.6g\n", gram.create + gram.path);
  printf("circulant %.6g\n", circulant.create + circulant.path);
  printf("markov %.6g\n", markov.create + markov.path);
  free(points);
}

/* One real transform of n numbers by FFTW, in place; the best of three. */
static double transform(size_t n) {
  double *data = bench_memory(fftw_malloc(2 * (n / 2 + 1) * sizeof *data)), best = INFINITY;
  fftw_plan plan = fftw_plan_dft_r2c_1d((int)n, data, (fftw_complex *)data, FFTW_ESTIMATE);
  for (int r = 0; r < 3; r++) {
    for (size_t i = 0; i < n; i++) data[i] = (double)(i % 7) - 3;
    const double start = bench_clock();
    fftw_execute(plan);
    best = fmin(best, bench_clock() - start);
  }
  fftw_destroy_plan(plan);
  fftw_free(data);
  return best;
}

static void torus(void) {
  const sfmi_places places = grid(GRID);
  const lap circulant = measure(SFM_ENGINE_CIRCULANT, &places);
  const double one = transform(2 * GRID), all = circulant.create + circulant.path;
  printf("circulant at 2^24 places: %.3f s to prepare, %.3f s a path; one real transform of 2^25 "
         "numbers %.3f s: %.2f x (wanted at most 6 x)\n",
         circulant.create, circulant.path, one, all / one);
}

static void sorted(void) {
  double *points = places_sorted(SORTED);
  const sfmi_places places = {.dimension = 1, .count = SORTED, .points = points};
  const lap markov = measure(SFM_ENGINE_MARKOV, &places);
  printf("markov at 10^7 sorted places: %.3f s to prepare, %.3f s a path: %.2f million a second "
         "(wanted 2)\n",
         markov.create, markov.path, (double)SORTED / 1e6 / (markov.create + markov.path));
  free(points);
}

/* Matrix and factor of the first n places. */
static double refactor(double *matrix, const double *points, size_t n) {
  const double start = bench_clock();
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++)
      matrix[i * n + j] =
          sfm_kernel_at(&kernel, points + i, points + j) + (i == j ? SFMI_NUGGET : 0);
  if (sfmi_cholesky_lower(matrix, n)) exit(1);
  return bench_clock() - start;
}

static void online(void) {
  double *points = bench_memory(malloc(ONLINE * sizeof *points)), *normals = draw(ONLINE);
  double *matrix = bench_memory(calloc((size_t)ONLINE * ONLINE, sizeof *matrix)), value, again = 0;
  sfm_error error;
  sfmi_sequential_field *extension;
  sfmi_prng prng;
  sfmi_prng_init(&prng, 3);
  for (size_t i = 0; i < ONLINE; i++) points[i] = sfmi_prng_uniform(&prng);
  const double start = bench_clock();
  bench_check(sfmi_sequential_field_create(&extension, &kernel, SFMI_NUGGET, &error), &error);
  for (size_t i = 0; i < ONLINE; i++)
    bench_check(sfmi_sequential_field_add(extension, &value, points + i, normals + i, 1, &error),
                &error);
  const double each = bench_clock() - start;
  for (size_t n = EVERY / 2; n <= ONLINE; n += EVERY) again += EVERY * refactor(matrix, points, n);
  printf(
      "gram online, 2,000 places one at a time: %.3f s; factored again at each %.2f s (from every "
      "%dth): %.0f x (wanted 50 x)\n",
      each, again, EVERY, again / each);
  sfmi_sequential_field_destroy(extension);
  free(points);
  free(normals);
  free(matrix);
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "dense")) {
    dense();
    return 0;
  }
  online();
  torus();
  sorted();
  return 0;
}
