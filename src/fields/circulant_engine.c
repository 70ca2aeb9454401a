/* circulant_engine.c - stationary kernels on a regular grid of up to three dimensions.
 *
 * The grid has m_a places along axis a and is laid into a torus of n_a >= 2 (m_a - 1), even.  There
 *   c(j) = K(distances s_a min(j_a, n_a - j_a))
 * agrees with the kernel between any two places of the grid, and the matrix C(j, l) = c(j - l) has
 * the eigenvalues lambda = F c, real and even in each axis since c is.  With N = prod n_a and
 * independent standard normals z,
 *   x_j = N^-1/2 sum_k cas(2 pi <j, k/n>) lambda_k^1/2 z_k,  cas t = cos t + sin t,
 * has E x_j x_l = N^-1 sum_k lambda_k (cos(..j - l..) + sin(..j + l..)) = c(j - l), the sines
 * cancelling between k and -k.  For real y, sum_k cas(..) y_k is Re - Im of its transform, whose
 * stored half (last index <= n/2) holds the whole grid.  So eigenvalues and path take one real
 * transform each, and no entry of the spectrum is special.
 *
 * lambda may have negative entries.  The torus is then doubled along its shortest axis, in
 * bandwidths, until they all exceed -TOLERANCE times the largest; those below zero are raised to
 * zero.  Raising only adds variance: `excess` per value, the mean over the eigenvalues.
 *
 * Rounding.  Three things move the covariance of the computed path away from K between the places
 * as they are (places of a grid are rounded numbers).  In the spectral norm they move it by at most
 * the sum of
 *
 * 1. the transform: |error of lambda|_2 <= 16 u (1 + log2 N) |lambda|_2 (base/math/fft/fft.h),
 *    so no eigenvalue is off by more;
 * 2. c: each c(j) by a few u of itself, 16 u sum c = 16 u lambda_0 (the kernels here are >= 0);
 * 3. the places: a difference of coordinates is off by delta <= 32 u max(|lower|, |upper|), the
 *    rounding of s_a j included, and 2 delta < s_a (places.c).  Along a line of axis a the kernel
 *    is a function g of the distance with |g'| <= 1/h, rising and falling once on each side, and
 *    of variation at most 2, so the sum over places of sup |g'| within delta of them is at most
 *    2/s + 4/h.  A row sum of the change, and so its norm, is at most delta (2/s + 4/h) times the
 *    number of lines, summed over the axes.
 *
 * Half of the nugget is kept for this.  Where the bound is larger (coordinates far from zero beside
 * the spacing), what is missing is added to every eigenvalue, and to the excess. */
#include "circulant_engine.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/math/fft/fft.h"
#include "field_engine.h"
#include "gram_engine.h"

/* Accepted negative eigenvalues, relative to the largest: far above rounding (1e-14).  When they
 * are raised the variance of a value grows by about ten times as much (1e-5), which is negligible.
 */
static const double TOLERANCE = 1e-6;

enum { AXES = SFMI_CIRCULANT_DIMENSIONS };

/* Axes are aligned at the end; missing axes have one place. */
typedef struct torus {
  size_t counts[AXES]; /* m */
  size_t sizes[AXES];  /* n */
  size_t halves[AXES]; /* n/2 + 1: places that differ, since all is even */
  double spacing[AXES];
  size_t dimension, total; /* d, N */
} torus;

typedef struct circulant {
  sfmi_field field;
  torus torus;
  double *roots; /* (lambda_k/N)^1/2, halves */
  sfmi_real_fft *fft;
} circulant;

static void resize(torus *t) {
  t->total = 1;
  for (size_t a = 0; a < AXES; a++) {
    t->halves[a] = t->sizes[a] / 2 + 1;
    t->total = t->sizes[a] > SIZE_MAX / t->total ? SIZE_MAX : t->total * t->sizes[a];
  }
}

static void lay(torus *t, const sfmi_places *places) {
  *t = (torus){.dimension = places->dimension};
  for (size_t a = 0; a < AXES; a++) t->counts[a] = t->sizes[a] = 1;
  for (size_t b = 0; b < places->dimension; b++) {
    const size_t a = AXES - places->dimension + b;
    t->counts[a] = places->counts[b];
    t->sizes[a] = 2 * sfmi_fft_size(t->counts[a] - 1);
    t->spacing[a] = (places->upper[b] - places->lower[b]) / (double)(t->counts[a] - 1);
  }
  resize(t);
}

/* Doubles the axis that is shortest in bandwidths: there the kernel is cut where it is largest. */
static void grow(torus *t, const double *bandwidth) {
  size_t shortest = AXES - 1;
  double least = INFINITY;
  for (size_t b = 0; b < t->dimension; b++) {
    const size_t a = AXES - t->dimension + b;
    const double length = (double)t->sizes[a] * t->spacing[a] / bandwidth[b];
    if (length < least) least = length, shortest = a;
  }
  t->sizes[shortest] *= 2;
  resize(t);
}

/* The index of -i on an axis of n. */
static size_t mirror(size_t i, size_t n) {
  return i ? n - i : 0;
}

bool sfmi_circulant_likely(const sfm_kernel *kernel, const sfmi_places *places) {
  /* Bandwidths along an axis at which the tolerance is kept.  A product of exponentials is convex
   * along each axis, so that every torus will do. */
  static const double reach[] = {
      [SFM_KERNEL_GAUSSIAN] = 11, [SFM_KERNEL_LAPLACIAN] = 0, [SFM_KERNEL_MATERN12] = 14,
      [SFM_KERNEL_MATERN32] = 14, [SFM_KERNEL_MATERN52] = 14, [SFM_KERNEL_CAUCHY] = 40};
  torus t;
  lay(&t, places);
  for (size_t b = 0; b < t.dimension; b++) {
    const size_t a = AXES - t.dimension + b;
    const double wanted = reach[kernel->family] * kernel->bandwidth[b] / t.spacing[a];
    while ((double)t.sizes[a] < wanted && t.sizes[a] <= SFMI_CIRCULANT_MAX) t.sizes[a] *= 2;
  }
  resize(&t);
  return t.total <= SFMI_CIRCULANT_MAX;
}

/* c along one line of the last axis. */
static void fill_line(double *line, const torus *t, const sfm_kernel *kernel, double *distance) {
  static const double origin[AXES] = {0};
  const size_t n = t->sizes[AXES - 1];
  for (size_t j = 0; j < t->halves[AXES - 1]; j++) {
    distance[AXES - 1] = (double)j * t->spacing[AXES - 1];
    line[j] = line[mirror(j, n)] = sfm_kernel_at(kernel, origin, distance + AXES - t->dimension);
  }
}

/* c on the whole torus: each distinct line is computed once, then copied to its mirror images. */
static void fill(double *data, const torus *t, const sfm_kernel *kernel) {
  const size_t n0 = t->sizes[0], n1 = t->sizes[1], n2 = t->sizes[2];
  const size_t stride = sfmi_real_fft_stride(n2);
  double distance[AXES];
  for (size_t i = 0; i < t->halves[0]; i++)
    for (size_t j = 0; j < t->halves[1]; j++) {
      const double *line = data + (i * n1 + j) * stride;
      const size_t rows[] = {i * n1 + mirror(j, n1), mirror(i, n0) * n1 + j,
                             mirror(i, n0) * n1 + mirror(j, n1)};
      distance[0] = (double)i * t->spacing[0];
      distance[1] = (double)j * t->spacing[1];
      fill_line(data + (i * n1 + j) * stride, t, kernel, distance);
      for (size_t r = 0; r < 3; r++)
        for (size_t k = 0; k < n2 && data + rows[r] * stride != line; k++)
          data[rows[r] * stride + k] = line[k];
    }
}

/* How many eigenvalues a folded index stands for along its axis: one at 0 and n/2, else two. */
static double times(const torus *t, size_t a, size_t k) {
  return k == 0 || 2 * k == t->sizes[a] ? 1 : 2;
}

typedef struct summary {
  double least, largest, squares, raised; /* raised: the sum of what lies below zero */
} summary;

/* roots := lambda, folded. */
static summary collect(double *roots, const torus *t, const sfmi_real_fft *fft) {
  summary s = {INFINITY, -INFINITY, 0, 0};
  const size_t half = t->halves[2];
  for (size_t i = 0; i < t->halves[0]; i++)
    for (size_t j = 0; j < t->halves[1]; j++) {
      const double complex *line = sfmi_real_fft_spectrum(fft) + (i * t->sizes[1] + j) * half;
      double *to = roots + (i * t->halves[1] + j) * half;
      const double lines = times(t, 0, i) * times(t, 1, j);
      for (size_t k = 0; k < half; k++) {
        const double lambda = creal(line[k]), weight = lines * times(t, 2, k);
        to[k] = lambda;
        s.least = fmin(s.least, lambda);
        s.largest = fmax(s.largest, lambda);
        s.squares += weight * lambda * lambda;
        s.raised += weight * fmax(-lambda, 0);
      }
    }
  return s;
}

/* The bound of the opening comment. */
static double rounding(const torus *t, const sfm_kernel *kernel, const sfmi_places *places,
                       const summary *s) {
  const double u = DBL_EPSILON / 2;
  double bound =
      SFMI_FFT_ERROR * (1 + log2((double)t->total)) * sqrt(s->squares) + 16 * u * s->largest;
  for (size_t a = 0; a < places->dimension; a++) {
    const double far = fmax(fabs(places->lower[a]), fabs(places->upper[a]));
    const double lines = (double)places->count / (double)places->counts[a];
    const double spacing = t->spacing[AXES - places->dimension + a];
    bound += 16 * DBL_EPSILON * far * (2 / spacing + 4 / kernel->bandwidth[a]) * lines;
  }
  return bound;
}

/* roots: from lambda to (max(lambda, 0) + nugget + extra)^1/2 N^-1/2. */
static void take_roots(circulant *self, const sfm_kernel *kernel, const sfmi_places *places,
                       const summary *s) {
  const torus *t = &self->torus;
  const double nugget = self->field.nugget;
  const double extra = fmax(rounding(t, kernel, places, s) - nugget / 2, 0);
  const double scale = 1 / (double)t->total;
  const size_t length = t->halves[0] * t->halves[1] * t->halves[2];
  for (size_t k = 0; k < length; k++)
    self->roots[k] = sqrt((fmax(self->roots[k], 0) + (nugget + extra)) * scale);
  self->field.excess = s->raised * scale + extra;
}

static sfm_status too_large(const sfm_kernel *kernel, const sfmi_places *places, size_t minimal,
                            size_t most, sfm_error *error) {
  const bool gaussian = kernel->family == SFM_KERNEL_GAUSSIAN;
  if (minimal > most)
    return sfmi_fail(error, SFM_INVALID,
                     "the engine circulant would need a torus of %zu places for this grid and has "
                     "at most %zu; use %sa grid of fewer places",
                     minimal, most, gaussian ? "spectral or " : "");
  return sfmi_fail(error, SFM_INVALID,
                   "the engine circulant finds no torus of at most %zu places on which the %s "
                   "kernel is positive definite: the bandwidth is too large beside the grid; use "
                   "%s%sa grid of fewer places, or a smaller bandwidth",
                   most, sfm_kernel_family_name(kernel->family), gaussian ? "spectral, " : "",
                   places->count <= SFMI_GRAM_MAX ? "gram, " : "");
}

/* Eigenvalues of the present torus. */
static sfm_status decompose(circulant *self, const sfm_kernel *kernel, summary *s,
                            sfm_error *error) {
  const torus *t = &self->torus;
  sfmi_real_fft_destroy(self->fft);
  free(self->roots);
  self->roots = NULL;
  sfm_status status =
      sfmi_real_fft_create(&self->fft, t->sizes + AXES - t->dimension, t->dimension, error);
  if (status) return status;
  self->roots = sfmi_alloc(t->halves[0] * t->halves[1] * t->halves[2], sizeof *self->roots);
  if (!self->roots) return sfmi_fail_memory(error);
  fill(sfmi_real_fft_data(self->fft), t, kernel);
  sfmi_real_fft_forward(self->fft);
  *s = collect(self->roots, t, self->fft);
  return SFM_OK;
}

/* data := roots x normals, line by line. */
static void load(double *data, const circulant *self, const double *normals) {
  const torus *t = &self->torus;
  const size_t n0 = t->sizes[0], n1 = t->sizes[1], n2 = t->sizes[2], half = t->halves[2];
  for (size_t i = 0; i < n0; i++)
    for (size_t j = 0; j < n1; j++) {
      const size_t fold0 = i < t->halves[0] ? i : n0 - i, fold1 = j < t->halves[1] ? j : n1 - j;
      const double *root = self->roots + (fold0 * t->halves[1] + fold1) * half;
      const double *from = normals + (i * n1 + j) * n2;
      double *to = data + (i * n1 + j) * sfmi_real_fft_stride(n2);
      for (size_t k = 0; k < half && k < n2; k++) to[k] = root[k] * from[k];
      for (size_t k = half; k < n2; k++) to[k] = root[n2 - k] * from[k];
    }
}

static void path(sfmi_field *field, double *values, double *normals) {
  circulant *self = (circulant *)field;
  const torus *t = &self->torus;
  load(sfmi_real_fft_data(self->fft), self, normals);
  sfmi_real_fft_forward(self->fft);
  for (size_t i = 0; i < t->counts[0]; i++)
    for (size_t j = 0; j < t->counts[1]; j++) {
      const double complex *line =
          sfmi_real_fft_spectrum(self->fft) + (i * t->sizes[1] + j) * t->halves[2];
      for (size_t k = 0; k < t->counts[2]; k++) *values++ = creal(line[k]) - cimag(line[k]);
    }
}

static void destroy(sfmi_field *field) {
  circulant *self = (circulant *)field;
  sfmi_real_fft_destroy(self->fft);
  free(self->roots);
  free(self);
}

/* The smallest torus on which the kernel is positive definite to within the tolerance. */
static sfm_status embed(circulant *self, const sfm_kernel *kernel, const sfmi_places *places,
                        summary *s, size_t most, sfm_error *error) {
  lay(&self->torus, places);
  const size_t minimal = self->torus.total;
  while (self->torus.total <= most) {
    sfm_status status = decompose(self, kernel, s, error);
    if (status || s->least > -TOLERANCE * s->largest) return status;
    grow(&self->torus, kernel->bandwidth);
  }
  return too_large(kernel, places, minimal, most, error);
}

sfm_status sfmi_circulant_create(sfmi_field **out, const sfm_kernel *kernel,
                                 const sfmi_places *places, double nugget, size_t most,
                                 sfm_error *error) {
  circulant *self = sfmi_alloc(1, sizeof *self);
  if (!self) return sfmi_fail_memory(error);
  self->field =
      (sfmi_field){.count = places->count, .nugget = nugget, .path = path, .destroy = destroy};
  summary s = {0};
  sfm_status status = embed(self, kernel, places, &s, most, error);
  if (status) {
    destroy(&self->field);
    return status;
  }
  take_roots(self, kernel, places, &s);
  self->field.normals = self->torus.total;
  *out = &self->field;
  return SFM_OK;
}
