/* plan_tdil.c - what a machine of the method tdil would be like (docs/proofs/tdil.md): the plan,
 * and its numbers as a caller sees them.
 *
 * Errors are those of the values of the released machine over the points (a net, or the ball), for
 * a typical function of the kernel: privacy is what noise adds, truncation what as many answers
 * without noise would not tell. */
#include "plan_tdil.h"
#include "base/system/sized_struct.h"

#include <math.h>
#include <stdlib.h>

#include "planner/forecast/forecast.h"
#include "plan.h"
#include "planner/design/design_tdil.h"
#include "planner/design/design_train_check.h"
#include "planner/design/design_train_map.h"

typedef struct tdil_plan {
  sfm_train_settings settings;
  sfmi_encoding encoding;
  sfmi_feature_map *map;
  sfmi_learning_curve learning_curve;
  sfmi_net net;  /* empty: the ball */
  double factor; /* of values in units of the label */
} tdil_plan;

static void clear(void *context) {
  tdil_plan *s = context;
  sfmi_encoding_clear(&s->encoding);
  sfmi_feature_map_destroy(s->map);
  sfmi_learning_curve_clear(&s->learning_curve);
  sfmi_net_clear(&s->net);
}

/* s is zero.  Clear it also after a failure. */
static sfm_status init(tdil_plan *s, const sfm_train_settings *settings, size_t dimension,
                       sfm_error *error) {
  s->settings = *settings;
  s->factor = sfmi_design_train_half_width(settings);
  if (!s->settings.label) s->settings.label = ""; /* no column's name, and none is read */
  sfm_status status = sfmi_design_train_check(&s->settings, error);
  if (!status) status = sfmi_design_train_encoding(&s->encoding, &s->settings, dimension, error);
  if (!status) status = sfmi_design_train_map(&s->map, &s->encoding, &s->settings, 0, error);
  if (!status)
    status = sfmi_design_tdil_learning_curve(&s->learning_curve, &s->encoding, s->map, &s->settings,
                                             error);
  if (status || sfmi_design_tdil_ball(&s->settings)) return status;
  return sfmi_design_tdil_net(&s->net, &s->encoding, &s->settings, error);
}

static sfmi_design_train training_at(const tdil_plan *s, double rows) {
  return sfmi_design_train_estimate(&s->settings, s->map, s->settings.lambda, rows);
}

static sfm_status probes_at(sfmi_design_tdil *probes, const tdil_plan *s, double rows,
                            sfm_error *error) {
  const sfmi_design_train t = training_at(s, rows);
  return sfmi_design_tdil_init(probes, &s->settings, &t, &s->learning_curve, 0,
                               SFM_ACCOUNTING_BASIC, error);
}

static sfm_forecast forecast_of(const tdil_plan *s, const sfmi_design_tdil *p) {
  const double unit = s->factor * s->factor, total = unit * p->forecast * p->forecast,
               rest = unit * sfmi_learning_curve_error(&s->learning_curve, (double)p->rounds, 0);
  sfm_forecast f = {.privacy = fmax(total - rest, 0), .truncation = fmin(rest, total)};
  /* One function's mean square over the points: as if two directions of it counted. */
  sfmi_forecast_cost(&f, total, total * total, 1, s->factor);
  return f;
}

/* With less epsilon than one round takes nothing is learned. */
static sfm_status forecast(void *context, sfm_forecast *out, double rows, double epsilon,
                           sfm_error *error) {
  const tdil_plan *s = context;
  const sfmi_design_train t = training_at(s, rows);
  sfm_train_settings settings = s->settings;
  sfmi_design_tdil probes;
  (void)error;
  settings.epsilon = fmax(epsilon, sfmi_design_tdil_least_epsilon(&settings));
  sfmi_design_tdil_estimate(&probes, &settings, &t, &s->learning_curve);
  *out = forecast_of(s, &probes);
  return SFM_OK;
}

static const sfmi_plan_kind KIND = {
    .size = sizeof(tdil_plan), .forecast = forecast, .clear = clear};

void sfmi_plan_entry_training(sfm_plan_entry *entry, const sfmi_design_train *t, double sensitivity,
                              double scale) {
  sfmi_plan_entry_number(entry, "machines", (double)t->machines, false);
  sfmi_plan_entry_number(entry, "kappa", t->kappa, false);
  sfmi_plan_entry_number(entry, "lipschitz", t->lipschitz, false);
  sfmi_plan_entry_number(entry, "sensitivity", sensitivity, false);
  sfmi_plan_entry_number(entry, "certificate", t->certificate / t->used, false);
  sfmi_plan_entry_number(entry, "scale", scale, false);
}

static void describe(sfm_plan_entry *entry, const tdil_plan *s, const sfmi_design_tdil *p,
                     double rows) {
  const sfmi_design_train t = training_at(s, rows);
  entry->predicted = forecast_of(s, p);
  entry->hardened = !p->ball;
  entry->guarantee = p->guarantee;
  entry->band = (sfm_band){
      .confidence = s->settings.context.confidence, .half_width = INFINITY, .pointwise = INFINITY};
  sfmi_plan_entry_number(entry, "rounds", (double)p->rounds, true);
  if (s->net.count) sfmi_plan_entry_number(entry, "net", (double)s->net.count, s->settings.net > 0);
  sfmi_plan_entry_number(entry, "lambda", t.lambda, s->settings.lambda > 0);
  sfmi_plan_entry_number(entry, "choosing", p->choosing, false);
  sfmi_plan_entry_number(entry, "answering", p->answering, false);
  sfmi_plan_entry_number(entry, "answer_deviation", s->factor * M_SQRT2 * p->scale, false);
  sfmi_plan_entry_number(entry, "prior", s->factor * p->prior, false);
  sfmi_plan_entry_number(entry, "forecast", s->factor * p->forecast, false);
  sfmi_plan_entry_training(entry, &t, p->moves * p->step, p->scale);
}

sfm_status sfmi_plan_tdil(sfm_plan **out, const sfm_train_settings *settings, uint64_t rows,
                          size_t dimension, sfm_error *error) {
  sfm_plan_entry entry = {.method = "tdil", .apart = NAN, .share = NAN};
  sfmi_design_tdil probes;
  *out = NULL;
  if (rows < 1)
    return sfmi_fail(error, SFM_INVALID, "a machine is learned from one row or more, not from 0");
  sfm_status status = sfmi_plan_create(out, &KIND, (double)rows, settings->epsilon, error);
  if (status) return status;
  tdil_plan *s = (*out)->context;
  status = init(s, settings, dimension, error);
  if (!status) status = probes_at(&probes, s, (double)rows, error);
  if (!status) {
    describe(&entry, s, &probes, (double)rows);
    status = sfmi_plan_add_entry(*out, &entry, error);
  }
  return sfmi_plan_finish(out, status, error);
}

sfm_status sfm_plan_probes(sfm_probes_plan *out, const sfm_train_settings *given, uint64_t rows,
                           size_t dimension, sfm_error *error) {
  sfm_train_settings taken;
  sfm_status status = SFMI_TAKE(sfm_train_settings, &taken, given, error);
  if (status) return status;
  const sfm_train_settings *settings = &taken;
  sfmi_design_tdil p;
  *out = (sfm_probes_plan){0};
  if (settings->method != SFM_TRAIN_TDIL || rows < 1)
    return sfmi_fail(error, SFM_INVALID,
                     "sfm_plan_probes is for settings.method = tdil and for one row or more");
  tdil_plan *s = sfmi_alloc(1, sizeof *s);
  if (!s) return sfmi_fail_memory(error);
  status = init(s, settings, dimension, error);
  if (!status) status = probes_at(&p, s, (double)rows, error);
  if (!status) *out = sfmi_design_tdil_public(&p, &s->net, settings);
  clear(s);
  free(s);
  return status;
}
