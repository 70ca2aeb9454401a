/* machine_kind.h - what a released machine is, beside its weights (the coefficients of the release:
 * function after function, features of each). */
#ifndef SFMI_MACHINE_KIND_H
#define SFMI_MACHINE_KIND_H

#include "features/maps/feature_map.h"
#include "fit_data.h"
#include "releases/core/release_kind.h"
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
  double bound, certificate, used;
  sfmi_encoding encoding;
  sfmi_feature_map *map;
  sfmi_fit fit; /* of the methods that fit (sfmi_method_fitted) */
} sfmi_machine_model;

void sfmi_machine_model_destroy(sfmi_machine_model *model);
/* 1, or one a class. */
size_t sfmi_machine_model_functions(const sfmi_machine_model *model);

/* Whether it was trained on an owner's Gram matrices: it has a label and no inputs. */
bool sfmi_machine_model_from_gram(const sfmi_machine_model *model);

/* What regression multiplies <w, phi> by; 1. */
double sfmi_machine_model_factor(const sfmi_machine_model *model);

/* Points of a machine, borrowed: cells of columns, or sparse rows. */
typedef struct sfmi_machine_points {
  const double *cells;  /* input_count a point, or: */
  const size_t *starts; /* point p is starts[p] .. starts[p + 1] of the next two */
  const uint32_t *indices;
  const double *numbers;
  size_t count;
  bool encoded; /* sparse rows that are coordinates u already, of any machine */
} sfmi_machine_points;

/* Whether so many points of it, with their bands or without, are within its limits. */
SFM_MUST_CHECK sfm_status sfmi_machine_model_check_resources(const sfm_release *release,
                                                             size_t points, bool band,
                                                             sfm_error *error);
/* values[p * functions + f] at points; as sfm_machine_at. */
SFM_MUST_CHECK sfm_status sfmi_machine_model_values(const sfm_release *release, double *values,
                                                    const sfmi_machine_points *points,
                                                    sfm_error *error);

/* values[p * functions + f] = <w_f, phi> of `functions` vectors of weights one after the other, of
 * a machine that is no release: without offset and factor. */
SFM_MUST_CHECK sfm_status sfmi_machine_model_products(const sfmi_encoding *encoding,
                                                      const sfmi_feature_map *map, double *values,
                                                      const sfmi_machine_points *points,
                                                      const double *weights, size_t functions,
                                                      sfm_error *error);
/* What is added to regression's factor <w, phi>: the middle of its bounds; 0. */
double sfmi_machine_model_offset(const sfmi_machine_model *model);

/* Called with the features of every point (of linear and monomials those that are not zero; of one
 * without a value NULL), from several threads at once. */
typedef void sfmi_machine_visit(void *context, const double *phi, size_t count, size_t point);
SFM_MUST_CHECK sfm_status sfmi_machine_model_visit(const sfm_release *release,
                                                   const sfmi_machine_points *points,
                                                   sfmi_machine_visit *measure, void *context,
                                                   sfm_error *error);

sfm_status sfmi_machine_kind_band(sfm_band *band, const sfm_release *release, double confidence,
                                  sfm_error *error);

/* releases/core/release_kind.h */
extern const sfmi_release_kind sfmi_machine_kind;

#endif
