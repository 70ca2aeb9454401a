#include "shrinkage.h"

#include <math.h>
#include <stdlib.h>

#include "releases/band/noise_variance.h"
#include "releases/eval/evaluator.h"

/* Frequencies in the order in which their factors may fall.  kernel: its transform there. */
typedef struct mode {
  double frequency, kernel, power, noise;
  size_t at;
} mode;

sfm_status sfmi_shrinkage_check(const sfm_release *release, sfm_error *error) {
  if (release->refined.combined)
    return sfmi_fail(error, SFM_INVALID,
                     "a combination cannot be shrunk, because the noise of its frequencies is not "
                     "known; settings.nonnegative and settings.normalise are possible");
  if (release->refined.done)
    return sfmi_fail(
        error, SFM_INVALID,
        "this release was refined already, and settings.shrink comes first: refine the raw "
        "release, with settings.shrink and the others in one call");
  const sfmi_function_body *f = sfmi_function_of(release);
  const bool hull =
      release->method == SFMI_CARATHEODORY && f->density_body == SFM_DENSITY_BODY_HULL;
  const bool features = f->engine == SFM_ENGINE_RANDOM;
  if (!sfmi_release_is_density(release) || features || sfmi_release_placed(release) || hull)
    return sfmi_fail(
        error, SFM_INVALID,
        "only series and densities of the methods lattice, gp (engine spectral), "
        "fourier-laplace and caratheodory (body exact) are shrunk, for which the noise "
        "of every frequency is known; for this one settings.nonnegative and settings.normalise are "
        "possible");
  return SFM_OK;
}

static int ascending(const void *x, const void *y) {
  const double a = ((const mode *)x)->frequency, b = ((const mode *)y)->frequency;
  return (a > b) - (a < b);
}

/* All modes of the polynomial with what is known of them. */
static void list_modes(mode *modes, const sfmi_trig_poly *poly, double factor) {
  size_t index[SFM_MAX_DIMENSION] = {0};
  for (size_t k = 0; k < poly->length; k++) {
    const double re = creal(poly->c[k]), im = cimag(poly->c[k]);
    double square = 0;
    for (size_t a = 0; a < poly->dimension; a++) {
      const size_t i = index[a], P = poly->modes[a], j = i <= P / 2 ? i : P - i;
      const double f = (double)j * poly->release->function->bandwidth[a] / poly->period[a];
      square += f * f;
    }
    const double noise = sfmi_mode_noise_variance(poly, index) * factor * factor;
    const double kernel = exp(-2 * M_PI * M_PI * square);
    modes[k] = (mode){square, kernel, re * re + im * im, noise, k};
    sfmi_index_step(index, poly->modes, poly->dimension);
  }
}

/* Neighbouring modes that share a factor. */
typedef struct pool {
  double power, noise;
  size_t from; /* up to where the next begins */
} pool;

/* The share that is not noise falls from a pool to the next, or they are one: pools of modes in
 * order, but for the first `kept` of them, from those of equal frequency on.  Returns how many. */
static size_t pool_modes(pool *pools, const mode *modes, size_t kept, size_t count) {
  size_t n = 0;
  for (size_t i = kept; i < count;) {
    pool next = {0, 0, i};
    for (; i < count && modes[i].frequency == modes[next.from].frequency; i++) {
      next.power += modes[i].power;
      next.noise += modes[i].noise;
    }
    while (n > 0 && next.power * pools[n - 1].noise >= pools[n - 1].power * next.noise) {
      n--;
      next = (pool){next.power + pools[n].power, next.noise + pools[n].noise, pools[n].from};
    }
    pools[n++] = next;
  }
  return n;
}

/* Of the squared errors against the estimate without privacy and against what it estimates, s/t,
 * the sum is least at share (1 + 1/t)/2. */
static double factor_of(double share, double kernel) {
  return share > 0 ? fmin(1, share * (1 + 1 / kernel) / 2) : 0;
}

/* factors[modes[i].at] = l_i; 1 for the first `kept` in order.  inside: the share of the noise that
 * counts. */
static sfm_status find_factors(double *factors, mode *modes, size_t kept, size_t count,
                               double inside, sfm_error *error) {
  pool *pools = sfmi_alloc(count, sizeof *pools);
  if (!pools) return sfmi_fail_memory(error);
  qsort(modes, count, sizeof *modes, ascending);
  const size_t n = pool_modes(pools, modes, kept, count);
  for (size_t i = 0; i < kept && i < count; i++) factors[modes[i].at] = 1;
  for (size_t p = 0; p < n; p++) {
    const size_t to = p + 1 < n ? pools[p + 1].from : count;
    const double signal = fmax(0, pools[p].power - pools[p].noise),
                 share = signal > 0 ? signal / (signal + inside * pools[p].noise) : 0;
    for (size_t i = pools[p].from; i < to; i++)
      factors[modes[i].at] = factor_of(share, modes[i].kernel);
  }
  free(pools);
  return SFM_OK;
}

/* The share of the noise that is within the bounds, where the signal is: open axes go on beyond. */
static double noise_inside(const sfmi_trig_poly *poly) {
  const sfm_release *release = poly->release;
  double share = 1;
  for (size_t a = 0; a < release->dimension; a++) {
    const sfmi_lattice_axis *axis = &release->function->lattice.axis[a];
    const double length =
        release->method == SFMI_LATTICE ? (double)axis->points * axis->spacing : poly->period[a];
    if (release->boundary[a] == SFM_BOUNDARY_OPEN)
      share *= fmin((release->upper[a] - release->lower[a]) / length, 1);
  }
  return share;
}

sfm_status sfmi_shrinkage_apply(sfmi_trig_poly *poly, double factor, sfm_error *error) {
  const size_t count = poly->length;
  mode *modes = sfmi_alloc(count, sizeof *modes);
  double *factors = sfmi_alloc(count, sizeof *factors);
  sfm_status status = modes && factors ? SFM_OK : sfmi_fail_memory(error);
  if (!status) {
    list_modes(modes, poly, factor);
    status = find_factors(factors, modes, 1, count, noise_inside(poly), error);
  }
  for (size_t k = 0; k < count && !status; k++) poly->c[k] *= factors[k];
  free(modes);
  free(factors);
  return status;
}

/* What stands for the frequency of the j-th function of a series, the constant not counted: cosine
 * and sine of the same one, and wavelets of a level, are equal. */
static double order_of(sfmi_basis_family family, size_t j) {
  if (family == SFMI_FOURIER) return (double)(j / 2);
  return family == SFMI_HAAR || family == SFMI_DB4 ? floor(log2((double)j + 1)) : (double)j;
}

/* The factors of a series' coefficients, whose functions are orthonormal; the order is that of the
 * functions. */
static sfm_status series_factors(double *factors, const sfm_release *release, sfm_error *error) {
  const size_t count = release->function->basis->count;
  const double noise = sfmi_noise_variance(release);
  mode *modes = sfmi_alloc(count, sizeof *modes);
  if (!modes) return sfmi_fail_memory(error);
  for (size_t j = 0; j < count; j++) {
    const double c = sfm_release_coefficient(release, j);
    modes[j] = (mode){order_of(release->function->basis->family, j), 1, c * c, noise, j};
  }
  sfm_status status = find_factors(factors, modes, 0, count, 1, error);
  free(modes);
  return status;
}

sfm_status sfmi_evaluator_create_shrunk(sfm_evaluator **out, const sfm_release *release,
                                        double total, sfm_error *error) {
  static const sfmi_evaluator_filter filter = {.polynomial = sfmi_shrinkage_apply,
                                               .series = series_factors};
  sfm_status status = sfmi_shrinkage_check(release, error);
  *out = NULL;
  return !status ? sfmi_evaluator_create_filtered(out, release, total, &filter, error) : status;
}
