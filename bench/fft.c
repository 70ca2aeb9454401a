/* fft.c - the library's Fourier transforms beside FFTW's (FFTW_ESTIMATE, as it was used here
 * before), in one run: processor time of both, the best of several, and the ratio; complex and
 * real, forward; with one thread, and the library's with all.  Usage: bench_fft [runs of each, 7]
 */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/bench_support.h"
#include "base/math/fft/fft.h"
#include "base/system/processor.h"

typedef struct bench_shape {
  const char *name;
  size_t sizes[3], dimension;
} bench_shape;

static const bench_shape SHAPES[] = {
    {"2^10", {1 << 10}, 1},           {"2^16", {1 << 16}, 1},
    {"2^20", {1 << 20}, 1},           {"2^24", {1 << 24}, 1},
    {"10^6", {1000000}, 1},           {"3^10 7", {413343}, 1},
    {"11^2 13^3", {265837}, 1},       {"1024 x 1024", {1024, 1024}, 2},
    {"1000 x 1000", {1000, 1000}, 2}, {"128 x 128 x 128", {128, 128, 128}, 3},
};

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of one side: its numbers, and what transforms them. */
typedef struct side {
  double *data;
  size_t count; /* doubles */
  void (*run)(void *transform);
  void *transform;
  double processor, wall; /* the best */
} side;

static void run_fftw(void *plan) {
  fftw_execute(*(fftw_plan *)plan);
}
static void run_complex(void *fft) {
  sfmi_fft_forward(fft);
}
static void run_real(void *fft) {
  sfmi_real_fft_forward(fft);
}

/* Small transforms are repeated, on the same numbers (which stay finite: as many as grow them are
 * few). */
static void measure(side *s, size_t repeats) {
  double processor = 0, wall = 0;
  for (size_t i = 0; i < repeats; i++) {
    for (size_t j = 0; j < s->count; j++) s->data[j] = (double)(j % 7) - 3;
    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), now = seconds(CLOCK_MONOTONIC);
    s->run(s->transform);
    processor += seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    wall += seconds(CLOCK_MONOTONIC) - now;
  }
  s->processor = fmin(s->processor, processor / (double)repeats);
  s->wall = fmin(s->wall, wall / (double)repeats);
}

static void check(sfm_status status, const sfm_error *error) {
  if (!status) return;
  fprintf(stderr, "bench_fft: %s\n", error->message);
  exit(1);
}

/* The two results, relative to their size. */
static double difference(const side *a, const side *b) {
  double off = 0, size = 0;
  for (size_t i = 0; i < a->count; i++) {
    off += (a->data[i] - b->data[i]) * (a->data[i] - b->data[i]);
    size += b->data[i] * b->data[i];
  }
  return sqrt(off / size);
}

static void compare(const bench_shape *shape, bool real, int runs) {
  const size_t d = shape->dimension;
  size_t total = 1, reals;
  int sizes[3];
  for (size_t a = 0; a < d; a++) total *= shape->sizes[a], sizes[a] = (int)shape->sizes[a];
  const size_t last = shape->sizes[d - 1];
  reals = real ? total / last * sfmi_real_fft_stride(last) : 2 * total;

  side fftw = {.count = reals, .run = run_fftw, .processor = INFINITY, .wall = INFINITY};
  fftw.data = bench_memory(fftw_malloc(reals * sizeof *fftw.data));
  fftw_complex *numbers = (fftw_complex *)fftw.data;
  fftw_plan plan =
      real ? fftw_plan_dft_r2c((int)d, sizes, fftw.data, numbers, FFTW_ESTIMATE)
           : fftw_plan_dft((int)d, sizes, numbers, numbers, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw.transform = &plan;

  side ours[2];
  sfm_error error;
  for (size_t t = 0; t < 2; t++) {
    ours[t] = fftw;
    const int kind = sfmi_processor_best();
    if (real) {
      sfmi_real_fft *fft;
      check(sfmi_real_fft_create_for(&fft, shape->sizes, d, kind, t ? 0 : 1, &error), &error);
      ours[t].data = sfmi_real_fft_data(fft);
      ours[t].transform = fft, ours[t].run = run_real;
    } else {
      sfmi_fft *fft;
      check(sfmi_fft_create_for(&fft, shape->sizes, d, kind, t ? 0 : 1, &error), &error);
      ours[t].data = (double *)sfmi_fft_data(fft);
      ours[t].transform = fft, ours[t].run = run_complex;
    }
  }
  const size_t repeats = total >= ((size_t)1 << 18) ? 1 : ((size_t)1 << 18) / total;
  for (int r = 0; r < runs; r++) {
    measure(&fftw, repeats);
    measure(&ours[0], repeats);
    measure(&ours[1], repeats);
  }
  printf("| %-15s | %-7s | %9.3f | %9.3f | %5.2f | %9.3f | %8.1e |\n", shape->name,
         real ? "real" : "complex", 1e3 * fftw.processor, 1e3 * ours[0].processor,
         ours[0].processor / fftw.processor, 1e3 * ours[1].wall, difference(&ours[0], &fftw));
  for (size_t t = 0; t < 2; t++)
    if (real)
      sfmi_real_fft_destroy(ours[t].transform);
    else
      sfmi_fft_destroy(ours[t].transform);
  fftw_destroy_plan(plan);
  fftw_free(fftw.data);
}

int main(int argc, char **argv) {
  const int runs = argc > 1 ? atoi(argv[1]) : 7;
  printf("| size            | numbers | FFTW, ms  | sfumato   | ratio | all, wall | differ   |\n"
         "|-----------------|---------|-----------|-----------|-------|-----------|----------|\n");
  for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++) compare(&SHAPES[s], false, runs);
  for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++) compare(&SHAPES[s], true, runs);
  return 0;
}
