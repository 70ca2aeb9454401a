/* plan_online.c - the plan of a session: the engines that could draw it, each planned as the
 * density that its answers are values of. */
#include "base/system/sized_struct.h"
#include "planner/density/design_online.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fields/dyadic_path.h"
#include "planner/density/gaussian_process.h"
#include "plan.h"
#include "planner/density/density_settings.h"

enum { ENGINES = 3 };
static const sfm_engine engines[ENGINES] = {SFM_ENGINE_SPECTRAL, SFM_ENGINE_MARKOV,
                                            SFM_ENGINE_GRAM};

/* A session by one engine. */
typedef struct engine_plan {
  sfm_density_settings settings;
  double place[SFM_MAX_DIMENSION], bandwidth[SFM_MAX_DIMENSION];
  sfm_plan *plan; /* of the density */
  double excess;  /* by what factor the noise's variance is above that of one value */
  sfmi_kernel_sum masses;
} engine_plan;

typedef struct online_plan {
  engine_plan engine_plans[ENGINES];
  sfm_error why[ENGINES]; /* why an engine cannot be had */
  size_t count;           /* of engines that can be had; the one that auto takes comes first */
  uint64_t rows, questions;
} online_plan;

static void clear(void *context) {
  online_plan *v = context;
  for (size_t i = 0; i < v->count; i++) sfm_plan_destroy(v->engine_plans[i].plan);
}

/* Raises a forecast for one value to the noise of all answers. */
static void raise_noise(sfm_forecast *f, double excess) {
  const double more = f->privacy * (excess - 1), total = f->total;
  f->privacy += more;
  f->cost += more;
  f->total += more;
  f->low += more;
  f->high += more;
  f->cost_low += more;
  f->cost_high += more;
  f->relative *= sqrt(f->total / total);
}

static sfm_status forecast(void *context, sfm_forecast *out, double rows, double epsilon,
                           sfm_error *error) {
  const online_plan *v = context;
  sfm_status status = sfm_plan_forecast(v->engine_plans[0].plan, out, rows, epsilon, error);
  if (!status && isfinite(out->total)) raise_noise(out, v->engine_plans[0].excess);
  return status;
}

static sfm_status bandwidth(void *context, double *widths, sfm_forecast *out, sfm_error *error) {
  const online_plan *v = context;
  sfm_status status = sfm_plan_bandwidth(v->engine_plans[0].plan, widths, out, error);
  if (!status && isfinite(out->total)) raise_noise(out, v->engine_plans[0].excess);
  return status;
}

/* The release that answers would show; with an engine that gives values, those of a grid. */
static sfm_status preview(void *context, sfm_release **out, const sfm_plan_entry *best,
                          uint64_t seed, sfm_error *error) {
  const online_plan *v = context;
  const engine_plan *w = &v->engine_plans[0];
  sfm_density_settings s = w->settings;
  sfm_plan *plan = NULL;
  sfm_error ignored;
  (void)best;
  s.release_points = NULL;
  s.release_count = 0;
  s.bandwidth = w->bandwidth;
  /* In more than three dimensions there is no usual grid. */
  const bool gridded =
      w->settings.engine != SFM_ENGINE_SPECTRAL && !sfm_plan_density(&plan, &s, v->rows, &ignored);
  sfm_status status = sfm_plan_preview(gridded ? plan : w->plan, out, seed, error);
  sfm_plan_destroy(plan);
  return status;
}

static sfm_status shape(void *context, double *values, const double *points, size_t count,
                        sfm_error *error) {
  const online_plan *v = context;
  return sfm_plan_shape(v->engine_plans[0].plan, values, points, count, error);
}

static const sfmi_plan_kind KIND = {.size = sizeof(online_plan),
                                    .ordered = true,
                                    .forecast = forecast,
                                    .bandwidth = bandwidth,
                                    .preview = preview,
                                    .shape = shape,
                                    .clear = clear};

/* ---- entries ---- */

/* What the last of so many answers takes: multiplications, and bytes in the file and beside it. */
static void last_answer(double *work, double *bytes, const engine_plan *w, double coefficients,
                        double questions) {
  const double given = questions - 1, file = (double)((w->settings.dimension + 1) * sizeof(double));
  *work = coefficients;
  *bytes = 0;
  if (w->settings.engine == SFM_ENGINE_SPECTRAL) return;
  *work = sfmi_kernel_sum_work(&w->masses, 1);
  *bytes = file;
  if (w->settings.engine == SFM_ENGINE_MARKOV) {
    *work += 16.0 * SFMI_DYADIC_DEPTH;
  } else {
    *work += given * (given + 1) / 2 + given + 1;
    *bytes += (given + 3) * sizeof(double);
  }
}

static const sfm_plan_parameter *find(const sfm_plan_entry *entry, const char *name) {
  for (size_t i = 0; i < entry->parameter_count; i++)
    if (strcmp(entry->parameters[i].name, name) == 0) return &entry->parameters[i];
  return NULL;
}

/* By what factor the variance of a session's noise is above that of one value. */
static sfm_status find_excess(engine_plan *w, sfm_error *error) {
  struct {
    sfmi_design_density design;
    sfmi_process one, all;
  } * room; /* too large for a small stack */
  sfm_density_settings s = w->settings;
  w->excess = 1;
  if (s.engine == SFM_ENGINE_SPECTRAL) return SFM_OK;
  room = sfmi_alloc(1, sizeof *room);
  if (!room) return sfmi_fail_memory(error);
  s.bandwidth = w->bandwidth;
  sfm_status status = sfmi_density_settings_check(&room->design, &s, error);
  if (!status) status = sfmi_process_init(&room->one, &room->design, &s, 1, error);
  if (!status)
    status = sfmi_process_init(&room->all, &room->design, &s, sfmi_design_online_values(s.engine),
                               error);
  if (!status) {
    w->masses = room->one.masses;
    w->excess = pow(room->all.scale / room->one.scale, 2);
  }
  free(room);
  return status;
}

/* The entry of an engine that can be had. */
static sfm_status add_engine(sfm_plan *plan, const online_plan *v, engine_plan *w,
                             sfm_error *error) {
  const sfm_plan_entry *gp = sfm_plan_at(w->plan, 0);
  const sfm_plan_parameter *widths = find(gp, "bandwidth"), *numbers = find(gp, "coefficients");
  const bool spectral = w->settings.engine == SFM_ENGINE_SPECTRAL;
  sfm_plan_entry entry = {.method = sfm_engine_name(w->settings.engine),
                          .hardened = spectral,
                          .guarantee = gp->guarantee,
                          .predicted = gp->predicted,
                          .band = gp->band,
                          .apart = gp->apart,
                          .share = gp->share};
  double work, bytes;
  for (size_t a = 0; a < w->settings.dimension; a++) w->bandwidth[a] = widths->numbers[a];
  sfm_status status = find_excess(w, error);
  if (status) return status;
  raise_noise(&entry.predicted, w->excess);
  entry.band.half_width *= sqrt(w->excess);
  entry.band.pointwise *= sqrt(w->excess);
  last_answer(&work, &bytes, w, numbers ? numbers->numbers[0] : 0, (double)v->questions);
  sfmi_plan_entry_text(&entry, "engine", entry.method, true);
  sfmi_plan_entry_text(&entry, "kernel", sfm_kernel_family_name(w->settings.kernel), true);
  sfmi_plan_entry_numbers(&entry, "bandwidth", w->bandwidth, w->settings.dimension, true);
  if (spectral) sfmi_plan_entry_number(&entry, "coefficients", numbers->numbers[0], false);
  sfmi_plan_entry_number(&entry, "questions", (double)v->questions, false);
  sfmi_plan_entry_number(&entry, "work", work, false);
  sfmi_plan_entry_number(&entry, "bytes", bytes, false);
  return sfmi_plan_add_entry(plan, &entry, error);
}

/* Plans the density of an engine; why: where it cannot be had. */
static sfm_status plan_engine(engine_plan *w, const online_plan *v, sfm_engine engine,
                              const sfm_density_settings *settings, sfm_error *why,
                              sfm_error *error) {
  *w = (engine_plan){.settings = *settings};
  w->settings.method = SFM_DENSITY_GP;
  w->settings.engine = engine;
  sfmi_design_online_place(&w->settings, w->place);
  if (engine == SFM_ENGINE_GRAM && v->questions > SFMI_DESIGN_ONLINE_GRAM)
    return sfmi_fail(why, SFM_INVALID,
                     "answers at most %zu questions, not %" PRIu64
                     ": use the gaussian kernel, which spectral draws at once, or ask fewer",
                     SFMI_DESIGN_ONLINE_GRAM, v->questions);
  sfm_status status = sfm_plan_density(&w->plan, &w->settings, v->rows, why);
  if (status) return status == SFM_INVALID ? status : sfmi_fail(error, status, "%s", why->message);
  const size_t best = sfm_plan_best(w->plan);
  if (best == 0) return SFM_OK;
  status = sfmi_fail(why, SFM_INVALID, "%s", sfm_plan_at(w->plan, 0)->absent);
  sfm_plan_destroy(w->plan);
  w->plan = NULL;
  return status;
}

/* The engines that can be had, in the order in which auto takes them, then the others; usual: the
 * one that auto names. */
static sfm_status add_all(sfm_plan *plan, online_plan *v, const sfm_density_settings *settings,
                          sfm_engine usual, sfm_error *error) {
  const char *reasons[ENGINES] = {NULL};
  sfm_status status = SFM_OK;
  for (size_t i = 0; !status && i < ENGINES; i++) {
    engine_plan *w = &v->engine_plans[v->count];
    if (settings->engine != SFM_ENGINE_AUTO && settings->engine != engines[i]) continue;
    status = plan_engine(w, v, engines[i], settings, &v->why[i], error);
    if (!status) {
      v->count++;
      status = add_engine(plan, v, w, error);
    } else if (status == SFM_INVALID) {
      reasons[i] = v->why[i].message;
      status = SFM_OK;
    }
  }
  for (size_t i = 0; !status && i < ENGINES; i++) {
    const sfm_plan_entry entry = {.method = sfm_engine_name(engines[i]), .absent = reasons[i]};
    if (v->count == 0 && engines[i] == usual)
      return sfmi_fail(error, SFM_INVALID, "a session by %s cannot be had: %s", entry.method,
                       reasons[i]);
    if (reasons[i]) status = sfmi_plan_add_entry(plan, &entry, error);
  }
  return status;
}

sfm_status sfm_plan_online(sfm_plan **out, const sfm_density_settings *given, uint64_t rows,
                           uint64_t questions, sfm_error *error) {
  sfm_density_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_density_settings, &taken, given, error);
  if (status) return status;
  const sfm_density_settings *settings = &taken;
  sfm_density_settings s = *settings;
  if (!settings->columns) return sfmi_fail(error, SFM_INVALID, "a session needs settings.columns");
  if (questions == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "a session is planned for at least one question: say how many");
  status = sfmi_design_online_engine(&s, error);
  if (status) return status;
  const bool private = sfm_schema_neighbours(settings->context.schema) == SFM_NEIGHBOURS_ADD_REMOVE;
  status = sfmi_plan_create(out, &KIND, (double)(private ? settings->expected_rows : rows),
                            settings->epsilon, error);
  if (status) return status;
  online_plan *v = (*out)->context;
  v->rows = rows;
  v->questions = questions;
  status = add_all(*out, v, settings, s.engine, error);
  if (!status) sfmi_plan_remarks(*out, &settings->context, settings->delta, rows);
  return sfmi_plan_finish(out, status, error);
}
