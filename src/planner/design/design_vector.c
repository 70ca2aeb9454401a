#include "design_vector.h"
#include "base/system/sized_struct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/linear_algebra.h"
#include "privacy/calibration.h"
#include "privacy/range_check.h"
#include "sfumato/noise.h"
#include "releases/core/release_kind.h"

/* The step costs at most this share of the sensitivity. */
static const double STEP_SHARE = 1.0 / 1024;
/* For noise in the cube: D steps over the scale is at most this, so that one radius in 32 is drawn
 * again. */
static const double CUBE_SHARE = 1.0 / 16;

void sfm_vector_settings_init(sfm_vector_settings *settings, size_t size) {
  const sfm_vector_settings defaults = {.norm = SFM_VECTOR_NORM_L2,
                                        .contributions = 1,
                                        .noise = SFM_VECTOR_NOISE_LAPLACE,
                                        .calibration = SFM_CALIBRATION_EXACT,
                                        .context.confidence = 0.95};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

/* Largest ellipsoid: its matrix must be factorised; and most numbers in the vertices
 * of a polytope. */
static const size_t ELLIPSOID_MAX = 20000, VERTICES_MAX = (size_t)1 << 27;

/* L of S = L L'; the caller frees it. */
static sfm_status factorise(double **factor, const sfm_vector_settings *settings, size_t length,
                            sfm_error *error) {
  *factor = sfmi_alloc(length * length, sizeof **factor);
  if (!*factor) return sfmi_fail_memory(error);
  memcpy(*factor, settings->ellipsoid, length * length * sizeof **factor);
  return sfmi_cholesky(*factor, length, "the ellipsoid's matrix", error);
}

static sfm_status check_ellipsoid(const sfm_vector_settings *settings, size_t length,
                                  sfm_error *error) {
  const double *S = settings->ellipsoid;
  if (settings->noise == SFM_VECTOR_NOISE_LAPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "an ellipsoid goes with settings.noise = normal or gamma, not laplace");
  if (!S || length > ELLIPSOID_MAX)
    return sfmi_fail(error, SFM_INVALID, "an ellipsoid needs a matrix of at most %zu rows",
                     ELLIPSOID_MAX);
  for (size_t i = 0; i < length; i++)
    for (size_t j = 0; j <= i; j++)
      if (!isfinite(S[i * length + j]) ||
          fabs(S[i * length + j] - S[j * length + i]) >
              1e-12 * sqrt(fabs(S[i * length + i] * S[j * length + j])))
        return sfmi_fail(error, SFM_INVALID,
                         "the ellipsoid's matrix is not symmetric and finite at row %zu, column "
                         "%zu",
                         i + 1, j + 1);
  double *factor = NULL;
  sfm_status status = factorise(&factor, settings, length, error);
  free(factor);
  return status;
}

/* Whether moves are in a polytope or a body, which says how large they are. */
static bool shaped(sfm_vector_norm norm) {
  return norm == SFM_VECTOR_NORM_POLYTOPE || norm == SFM_VECTOR_NORM_BODY;
}

static sfmi_membership_oracle oracle_of(const sfm_vector_body *body) {
  return (sfmi_membership_oracle){body->inside, body->inside_data, body->inner, body->outer};
}

/* Vertices of which only the largest one matters. */
static sfm_status check_vertices(const sfm_vector_settings *settings, size_t length,
                                 sfm_error *error) {
  double largest = 0;
  if (!settings->vertices || settings->vertex_count < 1 ||
      settings->vertex_count > VERTICES_MAX / length)
    return sfmi_fail(error, SFM_INVALID, "a polytope has 1 to %zu vertices of %zu numbers, not %zu",
                     VERTICES_MAX / length, length, settings->vertex_count);
  for (size_t i = 0; i < settings->vertex_count * length; i++) {
    const double size = fabs(settings->vertices[i]);
    if (!(size <= SFMI_HIT_AND_RUN_SIZE_MAX))
      return sfmi_fail(error, SFM_INVALID,
                       "vertex %zu of the polytope is not a number of at most 1e100 in place %zu",
                       i / length + 1, i % length + 1);
    largest = fmax(largest, size);
  }
  if (largest >= SFMI_HIT_AND_RUN_SIZE_MIN) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID, "all vertices of the polytope are zero");
}

static sfm_status check_shape(const sfm_vector_settings *settings, size_t length,
                              sfm_error *error) {
  const bool knorm = settings->noise == SFM_VECTOR_NOISE_KNORM;
  const sfmi_membership_oracle oracle = oracle_of(&settings->body);
  if (settings->norm == SFM_VECTOR_NORM_BODY)
    return sfmi_hit_and_run_check_oracle(&oracle, knorm ? length : 1, error);
  return knorm ? sfmi_hit_and_run_check_points(settings->vertices, settings->vertex_count, length,
                                               error)
               : check_vertices(settings, length, error);
}

static sfm_status check_norm(const sfm_vector_settings *settings, size_t length, sfm_error *error) {
  if (settings->noise == SFM_VECTOR_NOISE_KNORM && settings->norm == SFM_VECTOR_NORM_L1)
    return sfmi_fail(error, SFM_INVALID,
                     "k-norm noise for l1 is settings.noise = laplace: write that");
  if (settings->noise == SFM_VECTOR_NOISE_KNORM &&
      (settings->norm == SFM_VECTOR_NORM_L2 || settings->norm == SFM_VECTOR_NORM_ELLIPSOID))
    return sfmi_fail(error, SFM_INVALID,
                     "k-norm noise for l2 and ellipsoids is settings.noise = gamma: write that");
  if (settings->norm == SFM_VECTOR_NORM_ELLIPSOID) return check_ellipsoid(settings, length, error);
  if (shaped(settings->norm)) return check_shape(settings, length, error);
  if (!(settings->sensitivity >= 1e-200) || !(settings->sensitivity <= 1e200))
    return sfmi_fail(error, SFM_INVALID,
                     "the sensitivity must be a positive number (at most 1e200), not %g",
                     settings->sensitivity);
  return SFM_OK;
}

sfm_status sfm_vector_check(const sfm_vector_settings *given, size_t length, sfm_error *error) {
  sfm_vector_settings taken;
  sfm_status status = SFMI_TAKE_SCHEMALESS(sfm_vector_settings, &taken, given, error);
  if (status) return status;
  const sfm_vector_settings *settings = &taken;
  const double epsilon = settings->epsilon, delta = settings->delta;
  if (length < 1 || length > SFMI_RELEASE_MAX)
    return sfmi_fail(error, SFM_INVALID, "a vector has 1 to %zu numbers, not %zu", SFMI_RELEASE_MAX,
                     length);
  status = sfmi_check_epsilon(epsilon, error);
  if (status) return status;
  bool normal = settings->noise == SFM_VECTOR_NOISE_NORMAL;
  if (normal) status = sfmi_check_normal_delta(delta, error);
  if (!normal && delta != 0)
    return sfmi_fail(error, SFM_INVALID,
                     "%s pure epsilon: leave out settings.delta, or use settings.noise = normal",
                     settings->noise == SFM_VECTOR_NOISE_KNORM ? "k-norm noise gives"
                                                               : "laplace and gamma noise give");
  if (!status && normal) status = sfmi_check_calibration(settings->calibration, epsilon, error);
  if (status) return status;
  if (settings->contributions < 1 || settings->contributions > 1000000)
    return sfmi_fail(error, SFM_INVALID, "contributions must be from 1 to 1000000");
  status = sfmi_check_confidence(settings->context.confidence, error);
  return status ? status : check_norm(settings, length, error);
}

/* The largest l1 norm, or l2 norm, in a polytope or a body. */
static double size_of(const sfm_vector_settings *settings, size_t length, bool l1) {
  double most = 0;
  if (settings->norm == SFM_VECTOR_NORM_BODY)
    return settings->body.outer * (l1 ? sqrt((double)length) : 1);
  for (size_t k = 0; k < settings->vertex_count; k++) {
    double sum = 0;
    for (size_t i = 0; i < length; i++)
      sum = l1 ? sum + fabs(settings->vertices[k * length + i])
               : hypot(sum, settings->vertices[k * length + i]);
    most = fmax(most, sum);
  }
  return most * (1 + 1e-15 * (double)length); /* above the roundings of the sum */
}

/* Sensitivity in the norm of the noise, rounded up. */
static double sensitivity_for(const sfm_vector_settings *settings, size_t length) {
  const double D = (double)length;
  const bool laplace = settings->noise == SFM_VECTOR_NOISE_LAPLACE,
             knorm = settings->noise == SFM_VECTOR_NOISE_KNORM;
  double delta = settings->norm == SFM_VECTOR_NORM_ELLIPSOID ? 1 : settings->sensitivity;
  if (shaped(settings->norm)) delta = knorm ? 1 : size_of(settings, length, laplace);
  if (laplace && settings->norm == SFM_VECTOR_NORM_L2) delta *= sqrt(D);
  if (settings->norm == SFM_VECTOR_NORM_LINF && !knorm) delta *= laplace ? D : sqrt(D);
  return delta * settings->contributions * (1 + 1e-15);
}

/* By how much a move of one in every coordinate moves the vector, in the norm of the noise. */
static double growth_of(const sfm_vector_settings *settings, size_t length) {
  if (settings->noise == SFM_VECTOR_NOISE_KNORM) return 1;
  return settings->noise == SFM_VECTOR_NOISE_LAPLACE ? (double)length : sqrt((double)length);
}

/* Rounding and reading move a coordinate by at most g each: 2 g growth <= STEP_SHARE exact, unless
 * the noise would then be beyond the sampler's range. */
static double step_for(const sfm_vector_settings *settings, const sfmi_design_vector *vector_design,
                       double growth) {
  double wanted = STEP_SHARE * vector_design->sensitivity / (2 * growth);
  wanted = settings->noise == SFM_VECTOR_NOISE_KNORM
               ? fmin(wanted, CUBE_SHARE * vector_design->scale / (double)vector_design->length)
               : fmax(wanted, vector_design->scale * 0x1p-49);
  return ldexp(1, (int)floor(log2(wanted)));
}

sfmi_design_vector sfmi_design_vector_of(const sfm_vector_settings *settings, size_t length,
                                         double mu) {
  const double exact = sensitivity_for(settings, length), growth = growth_of(settings, length);
  const double rate = settings->noise == SFM_VECTOR_NOISE_NORMAL ? mu : settings->epsilon;
  sfmi_design_vector vector_design = {
      .length = length, .mu = mu, .sensitivity = exact, .scale = exact / rate};
  vector_design.hardened = settings->noise != SFM_VECTOR_NOISE_GAMMA &&
                           settings->norm != SFM_VECTOR_NORM_ELLIPSOID &&
                           !(settings->noise == SFM_VECTOR_NOISE_KNORM && shaped(settings->norm));
  if (!vector_design.hardened) return vector_design;
  vector_design.step = step_for(settings, &vector_design, growth);
  vector_design.sensitivity = exact + 2 * vector_design.step * growth;
  vector_design.scale = vector_design.sensitivity / rate;
  return vector_design;
}

sfm_status sfmi_design_vector_init(sfmi_design_vector *vector_design,
                                   const sfm_vector_settings *settings, size_t length,
                                   sfm_error *error) {
  double mu = 0;
  sfm_status status = sfm_vector_check(settings, length, error);
  if (!status && settings->noise == SFM_VECTOR_NOISE_NORMAL)
    status = sfmi_gdp_mu_for(&mu, settings->epsilon, settings->delta, settings->calibration, error);
  if (!status) *vector_design = sfmi_design_vector_of(settings, length, mu);
  return status;
}

/* Laplace noise of scale b has the variance 2 b^2; gamma noise is r u, E r^2 = D (D + 1) b^2. */
double sfmi_design_vector_variance(const sfmi_design_vector *d, sfm_vector_noise noise) {
  const double each = noise == SFM_VECTOR_NOISE_LAPLACE ? 2
                      : noise == SFM_VECTOR_NOISE_GAMMA ? (double)d->length + 1
                                                        : 1;
  return each * d->scale * d->scale + d->step * d->step / 12;
}

static sfm_noise_law law_of(sfm_vector_noise noise, bool hardened) {
  switch (noise) {
  case SFM_VECTOR_NOISE_LAPLACE:
    return SFM_NOISE_LAW_DISCRETE_LAPLACE;
  case SFM_VECTOR_NOISE_NORMAL:
    return hardened ? SFM_NOISE_LAW_ROUNDED_NORMAL : SFM_NOISE_LAW_NORMAL;
  case SFM_VECTOR_NOISE_GAMMA:
    return SFM_NOISE_LAW_GAMMA;
  case SFM_VECTOR_NOISE_KNORM:
    break;
  }
  return hardened ? SFM_NOISE_LAW_DISCRETE_LINF : SFM_NOISE_LAW_KNORM;
}

/* Law and room for numbers: integers, or real ones, shaped to the ellipsoid when there is one. */
static sfm_status set_numbers(sfm_release *release, const sfm_vector_settings *settings,
                              sfm_error *error) {
  release->law = law_of(settings->noise, release->hardened);
  if (release->hardened)
    release->integers = sfmi_alloc(release->length, sizeof *release->integers);
  else
    release->reals = sfmi_alloc(release->length, sizeof *release->reals);
  if (!release->integers && !release->reals) return sfmi_fail_memory(error);
  if (release->method == SFMI_KNORM && !release->hardened)
    return sfmi_design_vector_body(&release->vector->shape, settings, release->length, error);
  return settings->norm == SFM_VECTOR_NORM_ELLIPSOID
             ? factorise(&release->vector->ellipsoid_factor, settings, release->length, error)
             : SFM_OK;
}

sfm_status sfmi_design_vector_body(sfmi_hit_and_run **out, const sfm_vector_settings *settings,
                                   size_t length, sfm_error *error) {
  if (settings->norm == SFM_VECTOR_NORM_BODY)
    return sfmi_hit_and_run_create_from_oracle(out, oracle_of(&settings->body), length, error);
  return sfmi_hit_and_run_create_from_points(out, settings->vertices, settings->vertex_count,
                                             length, error);
}

sfm_status sfmi_design_vector_template(sfm_release **out, const sfmi_design_vector *vector_design,
                                       const sfm_vector_settings *settings, double scale,
                                       sfm_error *error) {
  static const sfmi_method methods[] = {SFMI_LAPLACE, SFMI_NORMAL, SFMI_GAMMA, SFMI_KNORM};
  sfm_release *release = *out =
      sfmi_release_begin_stated(&sfmi_vector_kind, methods[settings->noise], &settings->context,
                                settings->neighbours, settings->contributions, settings->person);
  if (!release) return sfmi_fail_memory(error);
  release->length = vector_design->length;
  release->hardened = vector_design->hardened;
  release->guarantee =
      sfmi_guarantee_of_noise(settings->epsilon, settings->delta, vector_design->mu);
  release->sensitivity = vector_design->sensitivity;
  release->scale = scale;
  release->step = vector_design->step;
  if (vector_design->hardened) release->range = SFMI_DESIGN_VECTOR_RANGE * vector_design->step;
  return set_numbers(release, settings, error);
}
