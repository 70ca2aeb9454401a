/* fft.h - a thin wrapper of FFTW: complex and real transforms in any dimension, in place.
 *
 * Forward uses exp(-2 pi i jk/N), backward exp(+2 pi i jk/N); neither scales. */
#ifndef SFMI_FFT_H
#define SFMI_FFT_H

#include <complex.h>

#include "base/system/status.h"

typedef struct sfmi_fft sfmi_fft;

/* A transform of the shape given (last axis fastest) with its own buffer of product(shape) zeros.
 * Creation and destruction are serialised (FFTW's planner is one per process). */
SFM_MUST_CHECK sfm_status sfmi_fft_create(sfmi_fft **out, const size_t *shape, size_t dimension,
                                          sfm_error *error);
void sfmi_fft_destroy(sfmi_fft *fft);
/* The buffer the transforms work on. */
double complex *sfmi_fft_data(sfmi_fft *fft);
void sfmi_fft_forward(sfmi_fft *fft);
void sfmi_fft_backward(sfmi_fft *fft);

/* A transform of real numbers, with its own buffer of zeros.  Before it the buffer holds reals, its
 * rows along the last axis (of n) sfmi_real_fft_stride(n) apart; afterwards the half of the
 * spectrum with the last frequency 0 .. n/2, rows n/2 + 1 complex numbers long.  The other half is
 * its conjugate. */
typedef struct sfmi_real_fft sfmi_real_fft;

SFM_MUST_CHECK sfm_status sfmi_real_fft_create(sfmi_real_fft **out, const size_t *shape,
                                               size_t dimension, sfm_error *error);
/* Wipes the buffer and frees. */
void sfmi_real_fft_destroy(sfmi_real_fft *fft);
static inline size_t sfmi_real_fft_stride(size_t n) {
  return 2 * (n / 2 + 1);
}
double *sfmi_real_fft_data(sfmi_real_fft *fft);
const double complex *sfmi_real_fft_spectrum(const sfmi_real_fft *fft);
void sfmi_real_fft_forward(sfmi_real_fft *fft);

/* The least odd number >= least whose prime factors are among 3, 5, 7, 11, 13. */
size_t sfmi_fft_odd_size(size_t least);
/* The least number >= least whose prime factors are among 2, 3, 5, 7. */
size_t sfmi_fft_size(size_t least);

#endif
