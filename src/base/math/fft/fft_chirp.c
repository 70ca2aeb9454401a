#include "fft_chirp.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fft_size.h"

struct sfmi_fft_chirp {
  size_t n, padded; /* padded >= 2n - 1 */
  sfmi_fft_long *fft;
  double complex *chirp;    /* v */
  double complex *spectrum; /* of conj(v), over padded */
};

/* Transforms the chirp, in work of its own. */
static sfm_status transform_chirp(sfmi_fft_chirp *fft, sfm_error *error) {
  const size_t n = fft->n, M = fft->padded;
  sfmi_fft_work work;
  if (!sfmi_fft_work_init(&work, 1, sfmi_fft_long_rows(fft->fft),
                          sfmi_fft_long_scratch(fft->fft))) {
    sfmi_fft_work_clear(&work);
    return sfmi_fail_memory(error);
  }
  for (size_t j = 0, square = 0; j < n; j++) { /* square = j² modulo 2n */
    fft->chirp[j] = conj(sfmi_fft_root(square, 2 * n));
    fft->spectrum[j] = fft->spectrum[j ? M - j : 0] = conj(fft->chirp[j]) / (double)M;
    square = (square + 2 * j + 1) % (2 * n);
  }
  sfmi_fft_long_run(fft->fft, fft->spectrum, 1, &work);
  sfmi_fft_work_clear(&work);
  return SFM_OK;
}

sfm_status sfmi_fft_chirp_create(sfmi_fft_chirp **out, size_t n, int kind, sfm_error *error) {
  *out = NULL;
  if (n > SIZE_MAX / 64) return sfmi_fail_memory(error);
  sfmi_fft_chirp *fft = sfmi_alloc(1, sizeof *fft);
  if (!fft) return sfmi_fail_memory(error);
  fft->n = n;
  fft->padded = sfmi_fft_size(2 * n - 1);
  fft->chirp = sfmi_fft_numbers(n);
  fft->spectrum = sfmi_fft_numbers(fft->padded);
  sfm_status status = fft->chirp && fft->spectrum ? SFM_OK : sfmi_fail_memory(error);
  if (!status) status = sfmi_fft_long_create(&fft->fft, fft->padded, kind, error);
  if (!status) status = transform_chirp(fft, error);
  if (status) {
    sfmi_fft_chirp_destroy(fft);
    return status;
  }
  *out = fft;
  return SFM_OK;
}

void sfmi_fft_chirp_destroy(sfmi_fft_chirp *fft) {
  if (!fft) return;
  sfmi_fft_long_destroy(fft->fft);
  free(fft->chirp);
  free(fft->spectrum);
  free(fft);
}

size_t sfmi_fft_chirp_rows(const sfmi_fft_chirp *fft) {
  return sfmi_fft_long_rows(fft->fft);
}

size_t sfmi_fft_chirp_scratch(const sfmi_fft_chirp *fft) {
  return sfmi_fft_long_scratch(fft->fft) + fft->padded;
}

void sfmi_fft_chirp_run(const sfmi_fft_chirp *fft, double complex *data, size_t stride, int sign,
                        const sfmi_fft_work *work) {
  /* Backward is the conjugate of forward, of the conjugate. */
  double complex *line = work->scratch + sfmi_fft_long_scratch(fft->fft);
  memset(line, 0, fft->padded * sizeof *line);
  for (size_t j = 0; j < fft->n; j++) {
    const double complex x = data[j * stride];
    line[j] = sfmi_fft_times(sign > 0 ? x : conj(x), fft->chirp[j]);
  }
  sfmi_fft_long_run(fft->fft, line, 1, work);
  for (size_t k = 0; k < fft->padded; k++) line[k] = sfmi_fft_times(line[k], fft->spectrum[k]);
  sfmi_fft_long_run(fft->fft, line, -1, work);
  for (size_t k = 0; k < fft->n; k++) {
    const double complex y = sfmi_fft_times(line[k], fft->chirp[k]);
    data[k * stride] = sign > 0 ? y : conj(y);
  }
}
