/* fft_size.h - the sizes that transform well. */
#ifndef SFMI_FFT_SIZE_H
#define SFMI_FFT_SIZE_H

#include <stdbool.h>
#include <stddef.h>

/* The least odd number >= least whose prime factors are among 3, 5, 7, 11, 13. */
size_t sfmi_fft_odd_size(size_t least);
/* The least number >= least whose prime factors are among 2, 3, 5, 7. */
size_t sfmi_fft_size(size_t least);
/* Whether the prime factors of n > 0 are among 2, 3, 5, 7, 11, 13. */
bool sfmi_fft_smooth(size_t n);

#endif
