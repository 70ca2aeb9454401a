/* vector_release.c - Laplace, normal, gamma and k-norm noise for any vector whose sensitivity the
 * owner states.  Order of events as in density_release.c. */
#include "mechanisms/core/vector_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/core/charge_protocol.h"
#include "mechanisms/core/request_json.h"
#include "planner/design/design_vector.h"
#include "releases/band/band.h"
#include "random/idealised_draws.h"
#include "releases/core/release_sentence.h"
#include "releases/band/vector_band.h"

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

static sfm_status draw_idealised(sfm_release *release, const double *theta, sfmi_seed source,
                                 sfm_error *error) {
  sfmi_stream *stream = NULL;
  sfm_status status = sfmi_seed_stream(&stream, source, error);
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
    return sfmi_fail(error, SFM_INVALID, "give the vector, or a function that reads it");
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
