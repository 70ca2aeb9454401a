/* vector_release.c - Laplace, normal, gamma and k-norm noise for any vector whose sensitivity the
 * owner states. */
#include "base/system/sized_struct.h"
#include "mechanisms/core/vector_noise.h"

#include "mechanisms/core/release_run.h"
#include "mechanisms/core/request_json.h"
#include "planner/design/design_vector.h"

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
  json_t *all = sfmi_request_parameters(run, "vector");
  sfmi_request_text(all, "person", run->person);
  sfmi_request_count(all, "length", release->length);
  sfmi_request_text(all, "noise", sfmi_method_name(release->method));
  sfmi_request_text(all, "norm", sfm_vector_norm_name(settings->norm));
  if (settings->norm == SFM_VECTOR_NORM_ELLIPSOID) {
    const size_t bytes = release->length * release->length * sizeof *settings->ellipsoid;
    json_object_set_new(all, "ellipsoid", sfmi_request_hash(settings->ellipsoid, bytes));
  } else if (settings->norm == SFM_VECTOR_NORM_POLYTOPE) {
    const size_t bytes = settings->vertex_count * release->length * sizeof *settings->vertices;
    json_object_set_new(all, "polytope", sfmi_request_hash(settings->vertices, bytes));
  } else if (settings->norm == SFM_VECTOR_NORM_BODY) {
    sfmi_request_number(all, "inner", settings->body.inner);
    sfmi_request_number(all, "outer", settings->body.outer);
  } else {
    sfmi_request_number(all, "sensitivity", settings->sensitivity);
  }
  return all;
}

static sfm_status read(sfmi_release_run *run, sfm_error *error) {
  vector_run *m = (vector_run *)run;
  if (m->theta) return SFM_OK;
  m->theta = m->owned = sfmi_alloc(m->length, sizeof *m->owned);
  return m->owned ? m->settings->read(m->settings->read_data, m->owned, m->length, error)
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
  vector_run m = {.base = sfmi_release_run_statistic(&steps, &taken.context, taken.person),
                  .settings = &taken,
                  .length = length,
                  .theta = theta};
  if (!theta && !taken.read)
    return sfmi_fail(error, SFM_INVALID, "give the vector, or a function that reads it");
  status = sfmi_release_run_all(out, &m.base, error);
  sfmi_wipe_free(m.owned, length, sizeof *m.owned);
  sfmi_vector_noise_clear(&m.noise);
  return status;
}
