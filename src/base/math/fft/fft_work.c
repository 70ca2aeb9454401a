#include "fft_work.h"

#include <stdint.h>

#include "fft_passes.h"

/* Numbers that are worth a thread: it takes about 20 microseconds to start one. */
static const size_t THREAD_NUMBERS = (size_t)1 << 16;

/* Of one thread, in numbers. */
static size_t room(const sfmi_fft_work *work) {
  return (2 * SFMI_FFT_COLUMNS + 1) * work->rows;
}

bool sfmi_fft_work_init(sfmi_fft_work *work, size_t threads, size_t rows, size_t scratch_count) {
  *work = (sfmi_fft_work){.threads = threads, .rows = (rows + 3) / 4 * 4};
  work->scratch_count = scratch_count;
  if (work->rows > SIZE_MAX / SFMI_THREADS_MAX / room(&(sfmi_fft_work){.rows = 1})) return false;
  work->buffers = sfmi_fft_numbers(threads * room(work));
  if (scratch_count > 0) work->scratch = sfmi_fft_numbers(scratch_count);
  return work->buffers && (work->scratch || scratch_count == 0);
}

void sfmi_fft_work_clear(sfmi_fft_work *work) {
  sfmi_fft_numbers_free(work->buffers, work->threads * room(work));
  sfmi_fft_numbers_free(work->scratch, work->scratch_count);
  *work = (sfmi_fft_work){0};
}

double complex *sfmi_fft_work_a(const sfmi_fft_work *work, size_t share) {
  return work->buffers + share * room(work);
}

double complex *sfmi_fft_work_b(const sfmi_fft_work *work, size_t share) {
  return sfmi_fft_work_a(work, share) + SFMI_FFT_COLUMNS * work->rows;
}

double complex *sfmi_fft_work_roots(const sfmi_fft_work *work, size_t share) {
  return sfmi_fft_work_b(work, share) + SFMI_FFT_COLUMNS * work->rows;
}

size_t sfmi_fft_work_shares(size_t numbers) {
  const size_t shares = numbers / THREAD_NUMBERS + 1;
  return shares < SFMI_THREAD_POOL_MAX ? shares : SFMI_THREAD_POOL_MAX;
}

void sfmi_fft_work_run(const sfmi_fft_work *work, sfmi_thread_body *body, void *context,
                       size_t pieces, size_t numbers) {
  size_t shares = sfmi_fft_work_shares(numbers);
  if (shares > work->threads) shares = work->threads;
  if (shares > pieces) shares = pieces;
  if (shares > 1)
    sfmi_threads_run(body, context, shares);
  else
    body(context, 0, 1);
}
