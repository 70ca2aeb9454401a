#include "planner/seminar.h"

#include <math.h>
#include <stdlib.h>

#include "planner/forecast.h"
#include "planner/odds.h"

sfm_status sfmi_seminar_create(sfmi_semi **out, const sfmi_encoding *encoding,
                               const sfm_train_settings *s, const sfmi_lift *learns,
                               sfm_error *error) {
  sfmi_lift *points = NULL;
  double *matrix = NULL;
  size_t count = 0;
  sfm_status status = sfmi_semi_count(&count, s, error);
  if (status == SFM_OK) status = sfmi_semi_lift(&points, encoding, s, count, error);
  if (status == SFM_OK) status = sfmi_semi_gram(&matrix, points, error);
  if (status == SFM_OK)
    status = sfmi_semi_create(out, s, matrix, count, sfmi_semi_entry(points, learns), learns->kappa,
                              error);
  free(matrix);
  sfmi_lift_destroy(points);
  return status;
}

sfm_status sfmi_seminar_choose(sfmi_semi_choice *choice, const sfmi_semi *semi,
                               const sfm_train_settings *s, const sfmi_training *training,
                               const sfmi_lift *learns, double rows, double epsilon, double mu,
                               sfm_error *error) {
  sfmi_training t = *training;
  t.rows = (uint64_t)fmin(rows, 1e18);
  t.distance = t.certificate / 2;
  t.reach = sfmi_loss_reach(&t.loss, t.lambda, t.kappa);
  return sfmi_semi_choose(choice, semi, s, &t, sfmi_semi_off(&t, learns), epsilon, mu, error);
}

sfm_forecast sfmi_seminar_forecast(const sfmi_semi_choice *c, double factor) {
  const double mean = factor * factor * c->predicted * c->predicted;
  sfm_forecast f = {.privacy = mean};
  sfmi_odds(&f.low, &f.high, 0, mean, c->spread * mean * mean, 0);
  f.cost_low = f.low;
  f.cost_high = f.high;
  sfmi_forecast_sum(&f, 1, factor);
  return f;
}

void sfmi_seminar_describe(sfm_plan_entry *entry, const sfmi_semi_choice *c, const sfmi_training *t,
                           double factor) {
  const bool kernel = c->shape == SFM_SHAPE_KERNEL;
  entry->guarantee =
      (sfm_guarantee){.kind = c->vector.noise == SFM_VECTOR_NORMAL ? SFM_GDP : SFM_PURE,
                      .epsilon = c->vector.epsilon,
                      .delta = c->vector.delta,
                      .mu = c->arrow.mu};
  entry->band = (sfm_band){
      .confidence = c->vector.confidence, .half_width = NAN, .pointwise = NAN, .systematic = NAN};
  sfmi_entry_text(entry, "shape", sfm_noise_shape_name(c->shape), false);
  sfmi_entry_number(entry, "public_points", (double)c->of->whitening->count, false);
  sfmi_entry_number(entry, "directions", (double)c->directions, false);
  sfmi_entry_number(entry, "kernel_shaped", factor * (kernel ? c->predicted : c->other), false);
  sfmi_entry_number(entry, "isotropic", factor * (kernel ? c->other : c->predicted), false);
  sfmi_entry_number(entry, "radius", c->radius, false);
  sfmi_entry_number(entry, "machines", (double)t->machines, false);
  sfmi_entry_number(entry, "kappa", t->kappa, false);
  sfmi_entry_number(entry, "lipschitz", t->lipschitz, false);
  sfmi_entry_number(entry, "sensitivity", c->arrow.sensitivity, false);
  sfmi_entry_number(entry, "certificate", t->certificate / t->used, false);
  sfmi_entry_number(entry, "scale", c->arrow.scale, false);
}
