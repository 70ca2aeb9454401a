#include "curve_law.h"

#include <math.h>
#include <string.h>

#include "base/math/linear_algebra.h"
#include "base/math/prng.h"
#include "features/kernels/kernel.h"

enum { DRAWS = 4096, TOGETHER = 256, NODES = 3, SLOPE_POINTS = 5 };
static const uint64_t DRAWS_SEED = 0x5f0a81u;
/* No norm is farther from its mean than so many standard deviations. */
static const double BEYOND = 6;
/* Gauss's rule on [0, 1]; panels are no wider than this part of a bandwidth, unless there would be
 * more than so many. */
static const double NODE[NODES] = {0.11270166537925831, 0.5, 0.88729833462074169},
                    WEIGHT[NODES] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
static const double PANEL = 0.5, PANELS_MAX = 4096;

void sfmi_curve_law_clear(sfmi_curve_law *curve_law) {
  sfmi_arena_clear(&curve_law->arena);
  *curve_law = (sfmi_curve_law){0};
}

/* The slope at point i of the polynomial through it and those next to it, five in all. */
static double slope_at(const sfm_curve_settings *s, size_t i) {
  const size_t most = s->count < SLOPE_POINTS ? s->count : SLOPE_POINTS;
  size_t first = i > most / 2 ? i - most / 2 : 0;
  if (first + most > s->count) first = s->count - most;
  double slope = 0;
  for (size_t j = first; j < first + most; j++) {
    double weight = 1; /* 1/(x_j - x_i) prod of (x_i - x_k)/(x_j - x_k) over the others */
    for (size_t k = first; k < first + most && j != i; k++)
      if (k != j) weight *= (k == i ? 1 : s->grid[i] - s->grid[k]) / (s->grid[j] - s->grid[k]);
    /* The weights sum to zero, so that a level curve has no slope: the rest is the weight of i. */
    if (j != i) slope += weight * (s->mean[j] - s->mean[i]);
  }
  return slope;
}

/* Between point i - 1 and point i, at part f of the way. */
static double cubic_at(const sfm_curve_settings *s, size_t i, double f) {
  const double gap = s->grid[i] - s->grid[i - 1], g = 1 - f;
  return g * g * (1 + 2 * f) * s->mean[i - 1] + f * f * (1 + 2 * g) * s->mean[i] +
         gap * f * g * (g * slope_at(s, i - 1) - f * slope_at(s, i));
}

double sfmi_curve_law_mean_at(const sfm_curve_settings *s, double x) {
  size_t low = 0, high = s->count - 1;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    *(s->grid[middle] <= x ? &low : &high) = middle;
  }
  return cubic_at(s, high, (x - s->grid[low]) / (s->grid[high] - s->grid[low]));
}

static double kernel_at(const sfmi_basis *basis, double x, size_t i) {
  return sfmi_kernel_profile(basis->kernel, fabs(x - basis->points[i]) / basis->bandwidth[0]);
}

/* ---- integrals ---- */

/* Sums over nodes of what is off and of the mean times K(., t_i): smoothing, and sums (T). */
static void add_node(sfmi_curve_law *curve_law, double *sums, const double *factors,
                     const sfmi_basis *basis, double x, double weight, double mean, double line) {
  double fitted = 0;
  for (size_t i = 0; i < basis->nodes; i++) {
    const double k = kernel_at(basis, x, i);
    fitted += factors[i] * k;
    sums[i] += weight * mean * k;
  }
  curve_law->smoothing += weight * (fitted - mean) * (fitted - mean);
  curve_law->straight += weight * (fitted - line) * (fitted - line);
}

static void integrate(sfmi_curve_law *curve_law, double *sums, const double *factors,
                      const sfmi_basis *basis, const sfm_curve_settings *s) {
  const double range = basis->upper[0] - basis->lower[0];
  const double panel = fmax(PANEL * basis->bandwidth[0], range / PANELS_MAX);
  for (size_t g = 1; g < basis->nodes; g++) {
    const double from = basis->points[g - 1], gap = basis->points[g] - from;
    const double parts = fmax(ceil(gap / panel), 1);
    for (double p = 0; p < parts; p++)
      for (size_t k = 0; k < NODES; k++) {
        const double f = (p + NODE[k]) / parts;
        add_node(curve_law, sums, factors, basis, from + gap * f, gap / parts * WEIGHT[k],
                 cubic_at(s, g, f), (1 - f) * s->mean[g - 1] + f * s->mean[g]);
      }
  }
}

/* Smoothing and inner, once the mean of the fits is known. */
static sfm_status fill_integrals(sfmi_curve_law *curve_law, sfmi_arena *arena,
                                 const sfmi_basis *basis, const sfm_curve_settings *s,
                                 sfm_error *error) {
  const size_t T = basis->nodes, m = basis->count;
  double *factors = sfmi_arena_doubles(arena, T), *sums = sfmi_arena_doubles(arena, T);
  if (!factors || !sums) return sfmi_fail_memory(error);
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < T; i++) factors[i] += curve_law->mean[j] * basis->table[j * T + i];
  integrate(curve_law, sums, factors, basis, s);
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < T; i++) curve_law->inner[j] += basis->table[j * T + i] * sums[i];
  return SFM_OK;
}

/* ---- fits ---- */

sfm_status sfmi_curve_law_basis(double **out, sfmi_arena *arena, const sfmi_basis *basis,
                                sfm_error *error) {
  const size_t T = basis->nodes, m = basis->count;
  double *kernel = sfmi_arena_doubles(arena, T * T), *table = sfmi_arena_doubles(arena, T * m);
  *out = sfmi_arena_doubles(arena, T * m);
  if (arena->failed) return sfmi_fail_memory(error);
  for (size_t i = 0; i < T; i++)
    for (size_t k = 0; k < T; k++) kernel[i * T + k] = kernel_at(basis, basis->points[i], k);
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < T; i++) table[i * m + j] = basis->table[j * T + i];
  sfmi_matrix_multiply(*out, kernel, table, T, T, m);
  return SFM_OK;
}

/* out (columns x rows) = transpose of a (rows x columns). */
static void transpose(double *out, const double *a, size_t rows, size_t columns) {
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++) out[j * rows + i] = a[i * columns + j];
}

/* M = Phi'(Phi Phi' + ridge)^-1 Phi, times the spread: m x m. */
static sfm_status find_response(double **out, sfmi_arena *arena,
                                const sfmi_design_curve *curve_design, double spread,
                                sfm_error *error) {
  const size_t T = curve_design->basis->nodes, m = curve_design->basis->count;
  double *phi = NULL, *turned = sfmi_arena_doubles(arena, m * T),
         *gram = sfmi_arena_doubles(arena, T * T);
  *out = sfmi_arena_doubles(arena, m * m);
  const sfm_status status = sfmi_curve_law_basis(&phi, arena, curve_design->basis, error);
  if (status) return status;
  transpose(turned, phi, T, m);
  sfmi_matrix_multiply(gram, phi, turned, T, m, T);
  for (size_t i = 0; i < T; i++) gram[i * T + i] += curve_design->ridge;
  if (!sfmi_positive_solve(gram, phi, T, m))
    return sfmi_fail(error, SFM_INTERNAL, "the fit's matrix is not positive definite");
  sfmi_matrix_multiply(*out, turned, phi, m, T, m);
  for (size_t i = 0; i < m * m; i++) (*out)[i] *= spread;
  return SFM_OK;
}

/* Whether no fit's norm comes near the clip. */
static bool within(const double *covariance, const double *mean, size_t m, double clip) {
  double square = 0, trace = 0, twice = 0, along = 0;
  for (size_t j = 0; j < m; j++) {
    square += mean[j] * mean[j];
    trace += covariance[j * m + j];
    for (size_t k = 0; k < m; k++) {
      twice += covariance[j * m + k] * covariance[j * m + k];
      along += mean[j] * covariance[j * m + k] * mean[k];
    }
  }
  return square + trace + BEYOND * sqrt(2 * twice + 4 * along) < clip * clip;
}

/* Fits, each clipped: rows of w (TOGETHER x m). */
static void draw_fits(double *w, double *z, const double *response, const double *mean, size_t m,
                      double clip, sfmi_prng *prng) {
  for (size_t i = 0; i < TOGETHER * m; i++) z[i] = sfmi_prng_normal(prng);
  sfmi_matrix_multiply(w, z, response, TOGETHER, m, m);
  for (size_t r = 0; r < TOGETHER; r++) {
    double *row = w + r * m, norm = 0;
    for (size_t j = 0; j < m; j++) {
      row[j] += mean[j];
      norm += row[j] * row[j];
    }
    norm = sqrt(norm);
    for (size_t j = 0; norm > clip && j < m; j++) row[j] *= clip / norm;
  }
}

/* Mean and covariance of the fits after clipping, from those before. */
static sfm_status simulate(sfmi_curve_law *curve_law, sfmi_arena *arena, const double *response,
                           double clip, sfm_error *error) {
  const size_t m = curve_law->count;
  double *w, *z, *turned, *block = sfmi_arena_doubles(arena, m * m),
                          *sums = sfmi_arena_doubles(arena, m);
  sfmi_arena_arrays(arena, TOGETHER * m, (double **[]){&w, &z, &turned, NULL});
  if (arena->failed) return sfmi_fail_memory(error);
  sfmi_prng prng;
  sfmi_prng_init(&prng, DRAWS_SEED);
  for (size_t i = 0; i < m * m; i++) curve_law->covariance[i] = 0;
  for (size_t done = 0; done < DRAWS; done += TOGETHER) {
    draw_fits(w, z, response, curve_law->mean, m, clip, &prng);
    transpose(turned, w, TOGETHER, m);
    sfmi_matrix_multiply(block, turned, w, m, TOGETHER, m);
    for (size_t i = 0; i < m * m; i++) curve_law->covariance[i] += block[i] / DRAWS;
    for (size_t i = 0; i < TOGETHER * m; i++) sums[i % m] += w[i] / DRAWS;
  }
  for (size_t j = 0; j < m; j++) {
    curve_law->mean[j] = sums[j];
    for (size_t k = 0; k < m; k++) curve_law->covariance[j * m + k] -= sums[j] * sums[k];
  }
  return SFM_OK;
}

static sfm_status fill_spread(sfmi_curve_law *curve_law, sfmi_arena *arena,
                              const sfmi_design_curve *curve_design, const sfm_curve_settings *s,
                              sfm_error *error) {
  const size_t m = curve_law->count;
  double *response = NULL;
  curve_law->covariance = sfmi_arena_doubles(&curve_law->arena, m * m);
  if (!curve_law->covariance) return sfmi_fail_memory(error);
  const sfm_status status = find_response(&response, arena, curve_design, s->spread, error);
  if (status) return status;
  sfmi_matrix_multiply(curve_law->covariance, response, response, m, m, m);
  return within(curve_law->covariance, curve_law->mean, m, s->clip)
             ? SFM_OK
             : simulate(curve_law, arena, response, s->clip, error);
}

sfm_status sfmi_curve_law_init(sfmi_curve_law *curve_law, const sfmi_design_curve *curve_design,
                               const sfm_curve_settings *s, sfm_error *error) {
  const size_t m = curve_design->basis->count;
  sfmi_arena arena = {0};
  double norm = 0;
  *curve_law = (sfmi_curve_law){.count = m};
  sfmi_arena_arrays(&curve_law->arena, m, (double **[]){&curve_law->mean, &curve_law->inner, NULL});
  if (curve_law->arena.failed) return sfmi_fail_memory(error);
  memcpy(curve_law->mean, curve_design->guess, m * sizeof *curve_law->mean);
  sfm_status status =
      s->spread > 0 ? fill_spread(curve_law, &arena, curve_design, s, error) : SFM_OK;
  for (size_t j = 0; j < m; j++) norm = hypot(norm, curve_law->mean[j]);
  for (size_t j = 0; s->spread == 0 && norm > s->clip && j < m; j++)
    curve_law->mean[j] *= s->clip / norm;
  if (!status) status = fill_integrals(curve_law, &arena, curve_design->basis, s, error);
  sfmi_arena_clear(&arena);
  return status;
}
