/* optimal.c - minimax mechanisms for a count: n = 70, absolute loss, twenty epsilons (figure 2.2).
 * Usage: bench_optimal            a table for people
 *        bench_optimal rows       epsilon risk seconds, one per line (for the peer) */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/bench_support.h"
#include "sfumato/optimal.h"

enum { COUNT = 70, EPSILONS = 20 };
#define SECONDS 0.2 /* a measurement takes at least this long */

static bool design(sfm_optimal_facts *facts, const sfm_optimal_settings *settings) {
  sfm_release *release;
  sfm_error error;
  sfm_status status = sfm_optimal_design(&release, settings, &error);
  if (!status) status = sfm_optimal_describe(release, facts, &error);
  if (status) fprintf(stderr, "bench_optimal: %s\n", error.message);
  sfm_release_destroy(release);
  return !status;
}

/* Seconds a mechanism, made exact and checked, of as many as fit into SECONDS. */
static bool measure(sfm_optimal_facts *facts, double *seconds,
                    const sfm_optimal_settings *settings) {
  const double start = bench_clock();
  size_t calls = 0;
  do {
    if (!design(facts, settings)) return false;
    calls++;
  } while (bench_clock() - start < SECONDS);
  *seconds = (bench_clock() - start) / (double)calls;
  return true;
}

static void print_largest(void) {
  sfm_optimal_settings settings = sfm_optimal_settings_default();
  sfm_optimal_facts facts;
  double seconds;
  settings.n = 500;
  settings.epsilon = 0.05;
  if (!measure(&facts, &seconds, &settings)) return;
  printf("n = 500, epsilon 0.05: %.2f s, repair %.1e, within %.1e of the least possible\n", seconds,
         facts.repair_cost, facts.risk / facts.limit - 1);
}

int main(int count, char **words) {
  const bool rows = count > 1 && strcmp(words[1], "rows") == 0;
  double total = 0, repair = 0, gap = 0;
  for (int e = 1; e <= EPSILONS; e++) {
    sfm_optimal_settings settings = sfm_optimal_settings_default();
    sfm_optimal_facts facts;
    double seconds;
    settings.n = COUNT;
    settings.epsilon = e / 10.0;
    if (!measure(&facts, &seconds, &settings)) return 1;
    if (rows) printf("%g %.12g %.6g\n", settings.epsilon, facts.risk, seconds);
    total += seconds;
    repair = fmax(repair, fabs(facts.repair_cost));
    gap = fmax(gap, facts.risk / facts.limit - 1);
  }
  if (rows) return 0;
  printf(
      "minimax, absolute loss, n = %d, %d epsilons from 0.1 to 2: %.1f ms together, files' tables "
      "and checks included; repair at most %.1e of the risk (wanted 1e-6), which is within %.1e of "
      "the least possible\n",
      COUNT, EPSILONS, 1e3 * total, repair, gap);
  print_largest();
  return 0;
}
