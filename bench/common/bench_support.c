#include "bench_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double bench_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bench_check(sfm_status status, const sfm_error *error) {
  if (!status) return;
  fprintf(stderr, "%s\n", error->message);
  exit(sfm_status_exit_code(status));
}

void *bench_memory(void *memory) {
  if (memory) return memory;
  fprintf(stderr, "not enough memory\n");
  exit(1);
}
