/* fft_long.h - one transform of n contiguous numbers, n = n1 n2 of the primes up to 13.
 *
 * With j = j1 n2 + j2 and k = k1 + k2 n1,
 *     X[k] = sum over j2 of ( w^(j2 k1) sum over j1 of x[j] w1^(j1 k1) ) w2^(j2 k2),
 * w, w1, w2 = e^(-2 pi i/n), e^(-2 pi i/n1), e^(-2 pi i/n2): transforms of n2 columns of n1
 * numbers, products, and transforms of n1 columns of n2 numbers, SFMI_FFT_COLUMNS of them at a
 * time.  So the array passes through memory twice, however long it is. */
#ifndef SFMI_FFT_LONG_H
#define SFMI_FFT_LONG_H

#include "fft_passes.h"
#include "fft_work.h"

typedef struct sfmi_fft_long sfmi_fft_long;

SFM_MUST_CHECK sfm_status sfmi_fft_long_create(sfmi_fft_long **out, size_t n, int kind,
                                               sfm_error *error);
void sfmi_fft_long_destroy(sfmi_fft_long *fft);
/* What it wants of the work: rows of buffers, and numbers of the scratch array. */
size_t sfmi_fft_long_rows(const sfmi_fft_long *fft);
size_t sfmi_fft_long_scratch(const sfmi_fft_long *fft);
/* In place; sign is 1 for forward and -1 for backward. */
void sfmi_fft_long_run(const sfmi_fft_long *fft, double complex *data, int sign,
                       const sfmi_fft_work *work);

#endif
