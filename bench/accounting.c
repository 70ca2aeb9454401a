/* accounting.c - certified intervals of composed releases, and the time they take.
 * Usage: bench_accounting        a table for people
 *        bench_accounting list   the two mixes, one loss a line (for the peer)
 *        bench_accounting rows   name lower upper seconds, one mix a line (for the peer) */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/bench_support.h"
#include "sfumato/account.h"

#define RELEASES 1000
#define SECONDS 0.2 /* a measurement takes at least this long */

typedef struct mix {
  const char *name;
  double delta;
  size_t count;
  sfm_privacy_loss losses[RELEASES];
} mix;

/* 250 releases each of four kinds; with `step` 0 five parameters a kind, else all different. */
static void fill(mix *m, const char *name, double step) {
  static const struct {
    sfm_privacy_loss_kind kind;
    double parameters[5];
  } kinds[] = {{SFM_PRIVACY_LOSS_GAUSSIAN, {15, 20, 25, 30, 40}},
               {SFM_PRIVACY_LOSS_LAPLACE, {0.05, 0.08, 0.1, 0.12, 0.15}},
               {SFM_PRIVACY_LOSS_DISCRETE_LAPLACE, {0.04, 0.06, 0.07, 0.09, 0.11}},
               {SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE, {0.03, 0.05, 0.06, 0.08, 0.1}}};
  m->name = name;
  m->delta = 1e-6;
  m->count = 0;
  for (size_t k = 0; k < 4; k++)
    for (size_t i = 0; i < 250; i++) {
      const double base = kinds[k].parameters[i / 50];
      const double parameter = base * (1 + step * (double)(i % 50));
      const sfm_privacy_loss loss = {kinds[k].kind, parameter, step > 0 ? 1 : 50, 2};
      if (step > 0 || i % 50 == 0) m->losses[m->count++] = loss;
    }
}

static void fill_few(mix *m, const char *name, double delta, size_t count,
                     const sfm_privacy_loss *losses) {
  m->name = name;
  m->delta = delta;
  m->count = count;
  memcpy(m->losses, losses, count * sizeof *losses);
}

/* Seconds a call, of as many as fit into SECONDS. */
static double measure(sfm_interval *out, const mix *m) {
  const double start = bench_clock();
  size_t calls = 0;
  do {
    sfm_error error;
    if (sfm_account_epsilon(out, m->losses, m->count, m->delta, &error)) {
      fprintf(stderr, "%s\n", error.message);
      exit(1);
    }
    calls++;
  } while (bench_clock() - start < SECONDS);
  return (bench_clock() - start) / (double)calls;
}

static void list(const mix *m) {
  static const char *const kinds[] = {
      "gaussian", "laplace", "discrete-laplace", "discrete-gaussian", "randomised-response",
      "pure"};
  for (size_t i = 0; i < m->count; i++)
    printf("%s %s %.17g %llu\n", m->name, kinds[m->losses[i].kind], m->losses[i].parameter,
           (unsigned long long)m->losses[i].count);
}

int main(int argc, char **argv) {
  enum { MIXES = 7 };
  static mix mixes[MIXES];
  const char *mode = argc > 1 ? argv[1] : "";
  fill(&mixes[0], "few", 0);
  fill(&mixes[1], "different", 1e-3);
  fill_few(&mixes[2], "1e5-mixed", 1e-12, 3,
           (sfm_privacy_loss[]){{SFM_PRIVACY_LOSS_GAUSSIAN, 300, 50000, 0},
                                {SFM_PRIVACY_LOSS_LAPLACE, 0.01, 20000, 0},
                                {SFM_PRIVACY_LOSS_PURE, 0.005, 30000, 0}});
  fill_few(&mixes[3], "1e5-laplace", 1e-12, 1,
           &(sfm_privacy_loss){SFM_PRIVACY_LOSS_LAPLACE, 0.01, 100000, 0});
  fill_few(&mixes[4], "1e5-pure", 1e-15, 1,
           &(sfm_privacy_loss){SFM_PRIVACY_LOSS_PURE, 0.01, 100000, 0});
  fill_few(&mixes[5], "16-gaussians", 1e-6, 1,
           &(sfm_privacy_loss){SFM_PRIVACY_LOSS_GAUSSIAN, 2, 16, 0});
  fill_few(&mixes[6], "1-laplace", 0.1, 1, &(sfm_privacy_loss){SFM_PRIVACY_LOSS_LAPLACE, 1, 1, 0});
  if (strcmp(mode, "list") == 0) {
    for (size_t i = 0; i < 2; i++) list(&mixes[i]);
    return 0;
  }
  const bool rows = strcmp(mode, "rows") == 0;
  if (!rows) {
    printf(
        "| releases     | delta | epsilon, lower     | epsilon, upper     | width   | ms      |\n");
    printf(
        "|--------------|-------|--------------------|--------------------|---------|---------|\n");
  }
  for (size_t i = 0; i < MIXES; i++) {
    sfm_interval out;
    const double seconds = measure(&out, &mixes[i]);
    if (rows) {
      printf("%s %.17g %.17g %.9g\n", mixes[i].name, out.lower, out.upper, seconds);
    } else {
      printf("| %-12s | %5.0e | %18.15g | %18.15g | %7.1e | %7.3f |\n", mixes[i].name,
             mixes[i].delta, out.lower, out.upper, (out.upper - out.lower) / out.upper,
             1e3 * seconds);
    }
  }
  return 0;
}
