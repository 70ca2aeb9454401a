/* fft.h - Fourier transforms of complex and of real numbers, in any dimension, in place.
 *
 * Forward uses exp(-2 pi i jk/N), backward exp(+2 pi i jk/N); neither scales.  Sizes of the primes
 * up to 13 are transformed in passes (fft_passes.h), of which long ones keep near the processor
 * (fft_long.h); others as convolutions (fft_chirp.h), several times slower.  What is computed
 * depends neither on the kind of processor nor on the threads.
 *
 * The relative error in the 2-norm of a transform of N numbers in all, axes of the primes up to 13,
 * is at most SFMI_FFT_ERROR (1 + log2 N): docs/proofs/composition.md, section 9. */
#ifndef SFMI_FFT_H
#define SFMI_FFT_H

#include <complex.h>

#include "base/system/status.h"
#include "fft_size.h"

#define SFMI_FFT_ERROR (16 * 0x1p-53)

/* The number of axes at most. */
enum { SFMI_FFT_AXES_MAX = 16 };

typedef struct sfmi_fft sfmi_fft;

/* A transform of the shape given (last axis fastest) with its own buffer of product(shape) zeros.
 */
SFM_MUST_CHECK sfm_status sfmi_fft_create(sfmi_fft **out, const size_t *shape, size_t dimension,
                                          sfm_error *error);
/* The same for a kind of processor (processor.h), with up to so many threads (0: one for each
 * processor, as above; never more than SFMI_THREAD_POOL_MAX). */
SFM_MUST_CHECK sfm_status sfmi_fft_create_for(sfmi_fft **out, const size_t *shape, size_t dimension,
                                              int kind, size_t threads, sfm_error *error);
/* Wipes the buffer and frees. */
void sfmi_fft_destroy(sfmi_fft *fft);
/* The buffer the transforms work on. */
double complex *sfmi_fft_data(sfmi_fft *fft);
void sfmi_fft_forward(sfmi_fft *fft);
void sfmi_fft_backward(sfmi_fft *fft);

/* A transform of real numbers, with its own buffer of zeros.  Before `forward` the buffer holds
 * reals, its rows along the last axis (of n) sfmi_real_fft_stride(n) apart; afterwards the half of
 * the spectrum with the last frequency 0 .. n/2, rows n/2 + 1 complex numbers long.  The other half
 * is its conjugate.  `backward` is the way back, from a spectrum to reals. */
typedef struct sfmi_real_fft sfmi_real_fft;

SFM_MUST_CHECK sfm_status sfmi_real_fft_create(sfmi_real_fft **out, const size_t *shape,
                                               size_t dimension, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_real_fft_create_for(sfmi_real_fft **out, const size_t *shape,
                                                   size_t dimension, int kind, size_t threads,
                                                   sfm_error *error);
/* Wipes the buffer and frees. */
void sfmi_real_fft_destroy(sfmi_real_fft *fft);
static inline size_t sfmi_real_fft_stride(size_t n) {
  return 2 * (n / 2 + 1);
}
double *sfmi_real_fft_data(sfmi_real_fft *fft);
const double complex *sfmi_real_fft_spectrum(const sfmi_real_fft *fft);
void sfmi_real_fft_forward(sfmi_real_fft *fft);
void sfmi_real_fft_backward(sfmi_real_fft *fft);

#endif
