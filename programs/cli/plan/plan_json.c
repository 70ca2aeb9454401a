#include "plan_json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "cli/core/text.h"
#include "cli/io/json_output.h"
#include "plan_command.h"

/* Counts are whole numbers; what columns have is a list, as in a release. */
static json_t *parameter_json(const sfm_plan_parameter *parameter) {
  static const char *const counts[] = {"order",    "points", "terms", "coefficients", "features",
                                       "machines", "cells",  "least", "occupied",     NULL};
  static const char *const lists[] = {"bandwidth", "spacing", "points", "gamma", NULL};
  const bool counted = text_is_among(parameter->name, counts);
  if (parameter->text) return *parameter->text ? json_string(parameter->text) : json_true();
  json_t *list = json_array();
  for (size_t i = 0; i < parameter->count; i++)
    json_array_append_new(list, counted ? json_integer((json_int_t)parameter->numbers[i])
                                        : json_output_number(parameter->numbers[i]));
  if (parameter->count != 1 || text_is_among(parameter->name, lists)) return list;
  json_t *one = json_incref(json_array_get(list, 0));
  json_decref(list);
  return one;
}

static json_t *parameters_json(const sfm_plan_entry *entry) {
  json_t *object = json_object();
  for (size_t i = 0; i < entry->parameter_count; i++)
    json_object_set_new(object, entry->parameters[i].name, parameter_json(&entry->parameters[i]));
  return object;
}

static json_t *guarantee_json(const plan_request *p, const sfm_guarantee *g) {
  return json_pack("{s:s, s:o, s:o, s:o, s:o, s:s, s:I, s:b}", "kind",
                   sfm_guarantee_kind_name(g->kind), "epsilon", json_output_number(g->epsilon),
                   "delta", json_output_number(g->delta), "mu",
                   g->kind == SFM_GUARANTEE_GDP ? json_output_number(g->mu) : json_null(), "rho",
                   g->kind == SFM_GUARANTEE_ZCDP ? json_output_number(g->rho) : json_null(),
                   "neighbours", sfm_neighbours_name(p->neighbours), "contributions",
                   (json_int_t)p->contributions, "contributions_enforced", p->enforced);
}

/* Two numbers. */
static json_t *interval_json(double low, double high) {
  return json_pack("[o, o]", json_output_number(low), json_output_number(high));
}

static json_t *predicted_json(const sfm_forecast *f) {
  json_t *object = json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "privacy", json_output_number(f->privacy), "sampling",
      json_output_number(f->sampling), "smoothing", json_output_number(f->smoothing), "truncation",
      json_output_number(f->truncation), "aliasing", json_output_number(f->aliasing), "total",
      json_output_number(f->total), "relative", json_output_number(f->relative));
  if (f->absolute)
    json_object_update_new(object, json_pack("{s:o, s:o}", "cell", json_output_number(f->each),
                                             "deviation", json_output_number(f->deviation)));
  json_object_set_new(object, "interval", interval_json(f->low, f->high));
  json_object_set_new(object, "cost", json_output_number(f->cost));
  json_object_set_new(object, "cost_interval", interval_json(f->cost_low, f->cost_high));
  return object;
}

static json_t *method_json(const plan_request *p, const sfm_plan_entry *entry) {
  return json_pack("{s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o*}", "method", entry->method,
                   "hardened", entry->hardened, "parameters", parameters_json(entry), "guarantee",
                   guarantee_json(p, &entry->guarantee), "predicted",
                   predicted_json(&entry->predicted), "band",
                   json_output_number(entry->band.half_width), "pointwise",
                   json_output_number(entry->band.pointwise), "apart",
                   json_output_number(entry->apart), "share", json_output_number(entry->share),
                   "if_wrong", entry->misled > 0 ? json_output_number(entry->misled) : NULL);
}

static json_t *methods_json(const plan_request *p, json_t *absent) {
  json_t *list = json_array();
  for (size_t i = 0; i < sfm_plan_length(p->plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(p->plan, i);
    if (entry->absent)
      json_array_append_new(
          absent, json_pack("{s:s, s:s}", "method", entry->method, "reason", entry->absent));
    else
      json_array_append_new(list, method_json(p, entry));
  }
  return list;
}

static json_t *needs_json(const plan_findings *found) {
  json_t *list = json_array();
  for (size_t i = 0; i < found->need_count; i++) {
    const plan_need *need = &found->needs[i];
    json_array_append_new(
        list, json_pack("{s:f, s:o, s:o}", "relative", need->relative, "n",
                        isfinite(need->rows) ? json_integer((json_int_t)need->rows) : json_null(),
                        "epsilon", json_output_number(need->epsilon)));
  }
  return list;
}

static json_t *bandwidth_json(const plan_request *p, const plan_findings *found) {
  if (!found->best || isnan(found->bandwidth[0])) return json_null();
  json_t *best = json_array();
  for (size_t a = 0; a < p->dimension; a++)
    json_array_append_new(best, json_output_number(found->bandwidth[a]));
  return json_pack("{s:o, s:o, s:o}", "best", best, "total",
                   json_output_number(found->widened.total), "relative",
                   json_output_number(found->widened.relative));
}

static json_t *curve_json(const plan_curve_point *points, size_t count, bool rows) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) {
    const sfm_forecast *f = &points[i].forecast;
    json_array_append_new(
        list,
        json_pack("{s:o, s:o, s:o, s:o, s:o}", rows ? "n" : "epsilon",
                  rows ? json_integer((json_int_t)points[i].at) : json_output_number(points[i].at),
                  "total", json_output_number(f->total), "relative",
                  json_output_number(f->relative), "low", json_output_number(f->low), "high",
                  json_output_number(f->high)));
  }
  return list;
}

static json_t *object_of(const plan_request *p, const plan_findings *found) {
  json_t *absent = json_array(), *methods = methods_json(p, absent);
  char shape[512];
  text_harmless(shape, sizeof shape, p->shape ? p->shape : "");
  json_t *object = json_pack(
      "{s:s, s:s?, s:o, s:o, s:o, s:o, s:o, s:s?, s:o, s:o, s:o, s:o, s:{s:o, s:o}}", "kind",
      p->kind, "best", found->best ? found->best->method : NULL, "best_index",
      found->best ? json_integer((json_int_t)sfm_plan_best(p->plan)) : json_null(), "n",
      p->people ? json_integer((json_int_t)p->rows) : json_null(), "epsilon",
      json_output_number(p->epsilon), "delta", json_output_number(p->delta), "confidence",
      json_output_number(p->confidence), "shape", p->shape ? shape : NULL, "methods", methods,
      "absent", absent, "needed", needs_json(found), "bandwidth", bandwidth_json(p, found),
      "curves", "n", curve_json(found->by_rows, found->rows_count, true), "epsilon",
      curve_json(found->by_epsilon, found->epsilon_count, false));
  if (p->usual) /* of which `needed` and `curves` are */
    json_object_set_new(object, "curves_method", json_string(p->usual));
  if (p->selection.count)
    json_object_set_new(object, "choice",
                        json_pack("{s:I, s:I, s:o, s:o, s:o}", "candidates",
                                  (json_int_t)p->selection.count, "best",
                                  (json_int_t)p->selection.best, "epsilon",
                                  json_output_number(p->selection.choice_epsilon), "likely",
                                  json_output_number(p->selection.likely), "chance",
                                  json_output_number(p->selection.chance)));
  return object;
}

sfm_status plan_json_print(const plan_request *p, const plan_findings *found, sfm_error *error) {
  char *command = NULL, harmless[4096];
  sfm_status status = found->best ? plan_command_text(&command, p, found->best, error) : SFM_OK;
  if (status) return status;
  json_t *object = object_of(p, found);
  text_harmless(harmless, sizeof harmless, command ? command : "");
  json_object_set_new(object, "command", command ? json_string(harmless) : json_null());
  free(command);
  return json_output_print(object, error);
}
