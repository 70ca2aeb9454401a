/* outlook.c - the plan of a density. */
#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "planner/design.h"
#include "planner/prospect.h"
#include "planner/scene.h"

typedef struct outlook {
  sfm_density_settings settings;
  sfmi_scene *scene;
  double volume;
} outlook;

static void destroy(void *context) {
  outlook *o = context;
  sfmi_scene_destroy(o->scene);
  free(o);
}

static void predict(const outlook *o, sfm_forecast *f, const sfm_density_plan *plan) {
  *f = (sfm_forecast){.privacy = plan->privacy,
                      .smoothing = plan->smoothing,
                      .truncation = plan->truncation,
                      .aliasing = plan->aliasing};
  sfmi_forecast_sum(f, o->volume, sfmi_scene_peak(o->scene));
  f->low = 0.5 * f->total;
  f->high = 2 * f->total;
  f->cost_low = 0.5 * f->cost;
  f->cost_high = 2 * f->cost;
}

static sfm_status forecast(void *context, sfm_forecast *out, double rows, double epsilon,
                           sfm_error *error) {
  const outlook *o = context;
  sfm_density_settings s = o->settings;
  sfm_density_plan plan;
  s.epsilon = epsilon;
  sfm_status status = sfm_density_choose(&plan, &s, (uint64_t)rows, error);
  if (status == SFM_OK) predict(o, out, &plan);
  return status;
}

static sfm_status shape(void *context, double *values, const double *points, size_t count,
                        sfm_error *error) {
  const outlook *o = context;
  (void)error;
  sfmi_scene_at(o->scene, values, points, count);
  return SFM_OK;
}

static const sfmi_prospect_kind KIND = {.forecast = forecast, .shape = shape, .destroy = destroy};

static sfm_status add(sfm_plan *plan, const outlook *o, sfm_density_method method, const char *name,
                      uint64_t rows, sfm_error *error) {
  sfm_plan_entry entry = {.method = name};
  sfm_density_settings s = o->settings;
  sfm_density_plan chosen;
  sfm_error why = {SFM_OK, ""};
  s.method = method;
  if (sfm_density_choose(&chosen, &s, rows, &why) != SFM_OK) {
    entry.absent = why.message;
    return sfmi_prospect_add(plan, &entry, error);
  }
  const bool normal = method == SFM_DENSITY_GP || method == SFM_DENSITY_SOBOLEV ||
                      chosen.noise == SFM_DENSITY_NOISE_NORMAL;
  entry.hardened = method != SFM_DENSITY_CARATHEODORY && method != SFM_DENSITY_SOBOLEV;
  entry.guarantee = (sfm_guarantee){
      .kind = normal ? SFM_GDP : SFM_PURE, .epsilon = s.epsilon, .delta = normal ? s.delta : 0};
  sfmi_entry_numbers(&entry, "bandwidth", s.bandwidth, s.dimension, true);
  if (method == SFM_DENSITY_LATTICE) {
    sfmi_entry_text(&entry, "noise", normal ? "normal" : "laplace", true);
    sfmi_entry_number(&entry, "order", chosen.order, false);
    sfmi_entry_numbers(&entry, "spacing", chosen.spacing, s.dimension, false);
  }
  sfmi_entry_number(&entry, "coefficients", (double)chosen.coefficients, false);
  predict(o, &entry.predicted, &chosen);
  entry.band = (sfm_band){.confidence = s.confidence,
                          .half_width = 3 * sqrt(chosen.privacy / o->volume),
                          .pointwise = 2 * sqrt(chosen.privacy / o->volume)};
  entry.apart = 4 * s.bandwidth[0];
  entry.share = 0.1;
  return sfmi_prospect_add(plan, &entry, error);
}

sfm_status sfm_plan_density(sfm_plan **out, const sfm_density_settings *settings, uint64_t rows,
                            sfm_error *error) {
  static const struct {
    sfm_density_method method;
    const char *name;
  } methods[] = {{SFM_DENSITY_LATTICE, "lattice"},
                 {SFM_DENSITY_GP, "gp"},
                 {SFM_DENSITY_SOBOLEV, "sobolev"},
                 {SFM_DENSITY_FOURIER_LAPLACE, "fourier-laplace"},
                 {SFM_DENSITY_CARATHEODORY, "caratheodory"}};
  sfmi_design design;
  *out = NULL;
  sfm_status status = sfmi_design_init(&design, settings, rows, error);
  if (status != SFM_OK) return status;
  outlook *o = sfmi_alloc(1, sizeof *o);
  if (!o) return sfmi_fail_memory(error);
  o->settings = *settings;
  o->volume = 1;
  for (size_t a = 0; a < design.dimension; a++) o->volume *= design.upper[a] - design.lower[a];
  status = sfmi_scene_create(&o->scene, settings->shape, settings->columns, design.dimension,
                             design.lower, design.upper, error);
  if (status != SFM_OK) {
    destroy(o);
    return status;
  }
  status = sfmi_prospect_create(out, &KIND, o, (double)rows, settings->epsilon, error);
  for (size_t i = 0; status == SFM_OK && i < sizeof methods / sizeof *methods; i++)
    status = add(*out, o, methods[i].method, methods[i].name, rows, error);
  if (status == SFM_OK) {
    sfmi_prospect_sort(*out);
    return SFM_OK;
  }
  sfm_plan_destroy(*out);
  *out = NULL;
  return status;
}
