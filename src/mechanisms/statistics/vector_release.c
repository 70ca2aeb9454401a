/* vector_release.c - Laplace, normal, gamma and k-norm noise for any vector whose sensitivity the
 * owner states. */
#include "base/system/sized_struct.h"
#include "mechanisms/core/vector_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/core/release_run.h"
#include "mechanisms/core/request_json.h"
#include "planner/design/design_vector.h"
#include "releases/band/band.h"
#include "random/idealised_draws.h"
#include "releases/band/vector_band.h"

/* One release under way. */
typedef struct vector_run {
  sfmi_release_run base;
  const sfm_vector_settings *settings;
  size_t length;
  const double *theta; /* PRIVATE, the caller's or ours */
  double *owned;       /* PRIVATE */
  sfmi_vector_noise noise;
} vector_run;

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  vector_run *m = (vector_run *)run;
  sfmi_design_vector vector_design;
  double scale;
  sfm_status status = sfmi_design_vector_init(&vector_design, m->settings, m->length, error);
  if (!status)
    status =
        sfmi_vector_noise_init(&m->noise, &scale, &vector_design, m->settings, run->seed, error);
  if (status) return status;
  return sfmi_design_vector_template(&run->release, &vector_design, m->settings, scale, error);
}

/* An ellipsoid and a polytope by the hash of their numbers, a body, which is a function, by its
 * radii. */
static json_t *parameters(const sfmi_release_run *run) {
  const sfm_release *release = run->release;
  const sfm_vector_settings *settings = ((const vector_run *)run)->settings;
  json_t *all = sfmi_request_parameters("vector", &release->guarantee, release->neighbours,
                                        release->contributions, settings->context.confidence);
  json_object_set_new(all, "person",
                      settings->person ? json_string(settings->person) : json_null());
  json_object_set_new(all, "length", json_integer((json_int_t)release->length));
  json_object_set_new(all, "noise", json_string(sfmi_method_name(release->method)));
  json_object_set_new(all, "norm", json_string(sfm_vector_norm_name(settings->norm)));
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

static sfm_status read(sfmi_release_run *run, sfm_error *error) {
  vector_run *m = (vector_run *)run;
  if (m->theta) return SFM_OK;
  m->theta = m->owned = sfmi_alloc(m->length, sizeof *m->owned);
  return m->owned ? m->settings->read(m->settings->read_context, m->owned, m->length, error)
                  : sfmi_fail_memory(error);
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  vector_run *m = (vector_run *)run;
  sfm_release *release = run->release;
  if (m->noise.hardener)
    return sfmi_vector_noise_add(&m->noise, release->integers, m->theta, m->length, release->step,
                                 error);
  if (release->vector->shape)
    return sfmi_vector_knorm(release->reals, m->theta, m->length, release->scale,
                             release->vector->shape, m->noise.stream, error);
  sfmi_vector_idealise(release->reals, m->theta, m->length, release->method == SFMI_GAMMA,
                       release->scale, release->vector->ellipsoid_factor, m->noise.stream);
  return SFM_OK;
}

static const sfmi_release_steps steps = {
    .prepare = prepare, .parameters = parameters, .read = read, .draw = draw};

/* A vector is a statistic of the rows, not the rows: it has no fingerprint to compare. */
sfm_status sfm_vector_release(sfm_release **out, const double *theta, size_t length,
                              const sfm_vector_settings *given, sfm_error *error) {
  sfm_vector_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE_SCHEMALESS(sfm_vector_settings, &taken, given, error);
  if (status) return status;
  const sfm_vector_settings *settings = &taken;
  vector_run m = {.base = sfmi_release_run_statistic(&steps, &settings->context, settings->person),
                  .settings = settings,
                  .length = length,
                  .theta = theta};
  if (!theta && !settings->read)
    return sfmi_fail(error, SFM_INVALID, "give the vector, or a function that reads it");
  status = sfmi_release_run_all(out, &m.base, error);
  sfmi_wipe_free(m.owned, length, sizeof *m.owned);
  sfmi_vector_noise_clear(&m.noise);
  return status;
}
