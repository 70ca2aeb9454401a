#include "fft_passes.h"

#include <assert.h>
#include <stdlib.h>

#include "fft_odd_roots.h"

#define SIMD_LOOPS "base/math/fft/fft_passes_simd.h"
#include "base/system/simd_kinds.h"

enum { RADIX_MAX = 13, PASSES_MAX = 64 };

typedef void pass_loop(double *to, const double *from, size_t m, size_t width, size_t stride,
                       const double complex *roots, int sign);
typedef struct loops {
  pass_loop *pass[RADIX_MAX + 1];
  void (*turn_rows)(double complex *rows, const double complex *roots, const double complex *turns,
                    size_t count, int sign);
} loops;

#define LOOPS(kind)                                                                                \
  {                                                                                                \
    .pass = {[2] = kind##_pass2, [3] = kind##_pass3, [4] = kind##_pass4,   [5] = kind##_pass5,     \
             [7] = kind##_pass7, [8] = kind##_pass8, [11] = kind##_pass11, [13] = kind##_pass13},  \
    .turn_rows = kind##_turn_rows                                                                  \
  }
static const loops KINDS[] = {
    LOOPS(plain),
#if defined(__x86_64__)
    LOOPS(avx2),
    LOOPS(avx512),
#endif
};

struct sfmi_fft_passes {
  const loops *loops;
  size_t n, passes;
  size_t radix[PASSES_MAX];
  double complex *roots[PASSES_MAX]; /* w^(pk), p = 1 .. m-1 and k = 1 .. r-1 */
  double complex *all;
  size_t all_count;
};

/* Eights, and fours for what remains of powers of two; then odd primes.  Returns how many. */
static size_t factor(size_t *radix, size_t n) {
  static const size_t odd[] = {13, 11, 7, 5, 3};
  size_t count = 0;
  while (n % 8 == 0 && n % 32 != 16) radix[count++] = 8, n /= 8;
  while (n % 4 == 0) radix[count++] = 4, n /= 4;
  if (n % 2 == 0) radix[count++] = 2, n /= 2;
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    while (n % odd[i] == 0) radix[count++] = odd[i], n /= odd[i];
  assert(n == 1 && count < PASSES_MAX);
  return count;
}

sfm_status sfmi_fft_passes_create(sfmi_fft_passes **out, size_t n, int kind, sfm_error *error) {
  *out = NULL;
  assert(n > 1);
  sfmi_fft_passes *passes = sfmi_alloc(1, sizeof *passes);
  if (!passes) return sfmi_fail_memory(error);
  passes->loops = &KINDS[kind];
  passes->n = n;
  passes->passes = factor(passes->radix, n);
  for (size_t i = 0, left = n; i < passes->passes; i++) {
    const size_t r = passes->radix[i], m = left / r;
    passes->all_count += (m - 1) * (r - 1);
    left = m;
  }
  passes->all = sfmi_fft_numbers(passes->all_count);
  double complex *unit = sfmi_fft_numbers(n);
  if (!passes->all || !unit) {
    free(unit);
    sfmi_fft_passes_destroy(passes);
    return sfmi_fail_memory(error);
  }
  for (size_t k = 0; k < n; k++) unit[k] = sfmi_fft_root(k, n);
  double complex *to = passes->all;
  for (size_t i = 0, left = n; i < passes->passes; i++) {
    const size_t r = passes->radix[i], m = left / r;
    passes->roots[i] = to;
    for (size_t p = 1; p < m; p++)
      for (size_t k = 1; k < r; k++) *to++ = unit[p * k * (n / left)];
    left = m;
  }
  free(unit);
  *out = passes;
  return SFM_OK;
}

void sfmi_fft_passes_destroy(sfmi_fft_passes *passes) {
  if (!passes) return;
  free(passes->all);
  free(passes);
}

double complex *sfmi_fft_passes_run(const sfmi_fft_passes *passes, const double complex *from,
                                    size_t stride, double complex *a, double complex *b, int sign) {
  size_t width = SFMI_FFT_COLUMNS, left = passes->n;
  double complex *to = b;
  for (size_t i = 0; i < passes->passes; i++) {
    const size_t r = passes->radix[i], m = left / r;
    passes->loops->pass[r]((double *)to, (const double *)from, m, 2 * width, 2 * stride,
                           passes->roots[i], sign);
    from = to;
    to = to == a ? b : a;
    left = m, width *= r, stride = width;
  }
  return to == a ? b : a;
}

void sfmi_fft_passes_turn(const sfmi_fft_passes *passes, double complex *rows,
                          const double complex *roots, const double complex *turns, size_t count,
                          int sign) {
  passes->loops->turn_rows(rows, roots, turns, count, sign);
}
