#include "fft_axis.h"

#include <string.h>

#include "fft_size.h"

sfm_status sfmi_fft_axis_init(sfmi_fft_axis *axis, size_t outer, size_t n, size_t inner, int kind,
                              sfm_error *error) {
  *axis = (sfmi_fft_axis){.n = n, .inner = inner};
  if (n == 1) return SFM_OK;
  if (!sfmi_fft_smooth(n)) return sfmi_fft_chirp_create(&axis->chirp, n, kind, error);
  const bool together = inner > 1 ? n <= SFMI_FFT_LONGEST_COLUMN
                                  : n <= SFMI_FFT_LONGEST_ROW && outer >= SFMI_FFT_COLUMNS / 2;
  return together ? sfmi_fft_passes_create(&axis->passes, n, kind, error)
                  : sfmi_fft_long_create(&axis->whole, n, kind, error);
}

void sfmi_fft_axis_clear(sfmi_fft_axis *axis) {
  sfmi_fft_passes_destroy(axis->passes);
  sfmi_fft_long_destroy(axis->whole);
  sfmi_fft_chirp_destroy(axis->chirp);
  *axis = (sfmi_fft_axis){0};
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Columns that are copied to contiguous lines at a time. */
static size_t lines(const sfmi_fft_axis *axis) {
  return axis->inner > 1 ? least(axis->inner, SFMI_FFT_COLUMNS) : 0;
}

static void raise(size_t *wanted, size_t to) {
  if (*wanted < to) *wanted = to;
}

void sfmi_fft_axis_wants(const sfmi_fft_axis *axis, size_t *rows, size_t *scratch) {
  if (axis->passes) raise(rows, axis->n);
  if (axis->whole) {
    raise(rows, sfmi_fft_long_rows(axis->whole));
    raise(scratch, sfmi_fft_long_scratch(axis->whole) + lines(axis) * axis->n);
  }
  if (axis->chirp) {
    raise(rows, sfmi_fft_chirp_rows(axis->chirp));
    raise(scratch, sfmi_fft_chirp_scratch(axis->chirp));
  }
}

typedef struct axis_job {
  const sfmi_fft_axis *axis;
  double complex *data;
  size_t outer, stride;
  int sign;
  const sfmi_fft_work *work;
} axis_job;

static size_t blocks(size_t n) {
  return (n + SFMI_FFT_COLUMNS - 1) / SFMI_FFT_COLUMNS;
}

static void columns_together(void *context, size_t share, size_t shares) {
  const axis_job *job = context;
  const size_t n = job->axis->n, inner = job->axis->inner, each = blocks(inner);
  double complex *a = sfmi_fft_work_a(job->work, share), *b = sfmi_fft_work_b(job->work, share);
  for (size_t block = share; block < job->outer * each; block += shares) {
    const size_t column = block % each * SFMI_FFT_COLUMNS;
    const size_t count = least(inner - column, SFMI_FFT_COLUMNS);
    double complex *data = job->data + block / each * job->stride + column;
    const double complex *from = data;
    size_t stride = inner;
    if (count < SFMI_FFT_COLUMNS) {
      memset(a, 0, n * SFMI_FFT_COLUMNS * sizeof *a);
      for (size_t j = 0; j < n; j++)
        memcpy(a + j * SFMI_FFT_COLUMNS, data + j * inner, count * sizeof *a);
      from = a;
      stride = SFMI_FFT_COLUMNS;
    }
    const double complex *rows =
        sfmi_fft_passes_run(job->axis->passes, from, stride, a, b, job->sign);
    for (size_t k = 0; k < n; k++)
      memcpy(data + k * inner, rows + k * SFMI_FFT_COLUMNS, count * sizeof *a);
  }
}

/* Rows become columns, and columns rows. */
static void rows_together(void *context, size_t share, size_t shares) {
  const axis_job *job = context;
  const size_t n = job->axis->n;
  double complex *a = sfmi_fft_work_a(job->work, share), *b = sfmi_fft_work_b(job->work, share);
  for (size_t block = share; block < blocks(job->outer); block += shares) {
    const size_t row = block * SFMI_FFT_COLUMNS, count = least(job->outer - row, SFMI_FFT_COLUMNS);
    double complex *data = job->data + row * job->stride;
    for (size_t j = 0; j < n; j++)
      for (size_t c = 0; c < SFMI_FFT_COLUMNS; c++)
        a[j * SFMI_FFT_COLUMNS + c] = c < count ? data[c * job->stride + j] : 0;
    const double complex *columns =
        sfmi_fft_passes_run(job->axis->passes, a, SFMI_FFT_COLUMNS, a, b, job->sign);
    for (size_t c = 0; c < count; c++)
      for (size_t k = 0; k < n; k++) data[c * job->stride + k] = columns[k * SFMI_FFT_COLUMNS + c];
  }
}

/* A long transform of each column; some are copied at a time, since they lie side by side. */
static void columns_apart(const axis_job *job, double complex *data) {
  const sfmi_fft_axis *axis = job->axis;
  const size_t n = axis->n, inner = axis->inner;
  double complex *copies = job->work->scratch + sfmi_fft_long_scratch(axis->whole);
  for (size_t column = 0; column < inner; column += SFMI_FFT_COLUMNS) {
    const size_t count = least(inner - column, SFMI_FFT_COLUMNS);
    for (size_t j = 0; j < n; j++)
      for (size_t c = 0; c < count; c++) copies[c * n + j] = data[j * inner + column + c];
    for (size_t c = 0; c < count; c++)
      sfmi_fft_long_run(axis->whole, copies + c * n, job->sign, job->work);
    for (size_t k = 0; k < n; k++)
      for (size_t c = 0; c < count; c++) data[k * inner + column + c] = copies[c * n + k];
  }
}

void sfmi_fft_axis_run(const sfmi_fft_axis *axis, double complex *data, size_t outer, size_t stride,
                       int sign, const sfmi_fft_work *work) {
  axis_job job = {axis, data, outer, stride, sign, work};
  const size_t numbers = outer * axis->n * axis->inner;
  if (axis->passes && axis->inner > 1)
    sfmi_fft_work_run(work, columns_together, &job, outer * blocks(axis->inner), numbers);
  else if (axis->passes)
    sfmi_fft_work_run(work, rows_together, &job, blocks(outer), numbers);
  for (size_t i = 0; axis->whole && i < outer; i++)
    if (axis->inner > 1)
      columns_apart(&job, data + i * stride);
    else
      sfmi_fft_long_run(axis->whole, data + i * stride, sign, work);
  for (size_t i = 0; axis->chirp && i < outer; i++)
    for (size_t c = 0; c < axis->inner; c++)
      sfmi_fft_chirp_run(axis->chirp, data + i * stride + c, axis->inner, sign, work);
}
