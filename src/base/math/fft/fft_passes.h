/* fft_passes.h - SFMI_FFT_COLUMNS transforms of n numbers at once, n of the primes up to 13.
 *
 * Stockham's algorithm: of n = r m numbers, an array x[j][..], one pass makes
 *     y[p][k][..] = w^(pk) sum over j < r of x[p + mj][..] e^(-2 pi i jk/r),   w = e^(-2 pi i/n),
 * p < m, k < r; the transforms of length m over p that remain are of r times as many columns, and
 * the result comes out in order.  The columns are contiguous, so that every loop is over them. */
#ifndef SFMI_FFT_PASSES_H
#define SFMI_FFT_PASSES_H

#include "base/system/status.h"
#include "fft_numbers.h"

enum { SFMI_FFT_COLUMNS = 8 };

typedef struct sfmi_fft_passes sfmi_fft_passes;

/* n > 1.  For the kind of processor given (processor.h): the numbers are the same, to the bit, for
 * each. */
SFM_MUST_CHECK sfm_status sfmi_fft_passes_create(sfmi_fft_passes **out, size_t n, int kind,
                                                 sfm_error *error);
void sfmi_fft_passes_destroy(sfmi_fft_passes *passes);

/* Transforms the columns of an array of n rows, `from`, its rows `stride` numbers apart; sign is 1
 * for forward and -1 for backward.  The result is contiguous, in one of the buffers a and b of n
 * rows, which it returns.  `from` may be a. */
double complex *sfmi_fft_passes_run(const sfmi_fft_passes *passes, const double complex *from,
                                    size_t stride, double complex *a, double complex *b, int sign);

/* Row i of `count`, SFMI_FFT_COLUMNS numbers long, times roots[i] and row i of `turns` (backward),
 * or times their conjugates (forward). */
void sfmi_fft_passes_turn(const sfmi_fft_passes *passes, double complex *rows,
                          const double complex *roots, const double complex *turns, size_t count,
                          int sign);

#endif
