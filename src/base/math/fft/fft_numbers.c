#include "fft_numbers.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A vector of any kind of processor, and a page that the system may map as one. */
enum { ALIGNMENT = 64 };
static const size_t LARGE_PAGE = (size_t)1 << 21;

double complex *sfmi_fft_numbers(size_t count) {
  if (count > (SIZE_MAX - 2 * LARGE_PAGE) / sizeof(double complex)) return NULL;
  const size_t bytes = (count ? count : 1) * sizeof(double complex);
  const bool large = bytes >= 2 * LARGE_PAGE;
  void *numbers = NULL;
  if (posix_memalign(&numbers, large ? LARGE_PAGE : ALIGNMENT, bytes)) return NULL;
#ifdef MADV_HUGEPAGE
  if (large) (void)madvise(numbers, bytes / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#endif
  return memset(numbers, 0, bytes);
}

void sfmi_fft_numbers_free(double complex *numbers, size_t count) {
  if (numbers) explicit_bzero(numbers, count * sizeof *numbers);
  free(numbers);
}

/* The angle is at most pi/4, where its rounding and that of cosl and sinl (64 bits, or 53 where the
 * compiler has no longer ones) stay far below a unit of the result, or at it. */
double complex sfmi_fft_root(size_t k, size_t n) {
  /* In eighths of a turn, with the rest counted from the nearer multiple of a quarter. */
  assert(k < n && n <= SIZE_MAX / 16);
  const size_t quarter = (8 * k / n + 1) / 2;
  const long double rest =
      (long double)((int64_t)(4 * k) - (int64_t)(quarter * n)) / (4 * (long double)n);
  const long double angle = 2 * acosl(-1) * rest;
  const double c = (double)cosl(angle), s = (double)sinl(angle);
  switch (quarter % 4) {
  case 0:
    return CMPLX(c, s);
  case 1:
    return CMPLX(-s, c);
  case 2:
    return CMPLX(-c, -s);
  default:
    return CMPLX(s, -c);
  }
}

bool sfmi_fft_roots_init(sfmi_fft_roots *roots, size_t n) {
  *roots = (sfmi_fft_roots){.n = n};
  while ((size_t)1 << 2 * roots->shift < n) roots->shift++;
  const size_t fine = (size_t)1 << roots->shift;
  roots->mask = fine - 1;
  roots->coarse_count = (n - 1) / fine + 1;
  roots->fine = sfmi_fft_numbers(fine);
  roots->coarse = sfmi_fft_numbers(roots->coarse_count);
  if (!roots->fine || !roots->coarse) {
    sfmi_fft_roots_clear(roots);
    return false;
  }
  for (size_t k = 0; k < fine; k++) roots->fine[k] = sfmi_fft_root(k % n, n);
  for (size_t k = 0; k < roots->coarse_count; k++) roots->coarse[k] = sfmi_fft_root(k * fine, n);
  return true;
}

void sfmi_fft_roots_clear(sfmi_fft_roots *roots) {
  free(roots->fine);
  free(roots->coarse);
  *roots = (sfmi_fft_roots){0};
}
