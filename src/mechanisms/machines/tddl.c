#include "tddl.h"

#include <stdlib.h>
#include <string.h>

#include "base/math/double_double.h"
#include "mechanisms/core/request_json.h"
#include "mechanisms/core/vector_noise.h"
#include "planner/design/design_tddl_gram.h"

struct sfmi_tddl {
  const sfmi_train_problem *train_problem;
  sfmi_feature_map *points; /* those that are used */
  sfmi_design_tddl *design;
  sfmi_design_tddl_choice choice;
  double scale;            /* of the noise, rounded up */
  sfmi_vector_noise noise; /* idealised: gamma noise */
};

void sfmi_tddl_destroy(sfmi_tddl *t) {
  if (!t) return;
  sfmi_feature_map_destroy(t->points);
  sfmi_design_tddl_destroy(t->design);
  sfmi_vector_noise_clear(&t->noise);
  free(t);
}

const sfmi_design_tddl_choice *sfmi_tddl_choice(const sfmi_tddl *t) {
  return &t->choice;
}

sfmi_feature_map *sfmi_tddl_take(sfmi_tddl *t) {
  sfmi_feature_map *points = t->points;
  t->points = NULL;
  return points;
}

/* ---- what is public ---- */

/* Of values in units of the label. */
static double factor_of(const sfm_train_settings *s) {
  return s->regression ? s->label_upper / 2 - s->label_lower / 2 : 1;
}

/* The points, their matrix, and what is done with it. */
static sfm_status choose(sfmi_tddl *t, sfm_error *error) {
  const sfmi_train_problem *l = t->train_problem;
  const sfm_train_settings *s = l->settings;
  double *matrix = NULL;
  size_t count = 0;
  sfmi_design_vector asked;
  const sfm_vector_settings vector = sfmi_design_train_vector(&l->training, s);
  sfm_status status = sfmi_design_vector_init(&asked, &vector, 1, error); /* its mu */
  if (!status) status = sfmi_design_tddl_count(&count, s, error);
  if (!status) status = sfmi_design_tddl_map(&t->points, &l->encoding, s, count, error);
  if (!status)
    status = s->gram ? sfmi_tddl_gram_public(&matrix, s->gram, count, error)
                     : sfmi_feature_map_matrix(&matrix, t->points, 0, error);
  if (!status)
    status = sfmi_design_tddl_create(&t->design, s, matrix, count,
                                     s->gram ? sfmi_tddl_gram_entry_error(s->gram, count)
                                             : sfmi_design_tddl_entry_error(t->points, l->map),
                                     l->training.kappa, error);
  if (!status && s->gram) status = sfmi_tddl_gram_check_definite(s->gram, t->design, error);
  free(matrix);
  if (!status)
    status = sfmi_design_tddl_choose(&t->choice, t->design, s, &l->training,
                                     sfmi_design_tddl_value_error(&l->training, l->map), s->epsilon,
                                     asked.mu, error);
  if (status || t->choice.of->whitening->count == count) return status;
  sfmi_feature_map_destroy(t->points);
  return sfmi_design_tddl_map(&t->points, &l->encoding, s, t->choice.of->whitening->count, error);
}

/* Whom the settings say. */
static void tell(const sfmi_tddl *t) {
  const sfm_train_settings *s = t->train_problem->settings;
  const sfmi_design_tddl_choice *c = &t->choice;
  const double factor = factor_of(s);
  const bool kernel = c->shape == SFM_NOISE_SHAPE_KERNEL;
  if (s->decided)
    s->decided(s->decided_data, c->shape, t->points->point_count,
               factor * (kernel ? c->predicted : c->other),
               factor * (kernel ? c->other : c->predicted));
}

sfm_status sfmi_tddl_create(sfmi_tddl **out, const sfmi_train_problem *train_problem,
                            sfm_error *error) {
  sfmi_tddl *t = *out = sfmi_alloc(1, sizeof *t);
  if (!t) return sfmi_fail_memory(error);
  t->train_problem = train_problem;
  sfm_status status = choose(t, error);
  if (!status)
    status =
        sfmi_vector_noise_init(&t->noise, &t->scale, &t->choice.vector_design, &t->choice.vector,
                               sfmi_seed_of(&train_problem->settings->context), error);
  if (!status && t->points->point_count > SFMI_RELEASE_MAX / train_problem->training.machines)
    status = sfmi_fail(error, SFM_INVALID,
                       "%zu machines at %zu points are more numbers than a release can have (%zu): "
                       "write settings.public_points with fewer",
                       train_problem->training.machines, t->points->point_count, SFMI_RELEASE_MAX);
  if (!status) {
    tell(t);
    return SFM_OK;
  }
  sfmi_tddl_destroy(t);
  *out = NULL;
  return status;
}

sfm_status sfmi_tddl_outline(sfm_release **out, const sfmi_tddl *t, sfm_error *error) {
  const sfmi_design_tddl_choice *c = &t->choice;
  sfm_status status =
      sfmi_design_vector_template(out, &c->vector_design, &c->vector, t->scale, error);
  if (status) return status;
  sfm_release *release = *out;
  free(release->integers);
  free(release->reals);
  release->integers = NULL;
  release->length = t->train_problem->training.machines * t->points->point_count;
  release->reals = sfmi_alloc(release->length, sizeof *release->reals);
  return release->reals ? SFM_OK : sfmi_fail_memory(error);
}

sfm_machine_fit sfmi_tddl_fit(const sfmi_tddl *t) {
  const sfmi_design_tddl_choice *c = &t->choice;
  const sfmi_train_problem *l = t->train_problem;
  const sfm_train_settings *s = l->settings;
  sfm_machine_fit fit =
      sfmi_fit_of(c->shape == SFM_NOISE_SHAPE_KERNEL ? SFMI_FIT_KERNEL : SFMI_FIT_ISOTROPIC);
  fit.answers = c->directions;
  fit.radius = c->radius;
  fit.rms = factor_of(s) * sfmi_design_tddl_rms(c, &l->training, t->scale, s->context.confidence);
  return fit;
}

void sfmi_tddl_parameters(const sfmi_tddl *t, json_t *all) {
  json_object_set_new(all, "public", sfmi_request_points(t->points));
  const sfm_gram *gram = t->train_problem->settings->gram;
  if (gram) {
    json_object_set_new(
        all, "gram",
        sfmi_request_hash(gram->between, gram->points * gram->points * sizeof(double)));
    sfmi_request_number(all, "kappa", gram->kappa);
  }
  sfmi_request_text(all, "shape", sfm_noise_shape_name(t->choice.shape));
  sfmi_request_count(all, "directions", t->choice.directions);
}

/* ---- from weights to numbers ---- */

static double product(const double *weights, const uint32_t *features, const double *phi,
                      size_t count) {
  sfmi_dd sum = {0, 0};
  for (size_t i = 0; i < count; i++)
    sum = sfmi_dd_add(sum, sfmi_dd_two_product(weights[features ? features[i] : i], phi[i]));
  return sum.hi;
}

/* The values of all machines at the points, by finite features: those of machine k from k T on. */
static sfm_status by_features(double *values, const sfmi_tddl *t, const double *weights,
                              sfm_error *error) {
  const sfmi_feature_map *map = t->train_problem->map, *at = t->points;
  const bool sparse = sfmi_feature_map_sparse(map);
  const size_t T = at->point_count;
  size_t room = map->count;
  for (size_t j = 0; sparse && j < T; j++) {
    const size_t width =
        sfmi_feature_map_nonzeros(map, at->point_starts[j + 1] - at->point_starts[j]);
    room = j == 0 || width > room ? width : room;
  }
  uint32_t *features = sparse ? sfmi_alloc(room + 1, sizeof *features) : NULL;
  double *phi = sfmi_alloc(room + 1, sizeof *phi);
  const bool had = phi && (!sparse || features);
  for (size_t j = 0; had && j < T; j++) {
    const size_t from = at->point_starts[j], width = at->point_starts[j + 1] - from;
    const uint32_t *indices = at->point_indices + from;
    const double *u = at->point_values + from;
    size_t count = map->count;
    if (sparse)
      count = sfmi_feature_map_row(map, features, phi, indices, u, width);
    else
      sfmi_feature_map_dense(map, phi, (const size_t[]){0, width}, indices, u, 1);
    for (size_t k = 0; k < t->train_problem->training.machines; k++)
      values[k * T + j] = product(weights + k * map->count, features, phi, count);
  }
  free(features);
  free(phi);
  return had ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_tddl_numbers(double *numbers, const sfmi_tddl *t, const double *solved,
                             sfm_error *error) {
  const sfmi_train_problem *l = t->train_problem;
  const sfmi_design_tddl_choice *c = &t->choice;
  const size_t T = t->points->point_count, machines = l->training.machines;
  double *values = sfmi_alloc(machines * T, sizeof *values);
  sfm_status status = values ? SFM_OK : sfmi_fail_memory(error);
  if (!status && l->map->form != SFMI_FEATURE_MAP_POINTS)
    status = by_features(values, t, solved, error);
  else if (!status)
    for (size_t k = 0; k < machines; k++)
      memcpy(values + k * T, solved + k * l->numbers, T * sizeof *values);
  for (size_t k = 0; !status && k < machines; k++) {
    double *out = numbers + k * c->directions;
    if (c->shape == SFM_NOISE_SHAPE_KERNEL)
      sfmi_whitening_apply(c->of->whitening, out, values + k * T, c->directions);
    else
      memcpy(out, values + k * T, T * sizeof *out);
  }
  sfmi_wipe_free(values, machines * T, sizeof *values);
  return status;
}

/* ---- noise, and the fit ---- */

/* These numbers with fresh noise. */
static sfm_status add_noise(double *noisy, sfmi_tddl *t, const double *numbers, sfm_error *error) {
  const size_t length = t->choice.vector_design.length;
  const double step = t->choice.vector_design.step;
  if (t->noise.stream) {
    sfmi_vector_idealise(noisy, numbers, length, true, t->scale, NULL, t->noise.stream);
    return SFM_OK;
  }
  int64_t *released = sfmi_alloc(length, sizeof *released);
  const sfm_status status =
      released ? sfmi_vector_noise_add(&t->noise, released, numbers, length, step, error)
               : sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < length; i++) noisy[i] = (double)released[i] * step;
  free(released);
  return status;
}

sfm_status sfmi_tddl_add(sfmi_tddl *t, double *coefficients, const double *solved,
                         sfm_error *error) {
  const size_t length = t->choice.vector_design.length, T = t->choice.of->whitening->count;
  double *numbers = sfmi_alloc(length, sizeof *numbers), *noisy = sfmi_alloc(length, sizeof *noisy);
  sfm_status status = numbers && noisy ? SFM_OK : sfmi_fail_memory(error);
  if (!status) status = sfmi_tddl_numbers(numbers, t, solved, error);
  if (!status) status = add_noise(noisy, t, numbers, error);
  sfmi_wipe_free(numbers, length, sizeof *numbers);
  for (size_t k = 0; !status && k < t->train_problem->training.machines; k++)
    status = sfmi_design_tddl_fit(coefficients + k * T, &t->choice,
                                  noisy + k * t->choice.directions, error);
  free(noisy);
  return status;
}
