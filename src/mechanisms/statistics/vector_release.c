/* vector_release.c - Laplace, normal, gamma and k-norm noise for any vector whose sensitivity the
 * owner states.
 */
#include "mechanisms/core/vector_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/linear_algebra.h"
#include "mechanisms/core/charge_protocol.h"
#include "planner/design/design_vector.h"
#include "random/idealised_draws.h"
#include "releases/band/band.h"

sfm_status sfmi_vector_hardening(sfmi_hardening *out, const sfm_vector_settings *settings,
                                 size_t length, double mu, sfm_error *error) {
  const sfmi_design_vector vector_design = sfmi_design_vector_of(settings, length, mu);
  const double steps = vector_design.sensitivity / vector_design.step;
  out->step = vector_design.step;
  out->sensitivity = vector_design.sensitivity;
  switch (settings->noise) {
  case SFM_VECTOR_LAPLACE:
    return sfmi_harden_laplace(&out->law, steps, settings->epsilon, error);
  case SFM_VECTOR_KNORM:
    return sfmi_harden_linf(&out->law, steps, settings->epsilon, length, error);
  default:
    return sfmi_harden_normal(&out->law, steps, mu, error);
  }
}

void sfmi_vector_integers(sfmi_i128 *values, const double *theta, size_t length, double step) {
  for (size_t i = 0; i < length; i++) {
    double steps = isnan(theta[i]) ? 0 : theta[i] / step;
    values[i] = llround(fmax(-SFMI_DESIGN_VECTOR_RANGE, fmin(SFMI_DESIGN_VECTOR_RANGE, steps)));
  }
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

/* A coordinate as it counts in real arithmetic. */
static double settled(double value) {
  return isnan(value) ? 0 : fmax(-1e300, fmin(1e300, value));
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
  for (size_t i = 0; i < length; i++) released[i] = settled(theta[i]) + scale * released[i];
}

static void draw_step(void *state, double *direction, size_t dimension, double *uniform) {
  sfmi_idealised_normal(state, direction, dimension);
  *uniform = sfmi_idealised_uniform(state);
}

sfm_status sfmi_vector_knorm(double *released, const double *theta, size_t length, double scale,
                             sfmi_hit_and_run *shape, sfmi_stream *stream, sfm_error *error) {
  const sfmi_hit_and_run_source source = {stream, draw_step, NULL};
  sfm_status status = sfmi_hit_and_run_walk(shape, &source, sfmi_hit_and_run_steps(length), error);
  if (!status) {
    const double radius = scale * sfmi_idealised_gamma(stream, (double)length + 1);
    const double *point = sfmi_hit_and_run_at(shape);
    for (size_t i = 0; i < length; i++) released[i] = settled(theta[i]) + radius * point[i];
  }
  sfmi_hit_and_run_reset(shape);
  return status;
}

static sfm_status draw_idealised(sfm_release *release, const double *theta, sfmi_seed source,
                                 sfm_error *error) {
  sfmi_stream *stream = NULL;
  sfm_status status = source.seeded ? sfmi_stream_create_seeded(&stream, source.seed, error)
                                    : sfmi_stream_create(&stream, error);
  if (status) return status;
  if (release->shape)
    status = sfmi_vector_knorm(release->reals, theta, release->length, release->scale,
                               release->shape, stream, error);
  else
    sfmi_vector_idealise(release->reals, theta, release->length, release->method == SFMI_GAMMA,
                         release->scale, release->ellipsoid_factor, stream);
  sfmi_stream_destroy(stream);
  return status;
}

/* The release with all that is public filled in. */
static sfm_status begin_release(sfm_release **out, sfmi_hardening *hardening, size_t length,
                                const sfm_vector_settings *settings, sfm_error *error) {
  sfmi_design_vector vector_design;
  *out = NULL;
  sfm_status status = sfmi_design_vector_init(&vector_design, settings, length, error);
  if (!status && vector_design.hardened)
    status = sfmi_vector_hardening(hardening, settings, length, vector_design.mu, error);
  if (status) return status;
  const double scale = vector_design.hardened ? sfmi_noise_scale(&hardening->law) * hardening->step
                                              : vector_design.scale;
  return sfmi_design_vector_template(out, &vector_design, settings, scale, error);
}

/* What was asked for, as the ledger remembers it; an ellipsoid and a polytope by the hash of their
 * numbers, a body, which is a function, by its radii. */
static json_t *parameters_json(const sfm_release *release, const sfm_vector_settings *settings) {
  static const char *const norms[] = {[SFM_L1] = "l1",
                                      [SFM_L2] = "l2",
                                      [SFM_ELLIPSOID] = "ellipsoid",
                                      [SFM_LINF] = "linf",
                                      [SFM_POLYTOPE] = "polytope",
                                      [SFM_BODY] = "body"};
  json_t *all = sfmi_request_parameters("vector", &release->guarantee, release->neighbours,
                                        release->contributions, settings->confidence);
  json_object_set_new(all, "person",
                      settings->person ? json_string(settings->person) : json_null());
  json_object_set_new(all, "length", json_integer((json_int_t)release->length));
  json_object_set_new(all, "noise", json_string(sfmi_method_name(release->method)));
  json_object_set_new(all, "norm", json_string(norms[settings->norm]));
  if (settings->norm == SFM_ELLIPSOID) {
    const size_t bytes = release->length * release->length * sizeof *settings->ellipsoid;
    json_object_set_new(all, "ellipsoid", sfmi_request_hash(settings->ellipsoid, bytes));
  } else if (settings->norm == SFM_POLYTOPE) {
    const size_t bytes = settings->vertex_count * release->length * sizeof *settings->vertices;
    json_object_set_new(all, "polytope", sfmi_request_hash(settings->vertices, bytes));
  } else if (settings->norm == SFM_BODY) {
    json_object_set_new(all, "inner", json_real(settings->body.inner));
    json_object_set_new(all, "outer", json_real(settings->body.outer));
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
  if (!status)
    status = release->hardened ? draw_hardened(release, theta, hardener, error)
                               : draw_idealised(release, theta, source, error);
  if (owned) explicit_bzero(owned, size);
  free(owned);
  if (!status) status = sfmi_band_vector(&release->band, release, settings->confidence, error);
  if (!status && !sfmi_release_write_sentence(release)) status = sfmi_fail_memory(error);
  return status;
}

sfm_status sfm_vector_release(sfm_release **out, const double *theta, size_t length,
                              const sfm_vector_settings *settings, sfm_error *error) {
  sfm_release *release = NULL, *stored = NULL;
  sfmi_hardening hardening = {0};
  sfmi_hardener *hardener = NULL;
  sfmi_protocol protocol;
  *out = NULL;
  if (!theta && !settings->read)
    return sfmi_fail(error, SFM_INVALID, "a vector is given, or a function that reads it");
  sfm_status status =
      sfmi_protocol_begin(&protocol, settings->charge, settings->seeded, settings->person, error);
  if (!status) status = begin_release(&release, &hardening, length, settings, error);
  if (!status && release->hardened)
    status = sfmi_hardener_create(&hardener, &hardening.law,
                                  (sfmi_seed){settings->seeded, settings->seed}, error);
  if (!status)
    status =
        sfmi_protocol_charge(&protocol, &stored, release,
                             settings->charge ? parameters_json(release, settings) : NULL, error);
  if (!status && !stored) {
    status = make_answer(release, theta, hardener, settings, error);
    /* A vector is a statistic of the rows, not the rows: it has no fingerprint to compare. */
    if (!status) status = sfmi_protocol_store(&protocol, &release, NULL, error);
  }
  sfmi_hardener_destroy(hardener);
  status = sfmi_protocol_end(&protocol, status, error);
  if (status || stored) sfm_release_destroy(release);
  if (!status) *out = stored ? stored : release;
  return status;
}
