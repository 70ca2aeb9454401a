/* machine_model.h - what a released machine is, beside its weights (the coefficients of the
 * release: function after function, features of each). */
#ifndef SFMI_MACHINE_MODEL_H
#define SFMI_MACHINE_MODEL_H

#include "features/maps/feature_map.h"
#include "releases/core/json_members.h"
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

/* What the coefficients of a machine of the methods tddl, tdil and interactive were fitted to are
 * answers that had noise, which are not in the file.  Fitting is post-processing.  The noise of the
 * file (law, scale, step) is that of one answer. */

/* What had noise: values of the machine one by one; all of them with noise of one scale; or their
 * coordinates in the kernel's space, so that the noise of the values is shaped like the kernel. */
typedef enum sfmi_fit_shape {
  SFMI_FIT_VALUES,
  SFMI_FIT_ISOTROPIC,
  SFMI_FIT_KERNEL,
} sfmi_fit_shape;

/* A fit of that shape to no answers.  Its other numbers are NaN, as those are that do not belong to
 * the method, and null in the file. */
sfm_machine_fit sfmi_fit_of(sfmi_fit_shape shape);

/* The member "fit" of a file. */
extern const sfmi_member sfmi_fit_members[];

#endif
