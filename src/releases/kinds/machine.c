/* machine.c - what is public of a released machine, read off it (sfumato/machine.h). */
#include <math.h>

#include "machine_model.h"
#include "releases/core/release_data.h"

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
