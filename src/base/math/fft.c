#include "fft.h"

#include <fftw3.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct sfmi_fft {
  double complex *data;
  fftw_plan forward, backward;
};

/* FFTW keeps its planner in a global of its own; this guards it. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

#define MAX_AXES 16

/* The shape as FFTW wants it and its product, or 0 when that is too large. */
static size_t shape_of(int *sizes, const size_t *shape, size_t dimension) {
  size_t total = 1;
  for (size_t a = 0; a < dimension && dimension <= MAX_AXES; a++) {
    if (shape[a] > INT_MAX || total > SIZE_MAX / sizeof(double complex) / shape[a]) return 0;
    sizes[a] = (int)shape[a];
    total *= shape[a];
  }
  return total;
}

sfm_status sfmi_fft_create(sfmi_fft **out, const size_t *shape, size_t dimension,
                           sfm_error *error) {
  *out = NULL;
  int sizes[MAX_AXES];
  const size_t total = shape_of(sizes, shape, dimension);
  if (!total) return sfmi_fail_memory(error);
  sfmi_fft *fft = sfmi_alloc(1, sizeof *fft);
  if (!fft) return sfmi_fail_memory(error);
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
  fftw_plan forward;
};

sfm_status sfmi_real_fft_create(sfmi_real_fft **out, const size_t *shape, size_t dimension,
                                sfm_error *error) {
  *out = NULL;
  int sizes[MAX_AXES];
  const size_t total = shape_of(sizes, shape, dimension), last = shape[dimension - 1];
  if (!total) return sfmi_fail_memory(error);
  sfmi_real_fft *fft = sfmi_alloc(1, sizeof *fft);
  if (!fft) return sfmi_fail_memory(error);
  fft->length = total / last * (last / 2 + 1);
  fft->data = fftw_malloc(fft->length * sizeof *fft->data);
  if (fft->data) {
    pthread_mutex_lock(&planner);
    fft->forward =
        fftw_plan_dft_r2c((int)dimension, sizes, (double *)fft->data, fft->data, FFTW_ESTIMATE);
    pthread_mutex_unlock(&planner);
  }
  if (!fft->data || !fft->forward) {
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

/* The least of `best` and the products p >= least of `product` with powers of the primes, of which
 * none is below 2: products are walked through, since most numbers near least are none. */
static size_t least_product(size_t least, size_t product, const unsigned *primes, size_t count,
                            size_t best) {
  while (product < least && product < best) {
    if (count > 1) best = least_product(least, product, primes + 1, count - 1, best);
    if (product > SIZE_MAX / primes[0]) return best;
    product *= primes[0];
  }
  return product < best ? product : best;
}

size_t sfmi_fft_odd_size(size_t least) {
  static const unsigned primes[] = {13, 11, 7, 5, 3};
  return least_product(least, 1, primes, 5, SIZE_MAX);
}

size_t sfmi_fft_size(size_t least) {
  static const unsigned primes[] = {7, 5, 3, 2};
  return least_product(least, 1, primes, 4, SIZE_MAX);
}
