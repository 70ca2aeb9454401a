#include "fft.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/processor.h"
#include "fft_axis.h"

/* ---- complex numbers ---- */

struct sfmi_fft {
  double complex *data;
  size_t dimension, total; /* numbers of data */
  sfmi_fft_axis axes[SFMI_FFT_AXES_MAX];
  sfmi_fft_work work;
};

/* The product of the sizes, or 0 when the array would be too large. */
static size_t product(const size_t *shape, size_t dimension) {
  size_t total = 1;
  if (dimension > SFMI_FFT_AXES_MAX) return 0;
  for (size_t a = 0; a < dimension; a++) {
    if (shape[a] == 0 || total > SIZE_MAX / 64 / shape[a]) return 0;
    total *= shape[a];
  }
  return total;
}

/* The axes of an array of `total` numbers, and work for them and for what else is wanted of it. */
static sfm_status prepare(sfmi_fft_axis *axes, sfmi_fft_work *work, const size_t *shape,
                          size_t dimension, size_t total, int kind, size_t threads, size_t rows,
                          size_t scratch, sfm_error *error) {
  for (size_t a = 0, outer = 1; a < dimension; outer *= shape[a++]) {
    const size_t inner = total / outer / shape[a];
    sfm_status status = sfmi_fft_axis_init(&axes[a], outer, shape[a], inner, kind, error);
    if (status) return status;
    sfmi_fft_axis_wants(&axes[a], &rows, &scratch);
  }
  threads = sfmi_thread_count(threads, sfmi_fft_work_shares(total));
  return sfmi_fft_work_init(work, threads, rows, scratch) ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_fft_create(sfmi_fft **out, const size_t *shape, size_t dimension,
                           sfm_error *error) {
  return sfmi_fft_create_for(out, shape, dimension, sfmi_processor_best(), 0, error);
}

sfm_status sfmi_fft_create_for(sfmi_fft **out, const size_t *shape, size_t dimension, int kind,
                               size_t threads, sfm_error *error) {
  *out = NULL;
  const size_t total = product(shape, dimension);
  sfmi_fft *fft = total ? sfmi_alloc(1, sizeof *fft) : NULL;
  if (!fft) return sfmi_fail_memory(error);
  fft->dimension = dimension;
  fft->total = total;
  fft->data = sfmi_fft_numbers(total);
  sfm_status status = fft->data ? prepare(fft->axes, &fft->work, shape, dimension, total, kind,
                                          threads, 0, 0, error)
                                : sfmi_fail_memory(error);
  if (status) {
    sfmi_fft_destroy(fft);
    return status;
  }
  *out = fft;
  return SFM_OK;
}

void sfmi_fft_destroy(sfmi_fft *fft) {
  if (!fft) return;
  for (size_t a = 0; a < fft->dimension; a++) sfmi_fft_axis_clear(&fft->axes[a]);
  sfmi_fft_work_clear(&fft->work);
  sfmi_fft_numbers_free(fft->data, fft->total);
  free(fft);
}

double complex *sfmi_fft_data(sfmi_fft *fft) {
  return fft->data;
}

static void transform(sfmi_fft *fft, int sign) {
  for (size_t a = fft->dimension; a-- > 0;) {
    const size_t each = fft->axes[a].n * fft->axes[a].inner;
    sfmi_fft_axis_run(&fft->axes[a], fft->data, fft->total / each, each, sign, &fft->work);
  }
}

void sfmi_fft_forward(sfmi_fft *fft) {
  transform(fft, 1);
}

void sfmi_fft_backward(sfmi_fft *fft) {
  transform(fft, -1);
}

/* ---- real numbers ---- */

struct sfmi_real_fft {
  double complex *data;
  size_t dimension, n; /* n: of the last axis */
  size_t rows, stride; /* along the last axis; n/2 + 1 */
  /* Of the array of complex numbers, but the last one is of the rows: n/2 pairs of neighbours if n
   * is even, else n numbers in `line`. */
  sfmi_fft_axis axes[SFMI_FFT_AXES_MAX];
  sfmi_fft_work work;
  sfmi_fft_roots roots; /* of n */
  double complex *line;
};

sfm_status sfmi_real_fft_create(sfmi_real_fft **out, const size_t *shape, size_t dimension,
                                sfm_error *error) {
  return sfmi_real_fft_create_for(out, shape, dimension, sfmi_processor_best(), 0, error);
}

static sfm_status prepare_real(sfmi_real_fft *fft, const size_t *shape, int kind, size_t threads,
                               sfm_error *error) {
  const size_t last = fft->dimension - 1, n = fft->n;
  const bool even = n % 2 == 0;
  fft->data = sfmi_fft_numbers(fft->rows * fft->stride);
  fft->line = even ? NULL : sfmi_fft_numbers(n);
  if (!fft->data || !(even || fft->line) || !sfmi_fft_roots_init(&fft->roots, n))
    return sfmi_fail_memory(error);
  size_t rows = 0, scratch = 0;
  sfm_status status =
      sfmi_fft_axis_init(&fft->axes[last], even ? fft->rows : 1, even ? n / 2 : n, 1, kind, error);
  if (status) return status;
  sfmi_fft_axis_wants(&fft->axes[last], &rows, &scratch);
  return prepare(fft->axes, &fft->work, shape, last, fft->rows * fft->stride, kind, threads, rows,
                 scratch, error);
}

sfm_status sfmi_real_fft_create_for(sfmi_real_fft **out, const size_t *shape, size_t dimension,
                                    int kind, size_t threads, sfm_error *error) {
  *out = NULL;
  const size_t total = product(shape, dimension);
  sfmi_real_fft *fft = total && dimension ? sfmi_alloc(1, sizeof *fft) : NULL;
  if (!fft) return sfmi_fail_memory(error);
  fft->dimension = dimension;
  fft->n = shape[dimension - 1];
  fft->rows = total / fft->n;
  fft->stride = fft->n / 2 + 1;
  sfm_status status = prepare_real(fft, shape, kind, threads, error);
  if (status) {
    sfmi_real_fft_destroy(fft);
    return status;
  }
  *out = fft;
  return SFM_OK;
}

void sfmi_real_fft_destroy(sfmi_real_fft *fft) {
  if (!fft) return;
  for (size_t a = 0; a < fft->dimension; a++) sfmi_fft_axis_clear(&fft->axes[a]);
  sfmi_fft_work_clear(&fft->work);
  sfmi_fft_roots_clear(&fft->roots);
  sfmi_fft_numbers_free(fft->data, fft->rows * fft->stride);
  sfmi_fft_numbers_free(fft->line, fft->n);
  free(fft);
}

double *sfmi_real_fft_data(sfmi_real_fft *fft) {
  return (double *)fft->data;
}

const double complex *sfmi_real_fft_spectrum(const sfmi_real_fft *fft) {
  return fft->data;
}

/* Frequencies of a row that are one piece of work. */
static const size_t PIECE = 1 << 12;

typedef struct split_job {
  const sfmi_real_fft *fft;
  bool forward;
} split_job;

/* n = 2h reals as h pairs z = x[2j] + i x[2j+1] have the transform Z, and with w = e^(-2 pi i/n)
 *     X[k] = E + w^k O,  X[h-k] = conj(E - w^k O),  E = (Z[k] + conj Z[h-k])/2,  O = (Z[k] - conj
 * Z[h-k])/2i. From X to Z: twice E and O, since the transform of h numbers gives h times, not n
 * times them. */
static void split_pair(double complex *row, size_t k, size_t h, double complex root, bool forward) {
  const double complex p = row[k], q = conj(row[h - k]);
  const double scale = forward ? 0.5 : 1;
  const double complex even = scale * (p + q);
  double complex odd = scale * (p - q);
  if (forward) {
    odd = CMPLX(cimag(odd), -creal(odd)); /* divided by i */
    odd = sfmi_fft_times(odd, conj(root));
  } else {
    odd = sfmi_fft_times(odd, root);
    odd = CMPLX(-cimag(odd), creal(odd)); /* times i */
  }
  row[k] = even + odd;
  row[h - k] = conj(even - odd);
}

static void split(void *context, size_t share, size_t shares) {
  const split_job *job = context;
  const sfmi_real_fft *fft = job->fft;
  const size_t h = fft->n / 2, pieces = h / 2 / PIECE + 1;
  for (size_t piece = share; piece < fft->rows * pieces; piece += shares) {
    double complex *row = fft->data + piece / pieces * fft->stride;
    const size_t first = piece % pieces * PIECE;
    for (size_t k = first ? first : 1; k <= h / 2 && k < first + PIECE; k++)
      split_pair(row, k, h, sfmi_fft_roots_at(&fft->roots, k), job->forward);
    if (first > 0) continue;
    if (job->forward) {
      const double x = creal(row[0]), y = cimag(row[0]);
      row[0] = x + y;
      row[h] = x - y;
    } else {
      const double x = creal(row[0]), y = creal(row[h]);
      row[0] = CMPLX(x + y, x - y);
    }
  }
}

static void split_rows(sfmi_real_fft *fft, bool forward) {
  split_job job = {fft, forward};
  const size_t h = fft->n / 2;
  sfmi_fft_work_run(&fft->work, split, &job, fft->rows * (h / 2 / PIECE + 1), fft->rows * h);
}

static void transform_pairs(sfmi_real_fft *fft, int sign) {
  const sfmi_fft_axis *last = &fft->axes[fft->dimension - 1];
  if (sign < 0) split_rows(fft, false);
  sfmi_fft_axis_run(last, fft->data, fft->rows, fft->stride, sign, &fft->work);
  if (sign > 0) split_rows(fft, true);
}

static void transform_lines(sfmi_real_fft *fft, int sign) {
  const sfmi_fft_axis *last = &fft->axes[fft->dimension - 1];
  const size_t n = fft->n;
  for (size_t r = 0; r < fft->rows; r++) {
    double complex *row = fft->data + r * fft->stride, *line = fft->line;
    double *reals = (double *)row;
    if (sign > 0) {
      for (size_t j = 0; j < n; j++) line[j] = reals[j];
    } else {
      line[0] = creal(row[0]);
      for (size_t k = 1; k <= n / 2; k++) line[k] = row[k], line[n - k] = conj(row[k]);
    }
    sfmi_fft_axis_run(last, line, 1, n, sign, &fft->work);
    if (sign > 0)
      memcpy(row, line, fft->stride * sizeof *row);
    else
      for (size_t j = 0; j < n; j++) reals[j] = creal(line[j]);
  }
}

static void transform_last(sfmi_real_fft *fft, int sign) {
  if (fft->n % 2 == 0)
    transform_pairs(fft, sign);
  else
    transform_lines(fft, sign);
}

static void transform_others(sfmi_real_fft *fft, int sign) {
  const size_t total = fft->rows * fft->stride;
  for (size_t a = fft->dimension - 1; a-- > 0;) {
    const size_t each = fft->axes[a].n * fft->axes[a].inner;
    sfmi_fft_axis_run(&fft->axes[a], fft->data, total / each, each, sign, &fft->work);
  }
}

void sfmi_real_fft_forward(sfmi_real_fft *fft) {
  transform_last(fft, 1);
  transform_others(fft, 1);
}

void sfmi_real_fft_backward(sfmi_real_fft *fft) {
  transform_others(fft, -1);
  transform_last(fft, -1);
}
