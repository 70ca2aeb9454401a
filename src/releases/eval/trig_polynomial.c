#include "trig_polynomial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/elementary.h"
#include "base/math/linear_algebra.h"

/* How many places the ring of a periodic axis starts after the lattice: so that 0 <= margin < s. */
static size_t rotation(const sfmi_lattice *lattice, size_t a) {
  return lattice->axis[a].boundary == SFM_BOUNDARY_PERIODIC ? lattice->order / 2 - 1 : 0;
}

/* The lattice's place whose mass lies at place i of the ring, or SIZE_MAX: none. */
static size_t source(const sfmi_lattice *lattice, size_t a, size_t i) {
  const sfmi_lattice_axis *axis = &lattice->axis[a];
  const size_t cells = axis->cells;
  if (axis->boundary == SFM_BOUNDARY_OPEN) return i < axis->points ? i : SIZE_MAX;
  if (axis->boundary == SFM_BOUNDARY_PERIODIC) return (i + rotation(lattice, a)) % cells;
  /* The ring starts at lower - s/2, the mirror image of place 0. */
  return i == 0 ? 0 : i <= cells ? i - 1 : 2 * cells - i;
}

/* The signed frequency at position i of an axis with P modes. */
static double frequency(size_t i, size_t P) {
  return i <= P / 2 ? (double)i : (double)i - (double)P;
}

static void fill_transfer(sfmi_trig_poly *poly, size_t a) {
  const sfm_release *release = poly->release;
  const size_t P = poly->modes[a];
  const double h = release->function->bandwidth[a];
  for (size_t i = 0; i < P; i++) {
    double j = frequency(i, P);
    if (release->method == SFMI_LATTICE) {
      poly->transfer[a][i] =
          sfmi_gaussian_transform(j / poly->period[a], h) / poly->period[a] /
          sfmi_power(sfmi_sinc(j / (double)poly->shape[a]), release->function->lattice.order);
    } else if (sfmi_release_harmonic(release)) {
      poly->transfer[a][i] = sfmi_torus_lambda(&release->function->torus[a], (size_t)fabs(j)) /
                             release->function->torus[a].period * (i ? M_SQRT1_2 : 1);
    } else {
      poly->transfer[a][i] = sfmi_torus_amplitude(&release->function->torus[a], (size_t)fabs(j)) *
                             (i ? M_SQRT1_2 : 1) / release->function->torus[a].unit;
    }
  }
}

/* Sizes and places of axis a, and its transfer. */
static sfm_status set_axis(sfmi_trig_poly *poly, size_t a, sfm_error *error) {
  const sfm_release *release = poly->release;
  const bool lattice = release->method == SFMI_LATTICE;
  const sfmi_lattice_axis *axis = &release->function->lattice.axis[a];
  const size_t N = lattice ? sfmi_lattice_padded(axis, release->function->bandwidth[a])
                           : 2 * release->function->torus[a].terms + 1;
  if (N > SFMI_PADDED_MAX || poly->length > SFMI_PADDED_MAX / N)
    return sfmi_fail(error, SFM_FORMAT, "the padded lattice would have more than %zu points",
                     SFMI_PADDED_MAX);
  poly->shape[a] = N;
  poly->modes[a] = sfmi_lattice_modes(N);
  poly->length *= N;
  poly->lower[a] = release->lower[a];
  poly->margin[a] =
      !lattice ? release->function->torus[a].margin
      : axis->boundary == SFM_BOUNDARY_REFLECT
          ? 0.5 * axis->spacing
          : axis->margin - axis->spacing * (double)rotation(&release->function->lattice, a);
  poly->period[a] = !lattice                                  ? release->function->torus[a].period
                    : axis->boundary == SFM_BOUNDARY_PERIODIC ? axis->upper - axis->lower
                    : axis->boundary == SFM_BOUNDARY_REFLECT  ? 2 * (axis->upper - axis->lower)
                                                              : axis->spacing * (double)N;
  poly->transfer[a] = sfmi_alloc(poly->modes[a], sizeof(double));
  if (!poly->transfer[a]) return sfmi_fail_memory(error);
  fill_transfer(poly, a);
  return SFM_OK;
}

/* Room for c, and for what it is made from. */
static sfm_status set_room(sfmi_trig_poly *poly, sfm_error *error) {
  const bool lattice = poly->release->method == SFMI_LATTICE;
  size_t transformed = poly->length, longest = 1;
  poly->length = 1;
  for (size_t a = 0; a < poly->dimension; a++) {
    poly->length *= poly->modes[a];
    if (poly->shape[a] > longest) longest = poly->shape[a];
  }
  if (lattice) {
    sfm_status status = sfmi_fft_create(&poly->fft, poly->shape, poly->dimension, error);
    if (status) return status;
    poly->sources = sfmi_alloc(longest, sizeof *poly->sources);
    if (!poly->sources) return sfmi_fail_memory(error);
    if (transformed == poly->length) {
      poly->c = sfmi_fft_data(poly->fft);
      return SFM_OK;
    }
  } else {
    poly->scratch = sfmi_alloc(longest, sizeof *poly->scratch);
    if (!poly->scratch) return sfmi_fail_memory(error);
  }
  poly->c = sfmi_alloc(poly->length, sizeof *poly->c);
  return poly->c ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_trig_poly_create(sfmi_trig_poly **out, const sfm_release *release,
                                 sfm_error *error) {
  *out = NULL;
  sfmi_trig_poly *poly = sfmi_alloc(1, sizeof *poly);
  if (!poly) return sfmi_fail_memory(error);
  sfm_status status = SFM_OK;
  poly->release = release;
  poly->dimension = release->dimension;
  poly->length = 1; /* of the transform, until there is room */
  for (size_t a = 0; a < poly->dimension && !status; a++) status = set_axis(poly, a, error);
  if (!status) status = set_room(poly, error);
  if (status) {
    sfmi_trig_poly_destroy(poly);
  } else {
    *out = poly;
  }
  return status;
}

void sfmi_trig_poly_destroy(sfmi_trig_poly *poly) {
  if (!poly) return;
  for (size_t a = 0; a < poly->dimension; a++) free(poly->transfer[a]);
  if (!poly->fft || poly->c != sfmi_fft_data(poly->fft)) free(poly->c);
  sfmi_fft_destroy(poly->fft);
  free(poly->scratch);
  free(poly->sources);
  free(poly);
}

/* Multiplies c by the product of the axes' transfers. */
static void apply_transfer(sfmi_trig_poly *poly, double factor) {
  const size_t last = poly->dimension - 1, run = poly->modes[last];
  size_t index[SFM_MAX_DIMENSION] = {0};
  double complex *c = poly->c;
  do {
    double outer = factor;
    for (size_t a = 0; a < last; a++) outer *= poly->transfer[a][index[a]];
    for (size_t i = 0; i < run; i++) c[i] *= outer * poly->transfer[last][i];
    c += run;
  } while (sfmi_index_step(index, poly->modes, last));
}

/* Where mode i of an axis with P modes stands among N >= P. */
static size_t among(size_t i, size_t P, size_t N) {
  return i <= P / 2 ? i : N - P + i;
}

/* Takes the modes out of the transform, where it has more. */
static void take_modes(sfmi_trig_poly *poly) {
  const double complex *from = sfmi_fft_data(poly->fft);
  const size_t last = poly->dimension - 1, run = poly->modes[last];
  size_t index[SFM_MAX_DIMENSION] = {0};
  double complex *c = poly->c;
  do {
    size_t at = 0;
    for (size_t a = 0; a < last; a++)
      at = (at + among(index[a], poly->modes[a], poly->shape[a])) * poly->shape[a + 1];
    for (size_t i = 0; i < run; i++) c[i] = from[at + among(i, run, poly->shape[last])];
    c += run;
  } while (sfmi_index_step(index, poly->modes, last));
}

static void load_lattice(sfmi_trig_poly *poly, const double *coefficients) {
  const sfmi_lattice *lattice = &poly->release->function->lattice;
  const size_t last = poly->dimension - 1, run = poly->shape[last];
  size_t index[SFM_MAX_DIMENSION] = {0};
  double complex *to = sfmi_fft_data(poly->fft);
  for (size_t i = 0; i < run; i++) poly->sources[i] = source(lattice, last, i);
  do {
    size_t at = 0;
    bool filled = true;
    for (size_t a = 0; a < last; a++) {
      const size_t from = source(lattice, a, index[a]);
      filled = filled && from != SIZE_MAX;
      at = (at + from) * lattice->axis[a + 1].points;
    }
    for (size_t i = 0; i < run; i++)
      to[i] = filled && poly->sources[i] != SIZE_MAX ? coefficients[at + poly->sources[i]] : 0;
    to += run;
  } while (sfmi_index_step(index, poly->shape, last));
  sfmi_fft_forward(poly->fft);
  if (poly->c != sfmi_fft_data(poly->fft)) take_modes(poly);
}

/* One line of features (1, cos, sin, cos, sin, ...) into exponentials, without the amplitudes:
 * sqrt2 (u cos t + v sin t) = ((u - iv) e^{it} + (u + iv) e^{-it}) / sqrt2.  Where bounds reflect
 * (1, cos, cos, ...) the first half of the line, and v = 0. */
static void features_to_modes(double complex *line, size_t stride, size_t P, bool reflects,
                              double complex *scratch) {
  for (size_t i = 0; i < P; i++) scratch[i] = line[i * stride];
  line[0] = scratch[0];
  for (size_t j = 1; j <= P / 2; j++) {
    const double complex u = scratch[reflects ? j : 2 * j - 1], v = reflects ? 0 : scratch[2 * j];
    line[j * stride] = u - I * v;
    line[(P - j) * stride] = u + I * v;
  }
}

/* The coefficients, laid out like the modes, whose lines are longer where bounds reflect. */
static void lay_features(sfmi_trig_poly *poly, const double *coefficients) {
  const sfmi_torus *torus = poly->release->function->torus;
  const size_t last = poly->dimension - 1, run = sfmi_torus_size(&torus[last]);
  size_t index[SFM_MAX_DIMENSION] = {0};
  double complex *to = poly->c;
  do {
    bool filled = true;
    for (size_t a = 0; a < last; a++) filled = filled && index[a] < sfmi_torus_size(&torus[a]);
    for (size_t i = 0; i < poly->modes[last]; i++) to[i] = filled && i < run ? *coefficients++ : 0;
    to += poly->modes[last];
  } while (sfmi_index_step(index, poly->modes, last));
}

static void load_features(sfmi_trig_poly *poly, const double *coefficients) {
  size_t stride = 1;
  lay_features(poly, coefficients);
  for (size_t a = poly->dimension; a-- > 0;) {
    const size_t P = poly->modes[a];
    const bool reflects = poly->release->function->torus[a].reflects;
    for (size_t outer = 0; outer < poly->length; outer += P * stride)
      for (size_t inner = 0; inner < stride; inner++)
        features_to_modes(poly->c + outer + inner, stride, P, reflects, poly->scratch);
    stride *= P;
  }
}

void sfmi_trig_poly_load(sfmi_trig_poly *poly, const double *coefficients, double factor) {
  if (poly->fft) {
    load_lattice(poly, coefficients);
  } else {
    load_features(poly, coefficients);
  }
  apply_transfer(poly, factor);
}

double sfmi_trig_poly_power(const sfmi_trig_poly *poly, size_t a, size_t i) {
  const double square = poly->transfer[a][i] * poly->transfer[a][i];
  const sfmi_lattice_axis *axis = &poly->release->function->lattice.axis[a];
  /* Where bounds reflect, a mass and its image together are 2 cos: of mean square 2, but 4 at 0. */
  const double images = axis->boundary == SFM_BOUNDARY_REFLECT ? (i ? 2 : 4) : 1;
  if (poly->release->method == SFMI_LATTICE) return square * images * (double)axis->points;
  /* sqrt2 cos and sqrt2 sin, each with its own noise; or sqrt2 cos alone. */
  return i && !poly->release->function->torus[a].reflects ? 2 * square : square;
}

/* The transposed of load_lattice along one axis. */
static sfm_status dual_lattice(const sfmi_trig_poly *poly, size_t a, double *weights,
                               const double complex *integrals, size_t count, sfm_error *error) {
  const sfmi_lattice *lattice = &poly->release->function->lattice;
  const size_t N = poly->shape[a], P = poly->modes[a], points = lattice->axis[a].points;
  sfmi_fft *fft;
  sfm_status status = sfmi_fft_create(&fft, &N, 1, error);
  if (status) return status;
  double complex *ring = sfmi_fft_data(fft);
  memset(weights, 0, count * points * sizeof *weights);
  for (size_t k = 0; k < count; k++) {
    memset(ring, 0, N * sizeof *ring);
    for (size_t i = 0; i < P; i++)
      ring[among(i, P, N)] = poly->transfer[a][i] * integrals[k * P + i];
    sfmi_fft_forward(fft);
    for (size_t i = 0; i < N; i++) {
      const size_t from = source(lattice, a, i);
      if (from != SIZE_MAX) weights[k * points + from] += creal(ring[i]);
    }
  }
  sfmi_fft_destroy(fft);
  return SFM_OK;
}

/* c_j = t_j (u - iv) and its conjugate: the integral is 2 t_j (u Re + v Im). */
static void dual_features(const sfmi_trig_poly *poly, size_t a, double *weights,
                          const double complex *integrals, size_t count) {
  const size_t P = poly->modes[a];
  const bool reflects = poly->release->function->torus[a].reflects;
  const double *transfer = poly->transfer[a];
  for (size_t k = 0; k < count; k++, integrals += P) {
    *weights++ = transfer[0] * creal(integrals[0]);
    for (size_t j = 1; j <= P / 2; j++) {
      *weights++ = 2 * transfer[j] * creal(integrals[j]);
      if (!reflects) *weights++ = 2 * transfer[j] * cimag(integrals[j]);
    }
  }
}

sfm_status sfmi_trig_poly_dual(const sfmi_trig_poly *poly, size_t a, double *weights,
                               const double complex *integrals, size_t count, sfm_error *error) {
  if (poly->fft) return dual_lattice(poly, a, weights, integrals, count, error);
  dual_features(poly, a, weights, integrals, count);
  return SFM_OK;
}

/* exp(2 pi i j (x - lower + margin)/period) for all modes of an axis. */
static void exponentials(const sfmi_trig_poly *poly, size_t a, double x, double complex *out) {
  const size_t P = poly->modes[a];
  const double u = (x - poly->lower[a] + poly->margin[a]) / poly->period[a];
  out[0] = 1;
  for (size_t j = 1; j <= P / 2; j++) {
    out[j] = cexp(2 * M_PI * I * fmod((double)j * u, 1));
    out[P - j] = conj(out[j]);
  }
}

double sfmi_trig_poly_at(const sfmi_trig_poly *poly, const double *x) {
  double value = NAN;
  double *columns[SFM_MAX_DIMENSION], coordinates[SFM_MAX_DIMENSION];
  size_t counts[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < poly->dimension; a++) {
    coordinates[a] = x[a];
    columns[a] = &coordinates[a];
    counts[a] = 1;
  }
  return !sfmi_trig_poly_grid(poly, &value, columns, counts, NULL) ? value : NAN;
}

sfm_status sfmi_trig_poly_grid(const sfmi_trig_poly *poly, double *values, double *const *points,
                               const size_t *counts, sfm_error *error) {
  const double complex *array = poly->c;
  double complex *owned = NULL;
  size_t length = poly->length;
  for (size_t a = 0; a < poly->dimension; a++) {
    const size_t P = poly->modes[a], columns = length / P;
    double complex *factors = sfmi_alloc(counts[a] * P, sizeof *factors);
    double complex *next = sfmi_alloc(columns * counts[a], sizeof *next);
    if (factors && next) {
      for (size_t i = 0; i < counts[a]; i++) exponentials(poly, a, points[a][i], factors + i * P);
      sfmi_tensor_contract(next, array, factors, P, columns, counts[a]);
    }
    bool failed = !factors || !next;
    free(factors);
    free(owned);
    array = owned = next;
    if (failed) {
      free(owned);
      return sfmi_fail_memory(error);
    }
    length = columns * counts[a];
  }
  for (size_t i = 0; i < length; i++) values[i] = creal(array[i]);
  free(owned);
  return SFM_OK;
}

void sfmi_trig_poly_pad(const sfmi_trig_poly *poly, sfmi_fft *fft, const size_t *shape,
                        double *const *weights) {
  double complex *to = sfmi_fft_data(fft);
  const double complex *from = poly->c;
  size_t total = 1, index[SFM_MAX_DIMENSION] = {0};
  for (size_t a = 0; a < poly->dimension; a++) total *= shape[a];
  memset(to, 0, total * sizeof *to);
  const size_t last = poly->dimension - 1, run = poly->modes[last];
  do {
    size_t at = 0;
    double outer = 1;
    for (size_t a = 0; a < last; a++) {
      size_t i = index[a], P = poly->modes[a];
      at = (at + among(i, P, shape[a])) * shape[a + 1];
      if (weights) outer *= weights[a][i];
    }
    for (size_t i = 0; i < run; i++)
      to[at + among(i, run, shape[last])] = from[i] * outer * (weights ? weights[last][i] : 1);
    from += run;
  } while (sfmi_index_step(index, poly->modes, last));
}
