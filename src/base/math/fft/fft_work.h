/* fft_work.h - the memory that transforms work in, and the threads that share their work. */
#ifndef SFMI_FFT_WORK_H
#define SFMI_FFT_WORK_H

#include "base/system/thread_pool.h"
#include "fft_numbers.h"

typedef struct sfmi_fft_work {
  size_t threads;
  size_t rows; /* of each thread's buffers */
  double complex *buffers;
  double complex *scratch; /* one for all */
  size_t scratch_count;
} sfmi_fft_work;

/* Two buffers of `rows` rows of SFMI_FFT_COLUMNS and one of rows for each thread, and a scratch
 * array. False when memory is short; sfmi_fft_work_clear clears also then. */
bool sfmi_fft_work_init(sfmi_fft_work *work, size_t threads, size_t rows, size_t scratch_count);
/* Wipes what was in the buffers and frees them. */
void sfmi_fft_work_clear(sfmi_fft_work *work);

double complex *sfmi_fft_work_a(const sfmi_fft_work *work, size_t share);
double complex *sfmi_fft_work_b(const sfmi_fft_work *work, size_t share);
double complex *sfmi_fft_work_roots(const sfmi_fft_work *work, size_t share);

/* How many threads so many numbers are worth. */
size_t sfmi_fft_work_shares(size_t numbers);
/* Calls the body for `pieces` pieces of work that are together worth `numbers` numbers: a share
 * takes the pieces share, share + shares, ...  What is computed does not depend on the shares. */
void sfmi_fft_work_run(const sfmi_fft_work *work, sfmi_thread_body *body, void *context,
                       size_t pieces, size_t numbers);

#endif
