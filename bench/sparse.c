/* bench_sparse - a sparse table from its list of occupied cells to its list of noisy ones: how many
 * cells a second, and whether twice the cells (occupied
 * and listed) take twice the time.  2^40 cells; beside it what it
 * takes to give the same counts noise, and nothing else. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/prng.h"
#include "mechanisms/tabulating.h"

static const uint64_t SIZE = UINT64_C(1) << 40;

/* Of one processor. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void require(sfm_status status, const sfm_error *error) {
  if (status == SFM_OK) return;
  fprintf(stderr, "%s\n", error->message);
  exit(sfm_status_exit_code(status));
}

/* So many records in as many cells, drawn from the whole table, a tenth of them twice and more. */
static void fill(sfmi_occupancy *o, size_t count, double *seconds) {
  sfm_error error;
  sfmi_prng prng;
  uint64_t keys[4096];
  sfmi_prng_init(&prng, count);
  *seconds = 0;
  for (size_t from = 0; from < count; from += 4096) {
    for (size_t i = 0; i < 4096; i++) keys[i] = (uint64_t)(sfmi_prng_uniform(&prng) * (double)SIZE);
    const double start = now();
    require(sfmi_occupancy_add(o, keys, count - from < 4096 ? count - from : 4096, &error), &error);
    *seconds += now() - start;
  }
  const double start = now();
  require(sfmi_occupancy_settle(o, &error), &error);
  *seconds += now() - start;
  for (size_t i = 0; i < o->count; i++) o->counts[i] = 1 + (i % 100 == 0 ? 1000 : i % 7);
}

/* The best of seven. */
static double time_thin(const sfmi_occupancy *o, sfm_ratio scale, int64_t tau, size_t *listed,
                        double *alone) {
  sfm_error error;
  double best = INFINITY;
  int64_t *noisy = malloc(o->count * sizeof *noisy);
  *alone = INFINITY;
  for (int round = 0; round < 7; round++) {
    sfmi_hardener *hardener;
    sfmi_listing listing;
    const sfmi_noise_law law = {.law = SFM_DISCRETE_LAPLACE, .scale = scale};
    require(sfmi_hardener_create(&hardener, &law, (sfmi_seed){0}, &error), &error);
    double start = now();
    require(
        sfmi_tabulating_thin(hardener, &listing, o->keys, o->counts, o->count, SIZE, tau, &error),
        &error);
    best = fmin(best, now() - start);
    start = now();
    sfmi_hardener_add_counts(hardener, noisy, o->counts, o->count);
    *alone = fmin(*alone, now() - start);
    *listed = listing.count;
    sfmi_listing_clear(&listing);
    sfmi_hardener_destroy(hardener);
  }
  free(noisy);
  return best;
}

int main(void) {
  static const double epsilons[] = {0.1, 1};
  for (size_t e = 0; e < 2; e++)
    for (int occupied = 0; occupied < 2; occupied++) {
      const double scale = 2 / epsilons[e];
      const sfm_ratio ratio = {(uint64_t)scale, 1};
      double before = 0;
      for (size_t count = 500000; count <= 4000000; count *= 2) {
        sfmi_occupancy o = {0};
        double counting, alone;
        size_t listed;
        fill(&o, count, &counting);
        const double q = occupied ? (double)o.count : 1;
        const int64_t tau = (int64_t)(scale * log((double)SIZE / q));
        const double seconds = time_thin(&o, ratio, tau, &listed, &alone);
        printf("epsilon %.1f%s: %7zu of 2^40 cells -> %7zu listed in %.3f s: %.1f million cells a "
               "second (wanted 5), %.2f x noise alone",
               epsilons[e], occupied ? ", occupied stated" : "", o.count, listed, seconds,
               1e-6 * (double)(o.count + listed) / seconds, seconds / alone);
        const double each = seconds / (double)(o.count + listed);
        if (before > 0)
          printf(", twice as many take %.2f x (wanted at most 2.2)", 2 * each / before);
        printf("; counted at %.1f million rows a second\n", 1e-6 * (double)count / counting);
        before = each;
        sfmi_occupancy_clear(&o);
      }
    }
  return 0;
}
