#include "machine_model.h"

#include <stdlib.h>

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
