/* machine_model.h - what a released machine is, beside its weights (the coefficients of the
 * release: function after function, features of each). */
#ifndef SFMI_MACHINE_MODEL_H
#define SFMI_MACHINE_MODEL_H

#include "features/maps/feature_map.h"
#include "fit_data.h"
#include "sfumato/machine.h"

typedef struct sfmi_machine_model {
  sfm_task task;
  char *label;    /* the column of labels; NULL: sparse rows */
  char **classes; /* class_count; NULL: regression */
  size_t class_count;
  double lower, upper; /* of the labels of regression */
  sfm_machine_loss loss;
  double parameter; /* in units of the label; NaN: none */
  double lambda;
  /* Of a lambda that was chosen privately: the candidates (NULL: it was stated) and which. */
  double *candidates;
  size_t candidate_count, chosen;
  double tolerance;
  double nugget; /* of places: variance on top of the kernel, in units of scale^2 */
  double bound, certificate, used;
  sfmi_encoding encoding;
  sfmi_feature_map *map;
  sfm_machine_fit fit; /* of the methods that fit (sfmi_method_fitted) */
} sfmi_machine_model;

void sfmi_machine_model_destroy(sfmi_machine_model *model);
/* 1, or one per class. */
size_t sfmi_machine_model_functions(const sfmi_machine_model *model);

/* Whether it was trained on an owner's Gram matrices: it has a label and no inputs. */
bool sfmi_machine_model_from_gram(const sfmi_machine_model *model);

/* What regression multiplies <w, phi> by; 1. */
double sfmi_machine_model_factor(const sfmi_machine_model *model);
/* What is added to regression's factor <w, phi>: the middle of its bounds; 0. */
double sfmi_machine_model_offset(const sfmi_machine_model *model);

#endif
