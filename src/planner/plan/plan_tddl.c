#include "plan_tddl.h"

#include <math.h>
#include <stdlib.h>

#include "planner/forecast/forecast.h"

sfm_status sfmi_plan_tddl_create(sfmi_design_tddl **out, const sfmi_encoding *encoding,
                                 const sfm_train_settings *s, const sfmi_feature_map *learns,
                                 sfm_error *error) {
  sfmi_feature_map *points = NULL;
  double *matrix = NULL;
  size_t count = 0;
  sfm_status status = sfmi_design_tddl_count(&count, s, error);
  if (!status) status = sfmi_design_tddl_map(&points, encoding, s, count, error);
  if (!status) status = sfmi_design_tddl_matrix(&matrix, points, error);
  if (!status)
    status = sfmi_design_tddl_create(
        out, s, matrix, count, sfmi_design_tddl_entry_error(points, learns), learns->kappa, error);
  free(matrix);
  sfmi_feature_map_destroy(points);
  return status;
}

sfm_status sfmi_plan_tddl_choose(sfmi_design_tddl_choice *choice, const sfmi_design_tddl *tddl,
                                 const sfm_train_settings *s, const sfmi_design_train *training,
                                 const sfmi_feature_map *learns, double rows, double epsilon,
                                 double mu, sfm_error *error) {
  sfmi_design_train t = *training;
  t.rows = (uint64_t)fmin(rows, 1e18);
  t.distance = t.certificate / 2;
  return sfmi_design_tddl_choose(choice, tddl, s, &t, sfmi_design_tddl_value_error(&t, learns),
                                 epsilon, mu, error);
}

sfm_forecast sfmi_plan_tddl_forecast(const sfmi_design_tddl_choice *c, double factor) {
  const double mean = factor * factor * c->predicted * c->predicted;
  sfm_forecast f = {.privacy = mean};
  sfmi_forecast_interval(&f.low, &f.high, 0, mean, c->spread * mean * mean, 0);
  f.cost_low = f.low;
  f.cost_high = f.high;
  sfmi_forecast_sum(&f, 1, factor);
  return f;
}

void sfmi_plan_tddl_describe(sfm_plan_entry *entry, const sfmi_design_tddl_choice *c,
                             const sfmi_design_train *t, double factor) {
  const bool kernel = c->shape == SFM_SHAPE_KERNEL;
  entry->guarantee =
      (sfm_guarantee){.kind = c->vector.noise == SFM_VECTOR_NORMAL ? SFM_GDP : SFM_PURE,
                      .epsilon = c->vector.epsilon,
                      .delta = c->vector.delta,
                      .mu = c->vector_design.mu};
  entry->band = (sfm_band){.confidence = c->vector.context.confidence,
                           .half_width = NAN,
                           .pointwise = NAN,
                           .systematic = NAN};
  sfmi_plan_entry_text(entry, "shape", sfm_noise_shape_name(c->shape), false);
  sfmi_plan_entry_number(entry, "public_points", (double)c->of->whitening->count, false);
  sfmi_plan_entry_number(entry, "directions", (double)c->directions, false);
  sfmi_plan_entry_number(entry, "kernel_shaped", factor * (kernel ? c->predicted : c->other),
                         false);
  sfmi_plan_entry_number(entry, "isotropic", factor * (kernel ? c->other : c->predicted), false);
  sfmi_plan_entry_number(entry, "radius", c->radius, false);
  sfmi_plan_entry_number(entry, "machines", (double)t->machines, false);
  sfmi_plan_entry_number(entry, "kappa", t->kappa, false);
  sfmi_plan_entry_number(entry, "lipschitz", t->lipschitz, false);
  sfmi_plan_entry_number(entry, "sensitivity", c->vector_design.sensitivity, false);
  sfmi_plan_entry_number(entry, "certificate", t->certificate / t->used, false);
  sfmi_plan_entry_number(entry, "scale", c->vector_design.scale, false);
}
