/* fft_numbers.h - arrays of complex numbers, and roots of unity. */
#ifndef SFMI_FFT_NUMBERS_H
#define SFMI_FFT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/math/cmplx.h"

/* `count` zeros, for vectors and in large pages where that helps; NULL when memory is short or
 * count too large. */
double complex *sfmi_fft_numbers(size_t count);
/* Wipes count numbers and frees them: transforms are of noise too. */
void sfmi_fft_numbers_free(double complex *numbers, size_t count);

/* cos(2 pi k/n) + i sin(2 pi k/n), k < n: each part is off by at most SFMI_FFT_ROOT_ERROR. */
double complex sfmi_fft_root(size_t k, size_t n);
#define SFMI_FFT_ROOT_ERROR 0x1.1p-54

/* The n-th roots to any power, as the product of two of about sqrt(n) that are listed. */
typedef struct sfmi_fft_roots {
  double complex *fine, *coarse; /* powers 0 .. 2^shift - 1, and multiples of 2^shift */
  size_t n, mask, coarse_count;
  unsigned shift;
} sfmi_fft_roots;

/* False when memory is short.  Clears what it took then. */
bool sfmi_fft_roots_init(sfmi_fft_roots *roots, size_t n);
void sfmi_fft_roots_clear(sfmi_fft_roots *roots);

/* The product without the cases that C has for numbers that are not finite. */
static inline double complex sfmi_fft_times(double complex a, double complex b) {
  const double x = creal(a), y = cimag(a), c = creal(b), s = cimag(b);
  return CMPLX(x * c - y * s, x * s + y * c);
}

/* e^(2 pi i k/n), k < n. */
static inline double complex sfmi_fft_roots_at(const sfmi_fft_roots *roots, size_t k) {
  return sfmi_fft_times(roots->coarse[k >> roots->shift], roots->fine[k & roots->mask]);
}

#endif
