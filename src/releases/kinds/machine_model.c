#include "machine_model.h"

#include <math.h>
#include <stdlib.h>

#include "releases/core/release_data.h"

void sfmi_machine_model_destroy(sfmi_machine_model *model) {
  if (!model) return;
  free(model->label);
  sfmi_free_strings(model->classes, model->class_count);
  free(model->candidates);
  sfmi_encoding_clear(&model->encoding);
  sfmi_feature_map_destroy(model->map);
  free(model);
}

size_t sfmi_machine_model_functions(const sfmi_machine_model *model) {
  return model->task == SFM_TASK_ONE_VS_REST ? model->class_count : 1;
}

double sfmi_machine_model_offset(const sfmi_machine_model *model) {
  return model->task == SFM_TASK_REGRESSION ? model->lower / 2 + model->upper / 2 : 0;
}

bool sfmi_machine_model_from_gram(const sfmi_machine_model *model) {
  return model->label && !model->encoding.inputs;
}

double sfmi_machine_model_factor(const sfmi_machine_model *model) {
  return model->task == SFM_TASK_REGRESSION ? model->upper / 2 - model->lower / 2 : 1;
}

/* ---- what it was fitted to ---- */

static const char *const shapes[] = {"values", "isotropic", "kernel", NULL};

sfm_machine_fit sfmi_fit_of(sfmi_fit_shape shape) {
  return (sfm_machine_fit){.shape = shapes[shape],
                           .radius = NAN,
                           .ridge = NAN,
                           .rms = NAN,
                           .choosing = NAN,
                           .watching = NAN,
                           .comparing = NAN,
                           .answering = NAN,
                           .threshold = NAN};
}

#define AT(field) .offset = offsetof(sfm_machine_fit, field)

const sfmi_member sfmi_fit_members[] = {{"shape", SFMI_MEMBER_NAME, AT(shape), .names = shapes},
                                        {"answers", SFMI_MEMBER_COUNT, AT(answers)},
                                        {"rounds", SFMI_MEMBER_COUNT, AT(rounds)},
                                        {"radius", SFMI_MEMBER_NULLABLE, AT(radius)},
                                        {"ridge", SFMI_MEMBER_NULLABLE, AT(ridge)},
                                        {"rms", SFMI_MEMBER_NULLABLE, AT(rms)},
                                        {"choosing", SFMI_MEMBER_NULLABLE, AT(choosing)},
                                        {"watching", SFMI_MEMBER_NULLABLE, AT(watching)},
                                        {"comparing", SFMI_MEMBER_NULLABLE, AT(comparing)},
                                        {"answering", SFMI_MEMBER_NULLABLE, AT(answering)},
                                        {"threshold", SFMI_MEMBER_NULLABLE, AT(threshold)},
                                        {0}};

/* ---- what is public of it (sfumato/machine.h) ---- */

bool sfm_release_machine(const sfm_release *release, sfm_machine *machine) {
  const sfmi_machine_model *model = release->model;
  *machine = (sfm_machine){0};
  if (!model) return false;
  const sfmi_feature_map *map = model->map;
  const bool regression = model->task == SFM_TASK_REGRESSION;
  *machine = (sfm_machine){.task = model->task,
                           .label = model->label,
                           .class_count = model->class_count,
                           .function_count = sfmi_machine_model_functions(model),
                           .offset = sfmi_machine_model_offset(model),
                           .factor = sfmi_machine_model_factor(model),
                           .lower = regression ? model->lower : NAN,
                           .upper = regression ? model->upper : NAN,
                           .loss = model->loss,
                           .parameter = model->parameter,
                           .lambda = model->lambda,
                           .kernel = map->kernel,
                           .bandwidth = map->bandwidth,
                           .degree = map->degree,
                           .shift = map->shift,
                           .constant = map->constant,
                           .form = sfmi_feature_map_form_name(map->form),
                           .features = map->count,
                           .input_count = model->encoding.input_count,
                           .dimension = model->encoding.dimension,
                           .scaling = model->encoding.scaling,
                           .clip = model->encoding.clip,
                           .kappa = map->kappa,
                           .bound = model->bound,
                           .certificate = model->certificate,
                           .used = model->used,
                           .tolerance = model->tolerance};
  return true;
}

bool sfm_release_fit(const sfm_release *release, sfm_machine_fit *fit) {
  *fit = (sfm_machine_fit){0};
  if (!sfmi_method_fitted(release->method)) return false;
  *fit = release->model->fit;
  return true;
}

const char *sfm_machine_class(const sfm_release *release, size_t i) {
  const sfmi_machine_model *model = release->model;
  return model && i < model->class_count ? model->classes[i] : NULL;
}

/* NULL when there is none. */
static const sfmi_input *input_of(const sfm_release *release, size_t i) {
  const sfmi_machine_model *model = release->model;
  const sfmi_encoding *encoding = model ? &model->encoding : NULL;
  return encoding && i < encoding->input_count ? &encoding->inputs[i] : NULL;
}

const char *sfm_machine_input(const sfm_release *release, size_t i) {
  const sfmi_input *input = input_of(release, i);
  return input ? input->name : NULL;
}

void sfm_machine_bounds(const sfm_release *release, double *lower, double *upper, size_t i) {
  const sfmi_input *input = input_of(release, i);
  const bool bounded = input && input->bounded;
  *lower = bounded ? input->lower : -INFINITY;
  *upper = bounded ? input->upper : INFINITY;
}

size_t sfm_machine_categories(const sfm_release *release, size_t i) {
  const sfmi_input *input = input_of(release, i);
  return input ? input->category_count : 0;
}

const char *sfm_machine_category(const sfm_release *release, size_t i, size_t k) {
  const sfmi_input *input = input_of(release, i);
  return input && k < input->category_count ? input->categories[k] : NULL;
}
