/* machine_band.c - how far a released machine is from the one without noise (docs/proofs/bands.md).
 *
 * The noise is that of the weights, seen through the features: <noise, phi(u)>.  At one point its
 * law is known; everywhere at once it is at most |phi(u)| times the length of the noise.  What is
 * not noise: the solver's distance, half of the certificate, and rounding, at most a step and a
 * half a weight.  A machine of values at places also lacks what interpolation cannot show: at most
 * the norm that any machine has times the power function of the places. */
#include "machine_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/gamma_distribution.h"
#include "base/math/linear_algebra.h"
#include "base/math/normal_distribution.h"
#include "estimators/machine/machine_loss.h"
#include "releases/band/laplace_sum.h"
#include "releases/band/simulation.h"

enum { DRAWS = 2000 };
static const double SIMULATION_WORK = 1e8;
static const uint64_t BAND_SEED = 0x5f0a72u;
/* Places beyond which the power function is bounded by the kernel. */
static const size_t POWER_PLACES = 2000;

typedef enum law { NORMAL, LAPLACE, GAMMA, UNKNOWN } law;

/* Everything that widths are computed from. */
typedef struct widths {
  const sfm_release *release;
  law law;
  double scale, step, kappa, factor, risk;
  size_t features, functions;
  double distance; /* of the solver, and what places cannot show of the longest machine */
  double reach;    /* the norm of the longest machine; 0: it is told whole */
  double length;   /* the noise of no function is longer, with the confidence */
  double unit;     /* NORMAL, GAMMA: at a point with |phi| = 1 */
  double *lower;   /* the factor of (K + nugget I) at places, or NULL */
  double *pointwise, *everywhere; /* one per point */
} widths;

static law law_of(const sfm_release *release) {
  if (release->method == SFMI_MACHINE_OBJECTIVE || sfmi_method_fitted(release->method))
    return UNKNOWN;
  if (sfmi_release_normal(release)) return NORMAL;
  if (release->law == SFM_NOISE_LAW_DISCRETE_LAPLACE) return LAPLACE;
  return release->law == SFM_NOISE_LAW_GAMMA ? GAMMA : UNKNOWN;
}

/* ---- the length of the noise ---- */

static sfm_status draw_longest(void *context, double *longest, sfmi_prng *prng, sfm_error *error) {
  const widths *w = context;
  (void)error;
  *longest = 0;
  for (size_t f = 0; f < w->functions; f++) {
    double square = 0;
    for (size_t k = 0; k < w->features; k++) {
      const double z = sfmi_prng_laplace(prng);
      square += z * z;
    }
    *longest = fmax(*longest, sqrt(square));
  }
  return SFM_OK;
}

/* Of Laplace noise of scale 1: the longest of all functions' parts.  Squares have the mean 2 and
 * the variance 20. */
static sfm_status laplace_length(double *length, widths *w, sfm_error *error) {
  const double F = (double)w->features, p = w->risk / (double)w->functions;
  sfmi_simulation run = {0};
  *length = sqrt(2 * F + sqrt(20 * F * (1 / p - 1))); /* Cantelli */
  if ((double)DRAWS * F * (double)w->functions > SIMULATION_WORK) return SFM_OK;
  sfm_status status = sfmi_simulation_run(&run, DRAWS, 1, BAND_SEED, draw_longest, w, error);
  if (!status) *length = fmin(*length, sfmi_simulation_width(&run, 0, w->risk));
  sfmi_simulation_clear(&run);
  return status;
}

/* Of noise of density exp(-|x|) in all dimensions together: it is normal with the variance 2 tau,
 * tau a Gamma((D + 1)/2) variable; no part is longer than the whole. */
static double gamma_length(const widths *w) {
  const double F = (double)w->features, k = (double)w->functions, D = F * k;
  const double whole = sfmi_gamma_tail_bound(D, w->risk);
  const double part = 2 * sqrt(sfmi_gamma_tail_bound((D + 1) / 2, w->risk / 2) *
                               sfmi_gamma_tail_bound(F / 2, w->risk / (2 * k)));
  return k > 1 ? fmin(whole, part) : whole;
}

static sfm_status fill_noise(widths *w, sfm_error *error) {
  const double F = (double)w->features, k = (double)w->functions, one = 1;
  sfm_status status = SFM_OK;
  if (w->law == NORMAL) {
    w->length = sqrt(2 * sfmi_gamma_tail_bound(F / 2, w->risk / k));
    w->unit = sfmi_normal_tail_inverse(w->risk / 2);
  } else if (w->law == GAMMA) {
    w->length = gamma_length(w);
    w->unit = sfmi_laplace_sum_width(&one, 1, (F * k + 1) / 2, w->risk);
  } else {
    status = laplace_length(&w->length, w, error);
  }
  w->length *= w->scale;
  w->unit *= w->scale;
  return status;
}

/* ---- places ---- */

static double reach_of(const sfmi_machine_model *model) {
  const double factor = sfmi_machine_model_factor(model);
  const sfmi_loss loss = {model->loss, model->parameter / factor};
  return sfmi_loss_reach(&loss, model->lambda, model->map->kappa);
}

/* Where it cannot be had there is no factor, and the power function is bounded. */
static sfm_status fill_places(widths *w, sfm_error *error) {
  const sfmi_feature_map *map = w->release->model->map;
  const size_t m = map->point_count;
  if (m > POWER_PLACES) return SFM_OK;
  w->lower = sfmi_alloc(m * m, sizeof *w->lower);
  if (!w->lower) return sfmi_fail_memory(error);
  for (size_t i = 0; i < m; i++)
    for (size_t k = 0; k <= i; k++)
      w->lower[i * m + k] =
          sfmi_feature_map_kernel_between(map, i, k) + (i == k ? w->release->model->nugget : 0);
  if (sfmi_cholesky_lower(w->lower, m) == 0) return SFM_OK;
  free(w->lower);
  w->lower = NULL;
  return SFM_OK;
}

/* The root of K(u, u) - k' (K + nugget)^-1 k, phi being k. */
static double power(const widths *w, const double *phi) {
  const sfmi_feature_map *map = w->release->model->map;
  const size_t m = map->point_count;
  double *k = w->lower ? malloc(m * sizeof *k) : NULL, square = w->kappa * w->kappa;
  if (!k) return w->kappa;
  memcpy(k, phi, m * sizeof *k);
  sfmi_block_solve((sfmi_block){k, m}, (sfmi_block){w->lower, m}, 1, m);
  for (size_t i = 0; i < m; i++) square -= k[i] * k[i];
  free(k);
  return sqrt(fmax(square, 0));
}

/* ---- bands ---- */

static sfm_status widths_init(widths *w, const sfm_release *release, double confidence,
                              sfm_error *error) {
  const sfmi_machine_model *model = release->model;
  *w = (widths){.release = release,
                .law = law_of(release),
                .scale = release->scale,
                .step = release->hardened ? release->step : 0,
                .kappa = model->map->kappa,
                .factor = sfmi_machine_model_factor(model),
                .risk = 1 - confidence,
                .features = model->map->count,
                .functions = sfmi_machine_model_functions(model),
                .distance = model->certificate / 2};
  if (model->map->form == SFMI_FEATURE_MAP_POINTS) w->reach = reach_of(model);
  return w->law == UNKNOWN ? SFM_OK : fill_noise(w, error);
}

/* A point whose features are these, of which `count` are given. */
static void widths_at(void *context, const double *phi, size_t count, size_t point) {
  const widths *w = context;
  double squares = 0, sum = 0;
  for (size_t i = 0; phi && i < count; i++) {
    squares += phi[i] * phi[i];
    sum += fabs(phi[i]);
  }
  const double size = w->reach > 0 ? w->kappa : sqrt(squares);
  double noise = w->law == LAPLACE && phi
                     ? w->scale * sfmi_laplace_sum_width(phi, count, 1, w->risk)
                     : w->unit * size;
  double all = w->length * size, systematic = w->distance * size + 1.5 * w->step * sum;
  if (w->reach > 0 && phi) systematic += w->reach * power(w, phi);
  if (w->law == UNKNOWN) noise = all = INFINITY;
  if (!phi) noise = all = NAN;
  w->pointwise[point] = w->factor * (fmin(noise, all) + systematic);
  w->everywhere[point] = w->factor * (all + systematic);
}

static sfm_status band_points(const sfm_release *release, double *pointwise, double *everywhere,
                              const sfmi_machine_points *points, double confidence,
                              sfm_error *error) {
  widths w = {0};
  if (!release->model)
    return sfmi_fail(error, SFM_INVALID, "a release of kind %s is no machine",
                     sfm_kind_name(sfm_release_kind(release)));
  if (!(confidence > 0 && confidence < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "the band's confidence must be between 0 and 1 (0.99, say), not %g",
                     confidence);
  sfm_status status = widths_init(&w, release, confidence, error);
  if (!status && w.reach > 0) status = fill_places(&w, error);
  w.pointwise = pointwise;
  w.everywhere = everywhere;
  if (!status) status = sfmi_machine_model_visit(release, points, widths_at, &w, error);
  free(w.lower);
  return status;
}

sfm_status sfm_machine_band(const sfm_release *release, double *pointwise, double *everywhere,
                            const double *cells, size_t count, double confidence,
                            sfm_error *error) {
  const sfmi_machine_points points = {.cells = cells, .count = count};
  return band_points(release, pointwise, everywhere, &points, confidence, error);
}

sfm_status sfm_machine_band_sparse(const sfm_release *release, double *pointwise,
                                   double *everywhere, const size_t *starts,
                                   const uint32_t *indices, const double *numbers, size_t count,
                                   double confidence, sfm_error *error) {
  const sfmi_machine_points points = {
      .starts = starts, .indices = indices, .numbers = numbers, .count = count};
  return band_points(release, pointwise, everywhere, &points, confidence, error);
}

sfm_status sfmi_machine_band(sfm_band *band, const sfm_release *release, double confidence,
                             sfm_error *error) {
  widths w;
  sfm_status status = widths_init(&w, release, confidence, error);
  if (status) return status;
  const double unit = w.law == LAPLACE ? w.scale * sfmi_laplace_sum_worst_width(w.risk) : w.unit;
  const double noise = unit * w.kappa, all = w.length * w.kappa,
               systematic = w.factor * w.kappa *
                            (w.distance + w.reach + 1.5 * w.step * sqrt((double)w.features));
  const bool none = w.law == UNKNOWN;
  *band = (sfm_band){.confidence = confidence,
                     .half_width = none ? INFINITY : w.factor * all + systematic,
                     .pointwise = none ? INFINITY : w.factor * fmin(noise, all) + systematic,
                     .systematic = none ? INFINITY : systematic};
  return SFM_OK;
}
