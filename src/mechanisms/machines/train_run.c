#include "train_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/core/request_json.h"
#include "base/math/linear_algebra.h"
#include "planner/density/gaussian_process.h"
#include "releases/core/release_kind.h"

/* Most places: their matrix is places x places, twice. */
static const size_t PLACES_MAX = 5000;

/* ---- what is public ---- */

static sfm_task task_of(const sfm_train_settings *s) {
  if (s->regression) return SFM_TASK_REGRESSION;
  return s->one_vs_rest ? SFM_TASK_ONE_VS_REST : SFM_TASK_BINARY;
}

static bool copy_classes(sfmi_machine_model *model, const sfm_train_settings *s) {
  size_t count;
  const char *const *labels = sfmi_design_train_labels(s, &count);
  if (!labels) return true;
  model->classes = sfmi_copy_strings(labels, count);
  model->class_count = count;
  return model->classes != NULL;
}

/* Everything but the map, which is handed over when the release is done. */
static sfm_status describe(sfmi_machine_model *model, const sfmi_train_problem *l,
                           sfm_error *error) {
  const sfm_train_settings *s = l->settings;
  const sfmi_design_train *t = &l->training;
  const bool has_parameter =
      s->loss == SFM_MACHINE_LOSS_HUBER || s->loss == SFM_MACHINE_LOSS_EPSILON_INSENSITIVE;
  const double half = s->regression ? 0.5 * s->label_upper - 0.5 * s->label_lower : 1;
  model->task = task_of(s);
  model->lower = s->regression ? s->label_lower : 0;
  model->upper = s->regression ? s->label_upper : 0;
  model->loss = s->loss;
  model->parameter = has_parameter ? t->loss.parameter * half : NAN;
  model->lambda = t->lambda;
  model->tolerance = s->method == SFM_TRAIN_OBJECTIVE ? 0 : s->tolerance;
  model->bound = t->bound;
  model->certificate = t->certificate;
  model->used = t->used;
  if (s->label && (s->features || s->gram) && !(model->label = sfmi_copy_string(s->label)))
    return sfmi_fail_memory(error);
  if (!copy_classes(model, s)) return sfmi_fail_memory(error);
  return sfmi_encoding_copy(&model->encoding, &l->encoding) ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_train_run_describe(sfmi_train_run *m, sfm_error *error) {
  static const sfmi_method methods[] = {
      [SFM_TRAIN_GP] = SFMI_MACHINE_GP,     [SFM_TRAIN_FINITE] = SFMI_MACHINE_FINITE,
      [SFM_TRAIN_RFF] = SFMI_MACHINE_RFF,   [SFM_TRAIN_OBJECTIVE] = SFMI_MACHINE_OBJECTIVE,
      [SFM_TRAIN_TDDL] = SFMI_MACHINE_TDDL, [SFM_TRAIN_TDIL] = SFMI_MACHINE_TDIL,
  };
  const sfm_train_settings *s = m->settings;
  sfm_release *release = m->base.release;
  if (!sfmi_release_become(release, &sfmi_machine_kind)) return sfmi_fail_memory(error);
  release->method = methods[s->method];
  release->contributions = sfm_schema_contributions(s->context.schema);
  if (!sfmi_release_take_person(release, s->context.schema)) return sfmi_fail_memory(error);
  release->has_rows = true;
  release->rows = m->train_problem.training.rows;
  release->outside = s->outside;
  release->model = sfmi_alloc(1, sizeof *release->model);
  if (release->model) release->model->nugget = m->nugget;
  return release->model ? describe(release->model, &m->train_problem, error)
                        : sfmi_fail_memory(error);
}

static bool same_place(const sfmi_feature_map *map, size_t i, size_t j) {
  const size_t a = map->point_starts[i], b = map->point_starts[j],
               count = map->point_starts[i + 1] - a;
  return map->point_starts[j + 1] - b == count &&
         memcmp(map->point_indices + a, map->point_indices + b,
                count * sizeof *map->point_indices) == 0 &&
         memcmp(map->point_values + a, map->point_values + b, count * sizeof *map->point_values) ==
             0;
}

static sfm_status check_places(const sfmi_feature_map *map, sfm_error *error) {
  if (map->point_count < 1 || map->point_count > PLACES_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "a machine can be released at 1 to %zu places, not at %zu; settings.method = "
                     "rff, rff_features = 1000 needs none",
                     PLACES_MAX, map->point_count);
  for (size_t i = 0; i < map->point_count; i++)
    for (size_t j = 0; j < i; j++)
      if (same_place(map, i, j))
        return sfmi_fail(error, SFM_INVALID, "places %zu and %zu are the same: leave out one",
                         j + 1, i + 1);
  return SFM_OK;
}

/* Values at places, with noise of covariance scale^2 (K + nugget I). */
static sfm_status design_places(sfmi_train_run *m, sfmi_design_vector *vector_design,
                                sfm_error *error) {
  const sfmi_train_problem *l = &m->train_problem;
  const double nugget = sfmi_train_problem_nugget(l), machines = (double)l->training.machines;
  sfm_status status = check_places(l->map, error);
  if (!status) status = sfmi_feature_map_matrix(&m->factor, l->map, nugget, error);
  if (!status)
    status = sfmi_cholesky(m->factor, l->numbers, "the kernel's matrix at the places", error);
  if (status) return status;
  vector_design->hardened = false;
  vector_design->step = 0;
  vector_design->sensitivity = sfmi_process_sensitivity(
      l->training.joint, sfmi_train_problem_rounding(l), nugget, machines * (double)l->numbers);
  vector_design->scale = vector_design->sensitivity / vector_design->mu;
  m->nugget = nugget;
  return SFM_OK;
}

/* Noise in the objective. */
static void design_objective(sfmi_design_vector *vector_design, const sfmi_design_train *training) {
  vector_design->hardened = false;
  vector_design->step = 0;
  vector_design->mu = 0;
  vector_design->sensitivity = training->gradient;
  vector_design->scale = training->scale;
}

/* Values at public points, and what is fitted to them. */
static sfm_status outline_tddl(sfmi_train_run *m, sfm_error *error) {
  sfm_status status = sfmi_tddl_create(&m->tddl, &m->train_problem, error);
  if (!status) status = sfmi_tddl_outline(&m->base.release, m->tddl, error);
  if (!status) status = sfmi_train_run_describe(m, error);
  if (!status) m->base.release->model->fit = sfmi_tddl_fit(m->tddl);
  return status;
}

sfm_status sfmi_train_run_outline(sfmi_train_run *m, sfm_error *error) {
  const sfmi_train_problem *l = &m->train_problem;
  const sfm_train_settings *s = m->settings;
  if (s->method == SFM_TRAIN_TDDL) return outline_tddl(m, error);
  sfm_vector_settings vector = sfmi_design_train_vector(&l->training, s);
  const bool objective = s->method == SFM_TRAIN_OBJECTIVE;
  sfmi_design_vector vector_design;
  double scale;
  if (objective) vector.sensitivity = l->training.gradient;
  const size_t length = l->training.machines * l->training.features;
  sfm_status status = sfmi_design_vector_init(&vector_design, &vector, length, error);
  if (status) return status;
  if (m->mu > 0) vector_design = sfmi_design_vector_of(&vector, length, m->mu);
  if (objective)
    design_objective(&vector_design, &l->training);
  else if (l->form == SFMI_EXAMPLES_KERNEL)
    status = design_places(m, &vector_design, error);
  if (!status)
    status = sfmi_vector_noise_init(&m->noise, &scale, &vector_design, &vector,
                                    sfmi_seed_of(&s->context), error);
  if (!status)
    status = sfmi_design_vector_template(&m->base.release, &vector_design, &vector, scale, error);
  if (status) return status;
  if (objective && s->delta > 0) /* nothing better is proved of it */
    m->base.release->guarantee = (sfm_guarantee){
        .kind = SFM_GUARANTEE_APPROXIMATE, .epsilon = s->epsilon, .delta = s->delta};
  return sfmi_train_run_describe(m, error);
}

/* ---- what was asked for: not the seed of random features, which is drawn ---- */

static json_t *input_json(const sfmi_input *input) {
  json_t *object = json_pack("{s:s}", "column", input->name);
  if (input->bounded) {
    sfmi_request_number(object, "lower", input->lower);
    sfmi_request_number(object, "upper", input->upper);
  }
  if (input->categories)
    json_object_set_new(
        object, "values",
        sfmi_request_texts((const char *const *)input->categories, input->category_count));
  return object;
}

static json_t *rows_json(const sfmi_encoding *encoding) {
  json_t *inputs = json_array();
  for (size_t i = 0; i < encoding->input_count; i++)
    json_array_append_new(inputs, input_json(&encoding->inputs[i]));
  json_t *object =
      json_pack("{s:o, s:I, s:s, s:s}", "inputs", inputs, "dimension",
                (json_int_t)encoding->dimension, "scaling", sfm_scaling_name(encoding->scaling),
                "outside", sfm_outside_name(encoding->drop ? SFM_OUTSIDE_DROP : SFM_OUTSIDE_CLAMP));
  json_object_set_new(object, "clip",
                      isfinite(encoding->clip) ? json_real(encoding->clip) : json_null());
  if (!encoding->inputs && encoding->bounded) {
    sfmi_request_number(object, "lower", encoding->lower);
    sfmi_request_number(object, "upper", encoding->upper);
  }
  return object;
}

static json_t *labels_json(const sfm_train_settings *s) {
  size_t count;
  const char *const *labels = sfmi_design_train_labels(s, &count);
  return labels ? sfmi_request_texts(labels, count)
                : json_pack("[f, f]", s->label_lower, s->label_upper);
}

static json_t *kernel_json(const sfmi_feature_map *map) {
  return json_pack("{s:s, s:f, s:I, s:f, s:f}", "family", sfm_kernel_family_name(map->kernel),
                   "bandwidth", map->bandwidth, "degree", (json_int_t)map->degree, "shift",
                   map->shift, "constant", map->constant);
}

json_t *sfmi_train_run_parameters(const sfmi_train_run *m) {
  const sfm_train_settings *s = m->settings;
  const sfm_release *release = m->base.release;
  const sfmi_train_problem *l = &m->train_problem;
  json_t *all = sfmi_request_parameters(&m->base, "train");
  sfmi_request_text(all, "person", m->base.person);
  json_object_set_new(all, "rows", rows_json(&l->encoding));
  sfmi_request_text(all, "label", s->features || s->gram ? s->label : NULL);
  sfmi_request_text(all, "task", sfm_task_name(task_of(s)));
  json_object_set_new(all, "labels", labels_json(s));
  json_object_set_new(all, "kernel", kernel_json(l->map));
  sfmi_request_text(all, "loss", sfm_machine_loss_name(s->loss));
  sfmi_request_number(all, "parameter", l->training.loss.parameter);
  sfmi_request_number(all, "lambda", l->training.lambda);
  sfmi_request_number(all, "tolerance", s->tolerance);
  sfmi_request_text(all, "method", sfm_train_method_name(s->method));
  sfmi_request_text(all, "form", sfmi_feature_map_form_name(l->map->form));
  sfmi_request_count(all, "features", l->map->count);
  if (l->map->point_starts) json_object_set_new(all, "places", sfmi_request_points(l->map));
  if (m->tddl) sfmi_tddl_parameters(m->tddl, all);
  sfmi_request_text(all, "noise", sfm_noise_law_name(release->law));
  return all;
}

/* ---- noise, and what completes the release ---- */

/* Noisy values, and the coefficients of the function in the span of the places that has these
 * values but for the nugget: (K + nugget I)^-1 v, which reads nothing private. */
static sfm_status add_places(sfmi_train_run *m, const double *values, sfm_error *error) {
  const sfmi_train_problem *l = &m->train_problem;
  const size_t places = l->numbers;
  double *noisy = sfmi_alloc(places, sizeof *noisy), *matrix = NULL;
  sfm_status status = noisy ? SFM_OK : sfmi_fail_memory(error);
  for (size_t k = 0; k < l->training.machines && !status; k++) {
    sfmi_vector_idealise(noisy, values + k * places, places, false, m->base.release->scale,
                         m->factor, m->noise.stream);
    status = sfmi_feature_map_matrix(&matrix, l->map, m->nugget, error);
    if (!status && !sfmi_positive_solve(matrix, noisy, places, 1))
      status = sfmi_fail(error, SFM_INTERNAL, "the kernel's matrix at the places is singular");
    free(matrix);
    matrix = NULL;
    if (status) break;
    memcpy(m->base.release->reals + k * places, noisy, places * sizeof *noisy);
  }
  free(noisy);
  return status;
}

sfm_status sfmi_train_run_add_noise(sfmi_train_run *m, const double *numbers, sfm_error *error) {
  sfm_release *release = m->base.release;
  if (m->tddl) return sfmi_tddl_add(m->tddl, release->reals, numbers, error);
  if (m->factor) return add_places(m, numbers, error);
  if (m->noise.hardener)
    return sfmi_vector_noise_add(&m->noise, release->integers, numbers, release->length,
                                 release->step, error);
  sfmi_vector_idealise(release->reals, numbers, release->length, true, release->scale, NULL,
                       m->noise.stream);
  return SFM_OK;
}

void sfmi_train_run_complete(sfmi_train_run *m) {
  m->base.release->model->map = m->tddl ? sfmi_tddl_take(m->tddl) : m->train_problem.map;
  if (!m->tddl) m->train_problem.map = NULL;
}

sfm_status sfmi_train_run_read(sfmi_release_run *run, sfm_error *error) {
  sfmi_train_run *m = (sfmi_train_run *)run;
  return sfmi_train_problem_read(&m->examples, &m->train_problem, run->rows, error);
}

/* Of labels and matrices: the former fingerprint is without the second of them. */
static void digest_matrices(uint8_t out[SFMI_DIGEST_BYTES], sfmi_train_run *m, bool former) {
  const sfm_gram *g = m->settings->gram;
  sfmi_digest digest;
  sfmi_digest_start(&digest, sfmi_protocol_keys(&m->base.protocol)->fingerprint);
  sfmi_digest_add(&digest, m->base.fingerprint, sizeof m->base.fingerprint);
  sfmi_digest_add(&digest, g->train, g->rows * g->rows * sizeof *g->train);
  if (!former) sfmi_digest_add(&digest, g->cross, g->rows * g->points * sizeof *g->cross);
  sfmi_digest_end(&digest, out);
}

void sfmi_train_run_fingerprint(sfmi_release_run *run) {
  sfmi_train_run *m = (sfmi_train_run *)run;
  sfmi_rows_fingerprint(m->base.rows, m->base.fingerprint);
  if (!m->settings->gram) return;
  digest_matrices(m->base.protocol.handle.former, m, true);
  m->base.protocol.handle.has_former = true;
  digest_matrices(m->base.fingerprint, m, false);
}

sfmi_train_run sfmi_train_run_of(sfm_rows *rows, const sfm_train_settings *settings) {
  return (sfmi_train_run){.base = sfmi_release_run_rows(NULL, rows, &settings->context),
                          .settings = settings};
}

void sfmi_train_run_clear(sfmi_train_run *m) {
  sfmi_vector_noise_clear(&m->noise);
  free(m->factor);
  sfmi_tddl_destroy(m->tddl);
  sfmi_examples_destroy(m->examples);
  sfm_release_destroy(m->base.release);
}
