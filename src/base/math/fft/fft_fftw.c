/* fft_fftw.c - fft.h by FFTW, with -DSFUMATO_FFTW=ON: then a binary may only be distributed as
 * FFTW's licence says (docs/licences.md).  It is built in place of fft.c; kinds of processors and
 * threads are FFTW's own. */
#include "fft.h"

#include <fftw3.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct sfmi_fft {
  double complex *data;
  size_t total; /* numbers of data */
  fftw_plan forward, backward;
};

/* FFTW keeps its planner in a global of its own; this guards it. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

/* The shape as FFTW wants it and its product, or 0 when that is too large. */
static size_t shape_of(int *sizes, const size_t *shape, size_t dimension) {
  size_t total = 1;
  if (dimension > SFMI_FFT_AXES_MAX) return 0;
  for (size_t a = 0; a < dimension; a++) {
    if (shape[a] == 0 || shape[a] > INT_MAX || total > SIZE_MAX / sizeof(double complex) / shape[a])
      return 0;
    sizes[a] = (int)shape[a];
    total *= shape[a];
  }
  return total;
}

sfm_status sfmi_fft_create_for(sfmi_fft **out, const size_t *shape, size_t dimension, int kind,
                               size_t threads, sfm_error *error) {
  (void)kind, (void)threads;
  return sfmi_fft_create(out, shape, dimension, error);
}

sfm_status sfmi_fft_create(sfmi_fft **out, const size_t *shape, size_t dimension,
                           sfm_error *error) {
  *out = NULL;
  int sizes[SFMI_FFT_AXES_MAX];
  const size_t total = shape_of(sizes, shape, dimension);
  if (!total) return sfmi_fail_memory(error);
  sfmi_fft *fft = sfmi_alloc(1, sizeof *fft);
  if (!fft) return sfmi_fail_memory(error);
  fft->total = total;
  fft->data = fftw_malloc(total * sizeof *fft->data);
  if (fft->data) {
    pthread_mutex_lock(&planner);
    fft->forward =
        fftw_plan_dft((int)dimension, sizes, fft->data, fft->data, FFTW_FORWARD, FFTW_ESTIMATE);
    fft->backward =
        fftw_plan_dft((int)dimension, sizes, fft->data, fft->data, FFTW_BACKWARD, FFTW_ESTIMATE);
    pthread_mutex_unlock(&planner);
  }
  if (!fft->data || !fft->forward || !fft->backward) {
    sfmi_fft_destroy(fft);
    return sfmi_fail_memory(error);
  }
  for (size_t i = 0; i < total; i++) fft->data[i] = 0;
  *out = fft;
  return SFM_OK;
}

void sfmi_fft_destroy(sfmi_fft *fft) {
  if (!fft) return;
  pthread_mutex_lock(&planner);
  if (fft->forward) fftw_destroy_plan(fft->forward);
  if (fft->backward) fftw_destroy_plan(fft->backward);
  pthread_mutex_unlock(&planner);
  if (fft->data) explicit_bzero(fft->data, fft->total * sizeof *fft->data);
  fftw_free(fft->data);
  free(fft);
}

double complex *sfmi_fft_data(sfmi_fft *fft) {
  return fft->data;
}

void sfmi_fft_forward(sfmi_fft *fft) {
  fftw_execute(fft->forward);
}

void sfmi_fft_backward(sfmi_fft *fft) {
  fftw_execute(fft->backward);
}

struct sfmi_real_fft {
  double complex *data;
  size_t length; /* of data */
  fftw_plan forward, backward;
};

sfm_status sfmi_real_fft_create_for(sfmi_real_fft **out, const size_t *shape, size_t dimension,
                                    int kind, size_t threads, sfm_error *error) {
  (void)kind, (void)threads;
  return sfmi_real_fft_create(out, shape, dimension, error);
}

sfm_status sfmi_real_fft_create(sfmi_real_fft **out, const size_t *shape, size_t dimension,
                                sfm_error *error) {
  *out = NULL;
  int sizes[SFMI_FFT_AXES_MAX];
  const size_t total = shape_of(sizes, shape, dimension),
               last = dimension ? shape[dimension - 1] : 0;
  if (!total || !last) return sfmi_fail_memory(error);
  sfmi_real_fft *fft = sfmi_alloc(1, sizeof *fft);
  if (!fft) return sfmi_fail_memory(error);
  fft->length = total / last * (last / 2 + 1);
  fft->data = fftw_malloc(fft->length * sizeof *fft->data);
  if (fft->data) {
    pthread_mutex_lock(&planner);
    fft->forward =
        fftw_plan_dft_r2c((int)dimension, sizes, (double *)fft->data, fft->data, FFTW_ESTIMATE);
    fft->backward =
        fftw_plan_dft_c2r((int)dimension, sizes, fft->data, (double *)fft->data, FFTW_ESTIMATE);
    pthread_mutex_unlock(&planner);
  }
  if (!fft->data || !fft->forward || !fft->backward) {
    sfmi_real_fft_destroy(fft);
    return sfmi_fail_memory(error);
  }
  memset(fft->data, 0, fft->length * sizeof *fft->data);
  *out = fft;
  return SFM_OK;
}

void sfmi_real_fft_destroy(sfmi_real_fft *fft) {
  if (!fft) return;
  pthread_mutex_lock(&planner);
  if (fft->forward) fftw_destroy_plan(fft->forward);
  if (fft->backward) fftw_destroy_plan(fft->backward);
  pthread_mutex_unlock(&planner);
  if (fft->data) explicit_bzero(fft->data, fft->length * sizeof *fft->data);
  fftw_free(fft->data);
  free(fft);
}

double *sfmi_real_fft_data(sfmi_real_fft *fft) {
  return (double *)fft->data;
}

const double complex *sfmi_real_fft_spectrum(const sfmi_real_fft *fft) {
  return fft->data;
}

void sfmi_real_fft_forward(sfmi_real_fft *fft) {
  fftw_execute(fft->forward);
}

void sfmi_real_fft_backward(sfmi_real_fft *fft) {
  fftw_execute(fft->backward);
}
