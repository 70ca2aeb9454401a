/* bench_sparse - a sparse table from its list of occupied cells to its list of noisy ones: how many
 * cells a second, and whether twice the cells (occupied
 * and listed) take twice the time.  2^40 cells; beside it what it
 * takes to give the same counts noise, and nothing else. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/math/prng.h"
#include "mechanisms/statistics/histogram_counts.h"

static const uint64_t SIZE = UINT64_C(1) << 40;

/* Of one processor. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void require(sfm_status status, const sfm_error *error) {
  if (!status) return;
  fprintf(stderr, "%s\n", error->message);
  exit(sfm_status_exit_code(status));
}

/* So many records in as many cells, drawn from the whole table, a tenth of them twice and more. */
static void fill(sfmi_occupied_cells *o, size_t count, double *seconds) {
  sfm_error error;
  sfmi_prng prng;
  uint64_t keys[4096];
  sfmi_prng_init(&prng, count);
  *seconds = 0;
  for (size_t from = 0; from < count; from += 4096) {
    for (size_t i = 0; i < 4096; i++) keys[i] = (uint64_t)(sfmi_prng_uniform(&prng) * (double)SIZE);
    const double start = now();
    require(sfmi_occupied_cells_add(o, keys, count - from < 4096 ? count - from : 4096, &error),
            &error);
    *seconds += now() - start;
  }
  const double start = now();
  require(sfmi_occupied_cells_finish(o, &error), &error);
  *seconds += now() - start;
  for (size_t i = 0; i < o->count; i++) o->counts[i] = 1 + (i % 100 == 0 ? 1000 : i % 7);
}

enum { SIZES = 4, ROUNDS = 15 };

typedef struct density_fixture {
  sfmi_occupied_cells occupancy;
  double counting;       /* seconds for as many rows */
  double seconds, alone; /* the best so far */
  size_t listed;
} density_fixture;

static void run(density_fixture *t, sfm_ratio scale, int64_t tau) {
  sfm_error error;
  const sfmi_occupied_cells *o = &t->occupancy;
  const sfmi_noise_law law = {.law = SFM_NOISE_LAW_DISCRETE_LAPLACE, .scale = scale};
  sfmi_hardener *hardener;
  sfmi_cell_list list;
  int64_t *noisy = malloc(o->count * sizeof *noisy);
  require(sfmi_hardener_create(&hardener, &law, (sfmi_seed){0}, &error), &error);
  double start = now();
  require(
      sfmi_histogram_noise_sparse(hardener, &list, o->keys, o->counts, o->count, SIZE, tau, &error),
      &error);
  t->seconds = fmin(t->seconds, now() - start);
  start = now();
  sfmi_hardener_add_counts(hardener, noisy, o->counts, o->count);
  t->alone = fmin(t->alone, now() - start);
  t->listed = list.count;
  sfmi_cell_list_clear(&list);
  sfmi_hardener_destroy(hardener);
  free(noisy);
}

static void report(const density_fixture *t, const density_fixture *half, double epsilon,
                   bool stated) {
  const double cells = (double)(t->occupancy.count + t->listed), each = t->seconds / cells;
  printf("epsilon %.1f%s: %7zu of 2^40 cells -> %7zu listed in %.3f s: %.1f million cells a second "
         "(wanted 5), %.2f x noise alone",
         epsilon, stated ? ", occupied stated" : "", t->occupancy.count, t->listed, t->seconds,
         1e-6 / each, t->seconds / t->alone);
  if (half)
    printf(", twice as many take %.2f x (wanted at most 2.2)",
           2 * each / (half->seconds / (double)(half->occupancy.count + half->listed)));
  printf("; counted at %.1f million rows a second\n",
         1e-6 * (double)t->occupancy.count / t->counting);
}

/* All sizes by turns, so that none meets a busier machine than the others. */
int main(void) {
  static const double epsilons[] = {0.1, 1};
  static density_fixture trials[SIZES];
  for (size_t i = 0; i < SIZES; i++)
    fill(&trials[i].occupancy, (size_t)500000 << i, &trials[i].counting);
  for (size_t e = 0; e < 2; e++)
    for (int stated = 0; stated < 2; stated++) {
      const double scale = 2 / epsilons[e];
      for (size_t i = 0; i < SIZES; i++) trials[i].seconds = trials[i].alone = INFINITY;
      for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < SIZES; i++) {
          const double q = stated ? (double)trials[i].occupancy.count : 1;
          run(&trials[i], (sfm_ratio){(uint64_t)scale, 1},
              (int64_t)(scale * log((double)SIZE / q)));
        }
      for (size_t i = 0; i < SIZES; i++)
        report(&trials[i], i ? &trials[i - 1] : NULL, epsilons[e], stated);
    }
  for (size_t i = 0; i < SIZES; i++) sfmi_occupied_cells_clear(&trials[i].occupancy);
  return 0;
}
