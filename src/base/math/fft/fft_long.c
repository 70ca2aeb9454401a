#include "fft_long.h"

#include <stdlib.h>
#include <string.h>

struct sfmi_fft_long {
  size_t n1, n2;
  sfmi_fft_passes *first, *second; /* of n1 and n2; NULL for 1 */
  sfmi_fft_roots roots;            /* of n1 n2 */
  double complex *turns;           /* w^(k1 c), c < SFMI_FFT_COLUMNS */
};

/* The largest divisor that is at most the square root. */
static size_t divisor(size_t n) {
  size_t d = 1;
  for (size_t k = 2; k * k <= n; k++)
    if (n % k == 0) d = k;
  return d;
}

static sfm_status create_passes(sfmi_fft_passes **out, size_t n, int kind, sfm_error *error) {
  *out = NULL;
  return n > 1 ? sfmi_fft_passes_create(out, n, kind, error) : SFM_OK;
}

sfm_status sfmi_fft_long_create(sfmi_fft_long **out, size_t n, int kind, sfm_error *error) {
  *out = NULL;
  sfmi_fft_long *fft = sfmi_alloc(1, sizeof *fft);
  if (!fft) return sfmi_fail_memory(error);
  fft->n1 = divisor(n);
  fft->n2 = n / fft->n1;
  sfm_status status = create_passes(&fft->first, fft->n1, kind, error);
  if (!status) status = create_passes(&fft->second, fft->n2, kind, error);
  if (!status) {
    fft->turns = sfmi_fft_numbers(fft->n1 * SFMI_FFT_COLUMNS);
    if (!fft->turns || !sfmi_fft_roots_init(&fft->roots, n)) status = sfmi_fail_memory(error);
  }
  if (status) {
    sfmi_fft_long_destroy(fft);
    return status;
  }
  for (size_t k = 0; k < fft->n1; k++)
    for (size_t c = 0; c < SFMI_FFT_COLUMNS; c++)
      fft->turns[k * SFMI_FFT_COLUMNS + c] = sfmi_fft_root(k * c % n, n);
  *out = fft;
  return SFM_OK;
}

void sfmi_fft_long_destroy(sfmi_fft_long *fft) {
  if (!fft) return;
  sfmi_fft_passes_destroy(fft->first);
  sfmi_fft_passes_destroy(fft->second);
  sfmi_fft_roots_clear(&fft->roots);
  free(fft->turns);
  free(fft);
}

size_t sfmi_fft_long_rows(const sfmi_fft_long *fft) {
  return fft->n2; /* n1 <= n2 */
}

static size_t blocks(size_t n) {
  return (n + SFMI_FFT_COLUMNS - 1) / SFMI_FFT_COLUMNS;
}

size_t sfmi_fft_long_scratch(const sfmi_fft_long *fft) {
  return blocks(fft->n1) * SFMI_FFT_COLUMNS * fft->n2;
}

typedef struct long_job {
  const sfmi_fft_long *fft;
  double complex *data;
  int sign;
  const sfmi_fft_work *work;
} long_job;

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Columns j2 .. of the array, and their products, to the scratch array: there the numbers of
 * SFMI_FFT_COLUMNS values of k1 are side by side, for the second transforms. */
static void first_transforms(void *context, size_t share, size_t shares) {
  const long_job *job = context;
  const sfmi_fft_long *fft = job->fft;
  const size_t n1 = fft->n1, n2 = fft->n2;
  double complex *a = sfmi_fft_work_a(job->work, share), *b = sfmi_fft_work_b(job->work, share);
  double complex *roots = sfmi_fft_work_roots(job->work, share);
  for (size_t block = share; block < blocks(n2); block += shares) {
    const size_t j2 = block * SFMI_FFT_COLUMNS, count = least(n2 - j2, SFMI_FFT_COLUMNS);
    const double complex *from = job->data + j2;
    size_t stride = n2;
    if (count < SFMI_FFT_COLUMNS || !fft->first) {
      memset(a, 0, n1 * SFMI_FFT_COLUMNS * sizeof *a);
      for (size_t k = 0; k < n1; k++)
        memcpy(a + k * SFMI_FFT_COLUMNS, from + k * n2, count * sizeof *a);
      from = a;
      stride = SFMI_FFT_COLUMNS;
    }
    double complex *rows = a;
    if (fft->first) {
      rows = sfmi_fft_passes_run(fft->first, from, stride, a, b, job->sign);
      for (size_t k = 0; k < n1; k++) roots[k] = sfmi_fft_roots_at(&fft->roots, k * j2);
      sfmi_fft_passes_turn(fft->first, rows, roots, fft->turns, n1, job->sign);
    }
    for (size_t k = 0; k < n1; k += SFMI_FFT_COLUMNS) {
      double complex *to = job->work->scratch + k * n2 + j2 * SFMI_FFT_COLUMNS;
      const size_t some = least(n1 - k, SFMI_FFT_COLUMNS);
      for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < some; i++)
          to[c * SFMI_FFT_COLUMNS + i] = rows[(k + i) * SFMI_FFT_COLUMNS + c];
    }
  }
}

static void second_transforms(void *context, size_t share, size_t shares) {
  const long_job *job = context;
  const size_t n1 = job->fft->n1, n2 = job->fft->n2;
  double complex *a = sfmi_fft_work_a(job->work, share), *b = sfmi_fft_work_b(job->work, share);
  for (size_t block = share; block < blocks(n1); block += shares) {
    const size_t k1 = block * SFMI_FFT_COLUMNS, count = least(n1 - k1, SFMI_FFT_COLUMNS);
    const double complex *from = job->work->scratch + k1 * n2;
    const double complex *rows =
        sfmi_fft_passes_run(job->fft->second, from, SFMI_FFT_COLUMNS, a, b, job->sign);
    for (size_t k = 0; k < n2; k++)
      memcpy(job->data + k * n1 + k1, rows + k * SFMI_FFT_COLUMNS, count * sizeof *rows);
  }
}

void sfmi_fft_long_run(const sfmi_fft_long *fft, double complex *data, int sign,
                       const sfmi_fft_work *work) {
  long_job job = {fft, data, sign, work};
  sfmi_fft_work_run(work, first_transforms, &job, blocks(fft->n2), fft->n1 * fft->n2);
  sfmi_fft_work_run(work, second_transforms, &job, blocks(fft->n1), fft->n1 * fft->n2);
}
