/* fft_chirp.h - one transform of any number n of numbers, as a convolution (Bluestein 1970):
 *     jk = (j² + k² - (k-j)²)/2,  so  X[k] = v_k sum over j of (x_j v_j) conj(v_(k-j)),
 * v_j = e^(-i pi j²/n). */
#ifndef SFMI_FFT_CHIRP_H
#define SFMI_FFT_CHIRP_H

#include "fft_long.h"

typedef struct sfmi_fft_chirp sfmi_fft_chirp;

SFM_MUST_CHECK sfm_status sfmi_fft_chirp_create(sfmi_fft_chirp **out, size_t n, int kind,
                                                sfm_error *error);
void sfmi_fft_chirp_destroy(sfmi_fft_chirp *fft);
/* What it wants of the work: rows of buffers, and numbers of the scratch array. */
size_t sfmi_fft_chirp_rows(const sfmi_fft_chirp *fft);
size_t sfmi_fft_chirp_scratch(const sfmi_fft_chirp *fft);
/* Transforms numbers that are `stride` apart, in place. */
void sfmi_fft_chirp_run(const sfmi_fft_chirp *fft, double complex *data, size_t stride, int sign,
                        const sfmi_fft_work *work);

#endif
