/* fft.h - a thin face to FFTW: complex transforms in any dimension, in place.
 *
 * Forward uses exp(-2 pi i jk/N), backward exp(+2 pi i jk/N); neither scales. */
#ifndef SFMI_FFT_H
#define SFMI_FFT_H

#include <complex.h>

#include "base/fail.h"

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

/* The least odd number >= least whose prime factors are among 3, 5, 7, 11, 13. */
size_t sfmi_fft_odd_size(size_t least);
/* The least number >= least whose prime factors are among 2, 3, 5, 7. */
size_t sfmi_fft_size(size_t least);

#endif
