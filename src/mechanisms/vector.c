/* vector.c - SPEC section 3's mechanisms for any vector whose sensitivity the owner states. */
#include "mechanisms/coordinates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/linear.h"
#include "mechanisms/billing.h"
#include "privacy/calibration.h"
#include "random/idealised.h"
#include "releases/band.h"

/* The step costs at most this share of the sensitivity. */
static const double STEP_SHARE = 1.0 / 1024;
/* Coordinates count as at most this many steps, where reading them from text or rounding them in a
 * double is off by at most half a step. */
static const double RANGE_STEPS = 0x1p51;

sfm_vector_settings sfm_vector_settings_default(void) {
  return (sfm_vector_settings){.norm = SFM_L2,
                               .contributions = 1,
                               .noise = SFM_VECTOR_LAPLACE,
                               .calibration = SFM_CALIBRATION_EXACT,
                               .confidence = 0.95};
}

/* Largest ellipsoid: its matrix must be factorised. */
static const size_t ELLIPSOID_MAX = 20000;

/* L of S = L L', to be freed. */
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
  if (settings->noise == SFM_VECTOR_LAPLACE)
    return sfmi_fail(error, SFM_INVALID,
                     "an ellipsoid goes with --noise normal or gamma, not laplace");
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

sfm_status sfm_vector_check(const sfm_vector_settings *settings, size_t length, sfm_error *error) {
  const double epsilon = settings->epsilon, delta = settings->delta;
  if (length < 1 || length > SFMI_RELEASE_MAX)
    return sfmi_fail(error, SFM_INVALID, "a vector has 1 to %zu numbers, not %zu", SFMI_RELEASE_MAX,
                     length);
  if (!(epsilon >= SFMI_EPSILON_MIN && epsilon <= SFMI_EPSILON_MAX))
    return sfmi_fail(error, SFM_INVALID, "epsilon must be a number from %g to %g, not %g",
                     SFMI_EPSILON_MIN, SFMI_EPSILON_MAX, epsilon);
  if ((int)settings->noise < 0 || settings->noise > SFM_VECTOR_GAMMA)
    return sfmi_fail(error, SFM_INVALID, "there is no noise number %d", (int)settings->noise);
  bool normal = settings->noise == SFM_VECTOR_NORMAL;
  if (normal && !(delta >= SFMI_DELTA_MIN && delta < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "normal noise needs a delta above 0 and below 1 (1e-6 is usual), not %g",
                     delta);
  if (!normal && delta != 0)
    return sfmi_fail(error, SFM_INVALID,
                     "laplace and gamma noise give pure epsilon: leave out --delta, or use --noise "
                     "normal");
  if (normal && settings->calibration == SFM_CALIBRATION_CLASSICAL && epsilon > 1)
    return sfmi_fail(error, SFM_INVALID,
                     "the classical calibration is proved for epsilon <= 1 only, not %g", epsilon);
  if (settings->norm != SFM_ELLIPSOID &&
      (!(settings->sensitivity >= 1e-200) || !(settings->sensitivity <= 1e200)))
    return sfmi_fail(error, SFM_INVALID,
                     "the sensitivity must be a positive number (at most 1e200), not %g",
                     settings->sensitivity);
  if (settings->contributions < 1 || settings->contributions > 1000000)
    return sfmi_fail(error, SFM_INVALID, "contributions must be from 1 to 1000000");
  if (!(settings->confidence > 0 && settings->confidence < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "the band's confidence must be between 0 and 1 (0.95 is usual), not %g",
                     settings->confidence);
  return settings->norm == SFM_ELLIPSOID ? check_ellipsoid(settings, length, error) : SFM_OK;
}

/* Sensitivity in the norm of the noise (l1 for Laplace, l2 otherwise), rounded up. */
static double sensitivity_for(const sfm_vector_settings *settings, size_t length) {
  double delta = settings->norm == SFM_ELLIPSOID ? 1 : settings->sensitivity;
  if (settings->noise == SFM_VECTOR_LAPLACE && settings->norm == SFM_L2)
    delta *= sqrt((double)length);
  return delta * settings->contributions * (1 + 1e-15);
}

sfm_status sfmi_vector_hardening(sfmi_hardening *out, const sfm_vector_settings *settings,
                                 size_t length, double mu, sfm_error *error) {
  const bool laplace = settings->noise == SFM_VECTOR_LAPLACE;
  const double exact = sensitivity_for(settings, length);
  const double growth = laplace ? (double)length : sqrt((double)length);
  /* Rounding and reading move a coordinate by at most g each: 2 g growth <= STEP_SHARE exact,
   * unless the noise would then be beyond the sampler's range. */
  const double rate = laplace ? settings->epsilon : mu;
  double wanted = fmax(STEP_SHARE * exact / (2 * growth), exact / rate * 0x1p-49);
  out->step = ldexp(1, (int)floor(log2(wanted)));
  out->sensitivity = exact + 2 * out->step * growth;
  return laplace ? sfmi_harden_laplace(&out->law, out->sensitivity / out->step, rate, error)
                 : sfmi_harden_normal(&out->law, out->sensitivity / out->step, rate, error);
}

void sfmi_vector_integers(sfmi_i128 *values, const double *theta, size_t length, double step) {
  for (size_t i = 0; i < length; i++) {
    double steps = isnan(theta[i]) ? 0 : theta[i] / step;
    values[i] = llround(fmax(-RANGE_STEPS, fmin(RANGE_STEPS, steps)));
  }
}

/* What is public of a hardened release. */
static sfm_status begin_hardened(sfm_release *release, sfmi_hardening *hardening,
                                 const sfm_vector_settings *settings, double mu, sfm_error *error) {
  sfm_status status = sfmi_vector_hardening(hardening, settings, release->length, mu, error);
  if (status != SFM_OK) return status;
  release->step = hardening->step;
  release->range = RANGE_STEPS * hardening->step;
  release->sensitivity = hardening->sensitivity;
  release->scale = sfmi_noise_scale(&hardening->law) * hardening->step;
  release->law = sfmi_copy_string(sfm_noise_law_name(hardening->law.law));
  release->integers = sfmi_alloc(release->length, sizeof *release->integers);
  return release->law && release->integers ? SFM_OK : sfmi_fail_memory(error);
}

/* theta to integers of a power-of-two step, noise in integers. */
static sfm_status draw_hardened(sfm_release *release, const double *theta, sfmi_hardener *hardener,
                                sfm_error *error) {
  const size_t D = release->length;
  sfmi_i128 *values = sfmi_alloc(D, sizeof *values);
  if (!values) return sfmi_fail_memory(error);
  sfmi_vector_integers(values, theta, D, release->step);
  sfmi_hardener_add(hardener, release->integers, values, D);
  explicit_bzero(values, D * sizeof *values);
  free(values);
  return SFM_OK;
}

void sfmi_vector_idealise(double *released, const double *theta, size_t length, bool gamma,
                          double scale, const double *factor, sfmi_stream *stream) {
  if (gamma) {
    sfmi_idealised_direction(stream, released, length);
    double radius = sfmi_idealised_gamma(stream, (double)length);
    for (size_t i = 0; i < length; i++) released[i] *= radius;
  } else {
    sfmi_idealised_normal(stream, released, length);
  }
  if (factor) sfmi_lower_multiply(factor, length, released);
  for (size_t i = 0; i < length; i++) {
    double value = isnan(theta[i]) ? 0 : fmax(-1e300, fmin(1e300, theta[i]));
    released[i] = value + scale * released[i];
  }
}

/* What is public of an idealised release: real noise, shaped to the ellipsoid when there is one. */
static sfm_status begin_idealised(sfm_release *release, const sfm_vector_settings *settings,
                                  double mu, sfm_error *error) {
  const bool gamma = settings->noise == SFM_VECTOR_GAMMA;
  release->sensitivity = sensitivity_for(settings, release->length);
  release->scale = release->sensitivity / (gamma ? settings->epsilon : mu);
  release->law = sfmi_copy_string(gamma ? "gamma" : "normal");
  release->reals = sfmi_alloc(release->length, sizeof *release->reals);
  if (!release->law || !release->reals) return sfmi_fail_memory(error);
  return settings->norm == SFM_ELLIPSOID
             ? factorise(&release->ellipsoid_factor, settings, release->length, error)
             : SFM_OK;
}

static sfm_status draw_idealised(sfm_release *release, const double *theta, sfmi_seed source,
                                 sfm_error *error) {
  sfmi_stream *stream = NULL;
  sfm_status status = source.seeded ? sfmi_stream_create_seeded(&stream, source.seed, error)
                                    : sfmi_stream_create(&stream, error);
  if (status != SFM_OK) return status;
  sfmi_vector_idealise(release->reals, theta, release->length, release->method == SFMI_GAMMA,
                       release->scale, release->ellipsoid_factor, stream);
  sfmi_stream_destroy(stream);
  return SFM_OK;
}

/* The release with all that is public filled in. */
static sfm_status begin_release(sfm_release **out, sfmi_hardening *hardening, size_t length,
                                const sfm_vector_settings *settings, sfm_error *error) {
  static const sfmi_method methods[] = {SFMI_LAPLACE, SFMI_NORMAL, SFMI_GAMMA};
  const bool normal = settings->noise == SFM_VECTOR_NORMAL;
  double mu = 0;
  *out = NULL;
  sfm_status status = sfm_vector_check(settings, length, error);
  if (status == SFM_OK && normal)
    status = sfmi_gdp_mu_for(&mu, settings->epsilon, settings->delta, settings->calibration, error);
  if (status != SFM_OK) return status;
  sfm_release *release = sfmi_release_create();
  *out = release;
  if (!release) return sfmi_fail_memory(error);
  release->length = length;
  release->method = methods[settings->noise];
  release->hardened = settings->noise != SFM_VECTOR_GAMMA && settings->norm != SFM_ELLIPSOID;
  release->is_private = !settings->seeded;
  release->neighbours = settings->neighbours;
  release->contributions = settings->contributions;
  release->guarantee = (sfm_guarantee){.kind = normal ? SFM_GDP : SFM_PURE,
                                       .epsilon = settings->epsilon,
                                       .delta = settings->delta,
                                       .mu = mu};
  return release->hardened ? begin_hardened(release, hardening, settings, mu, error)
                           : begin_idealised(release, settings, mu, error);
}

/* What was asked for, as the ledger remembers it; an ellipsoid by the hash of its matrix. */
static json_t *parameters_json(const sfm_release *release, const sfm_vector_settings *settings) {
  static const char *const norms[] = {
      [SFM_L1] = "l1", [SFM_L2] = "l2", [SFM_ELLIPSOID] = "ellipsoid"};
  json_t *all = sfmi_bill_parameters("vector", &release->guarantee, release->neighbours,
                                     release->contributions, settings->confidence);
  json_object_set_new(all, "person",
                      settings->person ? json_string(settings->person) : json_null());
  json_object_set_new(all, "length", json_integer((json_int_t)release->length));
  json_object_set_new(all, "noise", json_string(sfmi_method_name(release->method)));
  json_object_set_new(all, "norm", json_string(norms[settings->norm]));
  if (settings->norm == SFM_ELLIPSOID) {
    const size_t bytes = release->length * release->length * sizeof *settings->ellipsoid;
    json_object_set_new(all, "ellipsoid", sfmi_bill_hash(settings->ellipsoid, bytes));
  } else {
    json_object_set_new(all, "sensitivity", json_real(settings->sensitivity));
  }
  return all;
}

/* From the charged release to the finished one: the numbers, noise, band. */
static sfm_status make_answer(sfm_release *release, const double *theta, sfmi_hardener *hardener,
                              const sfm_vector_settings *settings, sfm_error *error) {
  const sfmi_seed source = {settings->seeded, settings->seed};
  const size_t size = release->length * sizeof(double);
  double *owned = NULL;
  sfm_status status = SFM_OK;
  if (!theta) {
    owned = sfmi_alloc(release->length, sizeof *owned);
    status = owned ? settings->read(settings->read_context, owned, release->length, error)
                   : sfmi_fail_memory(error);
    theta = owned;
  }
  if (status == SFM_OK)
    status = release->hardened ? draw_hardened(release, theta, hardener, error)
                               : draw_idealised(release, theta, source, error);
  if (owned) explicit_bzero(owned, size);
  free(owned);
  if (status == SFM_OK)
    status = sfmi_band_vector(&release->band, release, settings->confidence, error);
  if (status == SFM_OK && !sfmi_release_write_sentence(release)) status = sfmi_fail_memory(error);
  return status;
}

sfm_status sfm_vector_release(sfm_release **out, const double *theta, size_t length,
                              const sfm_vector_settings *settings, sfm_error *error) {
  sfm_release *release = NULL, *stored = NULL;
  sfmi_hardening hardening = {0};
  sfmi_hardener *hardener = NULL;
  sfmi_bill bill;
  *out = NULL;
  if (!theta && !settings->read)
    return sfmi_fail(error, SFM_INVALID, "a vector is given, or a function that reads it");
  sfm_status status =
      sfmi_bill_ready(&bill, settings->charge, settings->seeded, settings->person, error);
  if (status == SFM_OK) status = begin_release(&release, &hardening, length, settings, error);
  if (status == SFM_OK && release->hardened)
    status = sfmi_hardener_create(&hardener, &hardening.law,
                                  (sfmi_seed){settings->seeded, settings->seed}, error);
  if (status == SFM_OK)
    status = sfmi_bill_charge(&bill, &stored, release,
                              settings->charge ? parameters_json(release, settings) : NULL, error);
  if (status == SFM_OK && !stored) {
    status = make_answer(release, theta, hardener, settings, error);
    /* A vector is a statistic of the rows, not the rows: it has no fingerprint to compare. */
    if (status == SFM_OK) status = sfmi_bill_store(&bill, &release, NULL, error);
  }
  sfmi_hardener_destroy(hardener);
  status = sfmi_bill_end(&bill, status, error);
  if (status != SFM_OK || stored) sfm_release_destroy(release);
  if (status == SFM_OK) *out = stored ? stored : release;
  return status;
}
