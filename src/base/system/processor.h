/* processor.h - which vector instructions this processor has, for loops that are compiled once for
 * each kind of processor: kind 0 is any, 1 has AVX2 and FMA, 2 has AVX-512. */
#ifndef SFMI_PROCESSOR_H
#define SFMI_PROCESSOR_H

#include <stdbool.h>

enum { SFMI_PROCESSOR_KIND_MAX = 2 };

static inline bool sfmi_processor_is(int kind) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (kind == 1) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (kind == 2) return __builtin_cpu_supports("avx512f");
#endif
  return kind == 0;
}

/* The highest kind that it is. */
static inline int sfmi_processor_best(void) {
  int kind = SFMI_PROCESSOR_KIND_MAX;
  while (!sfmi_processor_is(kind)) kind--;
  return kind;
}

#endif
