#include "torus_sums.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/elementary.h"

/* Lattice points per bandwidth: at 4, the aliases of a cubic spline move a row's feature vector by
 * 6.4e-5 of its norm. */
static const double POINTS_PER_BANDWIDTH = 4;
static const unsigned ORDER = 4;

/* Flat: lattice points in a cycle of the highest frequency.  The aliases then move a row by less
 * than 1e-6 of its norm in one dimension; by less than 1e-5 in two, or where frequencies are many;
 * and by less than 2e-4 in more, where points are expensive. */
static const double CYCLE[] = {32, 16, 8};
static const size_t MANY_TERMS = 64;
static const unsigned BITS_MAX = 24;

/* Sizes beyond this are reported as too large, not computed. */
static const double SIZE_LIMIT = 0x1p60;

/* Frequency times spacing of term j on axis a. */
static double phase_step(const sfmi_torus_sums *spectrum, size_t a, size_t j) {
  return (double)j * spectrum->lattice.axis[a].spacing / spectrum->torus[a].period;
}

/* phi_j's amplitude over the attenuation of the spreading. */
static double boosted(const sfmi_torus_sums *spectrum, size_t a, size_t j) {
  return (spectrum->flat ? 1 : sfmi_torus_amplitude(&spectrum->torus[a], j)) /
         sfmi_power(sfmi_sinc(phase_step(spectrum, a, j)), ORDER);
}

/* Bound on |phi~(x) - phi(x)| along one axis. */
static double axis_error(const sfmi_torus_sums *spectrum, size_t a) {
  const size_t m = spectrum->torus[a].terms;
  double alias2 = 0, norm2 = 0;
  for (size_t j = 0; j <= m; j++) {
    double amplitude = sfmi_torus_amplitude(&spectrum->torus[a], j);
    double alias = amplitude * sfmi_spline_alias(ORDER, phase_step(spectrum, a, j), 1);
    double pair = j ? 2 : 1, boost = boosted(spectrum, a, j);
    alias2 += pair * alias * alias;
    norm2 += pair * boost * boost;
  }
  /* Weights: ORDER - 1 of them off by at most 1/2 + 2^-20, one by their sum. */
  double weights = (ORDER - 1) * 1.001 * ldexp(1, -(int)spectrum->lattice.bits) * sqrt(norm2);
  double entries =
      0.501 * ldexp(sqrt((double)sfmi_torus_size(&spectrum->torus[a])), -(int)spectrum->precision);
  return (sqrt(alias2) + weights + entries) * (1 + 1e-9);
}

unsigned sfmi_torus_sums_bits(size_t dimension) {
  unsigned bits = (unsigned)(90 / (2 * dimension));
  if (bits > 24) bits = 24;
  return bits * dimension > 62 ? (unsigned)(62 / dimension) : bits;
}

sfm_status sfmi_torus_sums_init(sfmi_torus_sums *spectrum, const double *lower, const double *upper,
                                const double *h, const sfm_boundary *boundary, size_t dimension,
                                sfm_error *error) {
  *spectrum = (sfmi_torus_sums){.dimension = dimension};
  const unsigned bits = sfmi_torus_sums_bits(dimension);
  spectrum->precision = bits;
  spectrum->lattice =
      (sfmi_lattice){.dimension = dimension, .order = ORDER, .bits = bits, .length = 1};
  double kappa = 1, widened = 1, least = 1, features = 1, modes = 1, points = 1;
  for (size_t a = 0; a < dimension; a++) {
    const bool reflects = boundary && boundary[a] == SFM_BOUNDARY_REFLECT;
    sfm_status status = (reflects ? sfmi_torus_init_reflecting : sfmi_torus_init)(
        &spectrum->torus[a], lower[a], upper[a], h[a], error);
    if (status) return status;
    spectrum->features[a] = sfmi_torus_size(&spectrum->torus[a]);
    features *= (double)spectrum->features[a];
    modes *= 2 * (double)spectrum->torus[a].terms + 1;
    double cells = ceil(POINTS_PER_BANDWIDTH * (upper[a] - lower[a]) / h[a]);
    sfmi_lattice_set_axis(&spectrum->lattice, a, lower[a], upper[a], (size_t)fmax(cells, 1),
                          SFM_BOUNDARY_OPEN);
    points *= (double)spectrum->lattice.axis[a].points;
  }
  if (modes > SIZE_LIMIT || points > SIZE_LIMIT) {
    spectrum->length = spectrum->modes = spectrum->lattice.length = SIZE_MAX;
    return SFM_OK;
  }
  for (size_t a = 0; a < dimension; a++) {
    spectrum->lattice.length *= spectrum->lattice.axis[a].points;
    kappa *= sqrt(spectrum->torus[a].kappa2);
    widened *= sqrt(spectrum->torus[a].kappa2) + axis_error(spectrum, a);
    least *= sfmi_torus_least(&spectrum->torus[a]);
  }
  spectrum->length = (size_t)features;
  spectrum->modes = (size_t)modes;
  spectrum->kappa = kappa * (1 + 1e-12);
  spectrum->least = least * (1 - 1e-12);
  spectrum->defect = (widened - kappa) * (1 + 1e-9) + 1e-14;
  return SFM_OK;
}

/* Sum over the axis of |psi~_j - psi_j|: an alias of size alpha moves cosine and sine by at most
 * sqrt2 sqrt2 alpha together. */
static double axis_slip(const sfmi_torus_sums *spectrum, size_t a) {
  const size_t m = spectrum->torus[a].terms;
  double alias = 0, norm = 1;
  for (size_t j = 1; j <= m; j++) {
    alias += 2 * sfmi_spline_alias(ORDER, phase_step(spectrum, a, j), 1);
    norm += 2 * boosted(spectrum, a, j);
  }
  double weights = (ORDER - 1) * 1.001 * ldexp(norm, -(int)spectrum->lattice.bits);
  double entries = 0.501 * ldexp(2 * (double)m, -(int)spectrum->precision);
  return (alias + weights + entries) * (1 + 1e-9) + 1e-12;
}

/* Weights and entries share the bits that 128 bits leave beside the rows; one bit per axis is for
 * the boost. */
static void split_bits(sfmi_torus_sums *spectrum, size_t columns, double rows) {
  const unsigned d = (unsigned)columns;
  const unsigned all = 126 - (unsigned)ceil(log2(fmax(rows, 1)));
  unsigned bits = (all - d) / (2 * d);
  if (bits > BITS_MAX) bits = BITS_MAX;
  spectrum->precision = bits;
  if (bits * d > 62) bits = 62 / d;
  spectrum->lattice.bits = bits;
}

void sfmi_torus_sums_init_flat(sfmi_torus_sums *spectrum, const double *lower, const double *upper,
                               const sfmi_torus *torus, size_t dimension, double rows) {
  sfmi_torus_sums_init_part(spectrum, lower, upper, torus, dimension, dimension, rows);
}

void sfmi_torus_sums_init_part(sfmi_torus_sums *spectrum, const double *lower, const double *upper,
                               const sfmi_torus *torus, size_t dimension, size_t columns,
                               double rows) {
  *spectrum = (sfmi_torus_sums){.dimension = dimension, .flat = true};
  spectrum->lattice = (sfmi_lattice){.dimension = dimension, .order = ORDER, .length = 1};
  split_bits(spectrum, columns, rows);
  const bool line = columns == 1 && torus[0].terms <= MANY_TERMS;
  const double cycle = CYCLE[line ? 0 : columns < 3 ? 1 : 2];
  double features = 1, points = 1;
  for (size_t a = 0; a < dimension; a++) {
    spectrum->torus[a] = torus[a];
    spectrum->features[a] = 2 * torus[a].terms + 1;
    features *= (double)spectrum->features[a];
    const double share = (upper[a] - lower[a]) / torus[a].period;
    const double cells = fmax(ceil(cycle * (double)torus[a].terms * share), ORDER);
    sfmi_lattice_set_axis(&spectrum->lattice, a, lower[a], upper[a], (size_t)cells,
                          torus[a].margin > 0 ? SFM_BOUNDARY_OPEN : SFM_BOUNDARY_PERIODIC);
    points *= (double)spectrum->lattice.axis[a].points;
    spectrum->slip[a] = axis_slip(spectrum, a);
  }
  const bool large = features > SIZE_LIMIT || points > SIZE_LIMIT;
  spectrum->length = spectrum->modes = large ? SIZE_MAX : (size_t)features;
  spectrum->lattice.length = large ? SIZE_MAX : (size_t)points;
}

/* The rows of A_a for frequency j: a cosine (of 0: the constant), and a sine unless it is NULL. */
static void fill_rows(int64_t *cosine, int64_t *sine, const sfmi_torus_sums *spectrum, size_t a,
                      size_t j) {
  const sfmi_torus *torus = &spectrum->torus[a];
  const sfmi_lattice_axis *axis = &spectrum->lattice.axis[a];
  const double size = ldexp(boosted(spectrum, a, j) * (j ? M_SQRT2 : 1), (int)spectrum->precision);
  for (size_t k = 0; k < axis->points; k++) {
    /* From the lower bound: a difference of large coordinates would lose the certificate. */
    double u = ((double)k * axis->spacing + (torus->margin - axis->margin)) / torus->period;
    double angle = 2 * M_PI * fmod((double)j * u, 1);
    cosine[k] = llround(size * cos(angle));
    if (sine) sine[k] = llround(size * sin(angle));
  }
}

/* A_a, features x points. */
static int64_t *axis_matrix(const sfmi_torus_sums *spectrum, size_t a) {
  const size_t points = spectrum->lattice.axis[a].points;
  int64_t *matrix = sfmi_alloc(spectrum->features[a] * points, sizeof *matrix);
  if (!matrix) return NULL;
  fill_rows(matrix, NULL, spectrum, a, 0);
  for (size_t j = 1, row = 1; j <= spectrum->torus[a].terms; j++) {
    const bool pair = !spectrum->torus[a].reflects;
    fill_rows(matrix + row * points, pair ? matrix + (row + 1) * points : NULL, spectrum, a, j);
    row += pair ? 2 : 1;
  }
  return matrix;
}

/* out (columns x rows) from array (terms x columns) by matrix (rows x terms): contracts the first
 * axis and appends the new one last, exactly. */
static void contract(sfmi_i128 *out, const sfmi_i128 *array, const int64_t *matrix, size_t terms,
                     size_t columns, size_t rows) {
  enum { BLOCK = 64 };
  for (size_t start = 0; start < columns; start += BLOCK) {
    size_t width = columns - start < BLOCK ? columns - start : BLOCK;
    for (size_t j = 0; j < rows; j++) {
      sfmi_i128 sum[BLOCK] = {0};
      const int64_t *factors = matrix + j * terms;
      for (size_t k = 0; k < terms; k++) {
        const sfmi_i128 *from = array + k * columns + start;
        for (size_t c = 0; c < width; c++) sum[c] += from[c] * factors[k];
      }
      for (size_t c = 0; c < width; c++) out[(start + c) * rows + j] = sum[c];
    }
  }
}

static sfmi_i128 weighted(const sfmi_i128 *sums, const int64_t *factors, size_t points) {
  sfmi_i128 sum = 0;
  for (size_t k = 0; k < points; k++) sum += sums[k] * factors[k];
  return sum;
}

/* One dimension: a row of A at a time. */
static sfm_status transform_line(const sfmi_torus_sums *spectrum, sfmi_i128 **features,
                                 const sfmi_i128 *sums, sfm_error *error) {
  const size_t points = spectrum->lattice.axis[0].points;
  int64_t *rows = sfmi_alloc(2 * points, sizeof *rows);
  sfmi_i128 *out = sfmi_alloc(spectrum->length, sizeof *out);
  if (!rows || !out) {
    free(rows);
    free(out);
    return sfmi_fail_memory(error);
  }
  for (size_t j = 0, row = 0; j <= spectrum->torus[0].terms; j++) {
    const bool pair = j && !spectrum->torus[0].reflects;
    fill_rows(rows, pair ? rows + points : NULL, spectrum, 0, j);
    out[row++] = weighted(sums, rows, points);
    if (pair) out[row++] = weighted(sums, rows + points, points);
  }
  free(rows);
  *features = out;
  return SFM_OK;
}

sfm_status sfmi_torus_sums_transform(const sfmi_torus_sums *spectrum, sfmi_i128 **features,
                                     const sfmi_i128 *sums, sfm_error *error) {
  *features = NULL;
  if (spectrum->dimension == 1) return transform_line(spectrum, features, sums, error);
  size_t length = spectrum->lattice.length;
  sfmi_i128 *array = sfmi_alloc(length, sizeof *array);
  if (!array) return sfmi_fail_memory(error);
  memcpy(array, sums, length * sizeof *array);
  for (size_t a = 0; a < spectrum->dimension; a++) {
    const size_t terms = spectrum->lattice.axis[a].points, rows = spectrum->features[a];
    const size_t columns = length / terms;
    sfmi_i128 *next = sfmi_alloc(columns * rows, sizeof *next);
    int64_t *matrix = axis_matrix(spectrum, a);
    if (next && matrix) contract(next, array, matrix, terms, columns, rows);
    sfmi_wipe_free(array, length, sizeof *array);
    array = next;
    if (!matrix || !next) {
      free(matrix);
      free(array);
      return sfmi_fail_memory(error);
    }
    free(matrix);
    length = columns * rows;
  }
  assert(length == spectrum->length);
  *features = array;
  return SFM_OK;
}
