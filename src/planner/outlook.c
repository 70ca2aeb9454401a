/* outlook.c - the plan of a density: what a bank offers (bank.h), as a list, with what each release
 * would look like. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "planner/bank.h"
#include "planner/harmony.h"
#include "planner/preview.h"
#include "planner/process.h"
#include "planner/prospect.h"
#include "planner/settings.h"

typedef struct outlook {
  sfm_density_settings settings;
  sfmi_design design; /* checked, and nothing chosen */
  sfmi_design taken;  /* what is chosen for one method after another */
  double rows;
  sfmi_kind best;          /* what auto takes */
  sfmi_bank *bank, *every; /* of what was asked for, and of all bandwidths once they are needed */
} outlook;

static void destroy(void *context) {
  outlook *o = context;
  sfmi_bank_destroy(o->bank);
  sfmi_bank_destroy(o->every);
  free(o);
}

static sfm_status forecast(void *context, sfm_forecast *out, double rows, double epsilon,
                           sfm_error *error) {
  outlook *o = context;
  sfmi_pick pick;
  bool found;
  sfm_status status = sfmi_bank_auto(o->bank, &pick, &found, rows, epsilon, error);
  if (status == SFM_OK && found) status = sfmi_bank_interval(o->bank, &pick, rows, error);
  if (status != SFM_OK) return status;
  *out = found ? pick.forecast : (sfm_forecast){.total = INFINITY, .relative = INFINITY};
  return SFM_OK;
}

/* A bandwidth that was asked for may be better than all to choose from: where nothing can be seen,
 * a kernel far wider than the domain has the least to lose. */
static sfm_status bandwidth(void *context, double *widths, sfm_forecast *out, sfm_error *error) {
  outlook *o = context;
  sfmi_pick pick, asked;
  bool found, had = false;
  sfm_status status = SFM_OK;
  if (!o->every)
    status = sfmi_bank_create(&o->every, &o->design, &o->settings, o->rows, true, error);
  if (status == SFM_OK)
    status = sfmi_bank_auto(o->every, &pick, &found, o->rows, o->settings.epsilon, error);
  if (status == SFM_OK && o->settings.bandwidth)
    status = sfmi_bank_auto(o->bank, &asked, &had, o->rows, o->settings.epsilon, error);
  const bool better = had && (!found || asked.forecast.total < pick.forecast.total);
  if (status == SFM_OK && better) {
    pick = asked;
    found = true;
  }
  if (status == SFM_OK && found)
    status = sfmi_bank_interval(better ? o->bank : o->every, &pick, o->rows, error);
  if (status != SFM_OK) return status;
  const bool none = !found || o->settings.kernel == SFM_KERNEL_OWN;
  for (size_t a = 0; a < o->design.dimension; a++) widths[a] = none ? NAN : pick.bandwidth[a];
  *out = found ? pick.forecast : (sfm_forecast){.total = INFINITY, .relative = INFINITY};
  return SFM_OK;
}

static sfm_status preview(void *context, sfm_release **out, const sfm_plan_entry *best,
                          uint64_t seed, sfm_error *error) {
  outlook *o = context;
  sfmi_pick pick;
  bool found;
  (void)best;
  sfm_status status = sfmi_bank_auto(o->bank, &pick, &found, o->rows, o->settings.epsilon, error);
  o->taken = o->design;
  if (status == SFM_OK) status = sfmi_design_take(&o->taken, &o->settings, &pick, o->rows, error);
  if (status == SFM_OK)
    status = sfmi_preview_density(out, &o->taken, &o->settings, (uint64_t)o->rows,
                                  sfmi_bank_scene(o->bank), seed, error);
  return status;
}

static sfm_status shape(void *context, double *values, const double *points, size_t count,
                        sfm_error *error) {
  const outlook *o = context;
  (void)error;
  sfmi_scene_at(sfmi_bank_scene(o->bank), values, points, count);
  return SFM_OK;
}

static const sfmi_prospect_kind KIND = {.forecast = forecast,
                                        .bandwidth = bandwidth,
                                        .preview = preview,
                                        .shape = shape,
                                        .destroy = destroy};

/* ---- entries ---- */

static const char *name_of(sfmi_kind kind) {
  static const char *const names[] = {"lattice", "lattice",         "gp",
                                      "gp",      "fourier-laplace", "gp",
                                      "sobolev", "caratheodory",    "caratheodory"};
  return names[kind];
}

static void list_counts(sfm_plan_entry *entry, const char *name, const size_t *counts,
                        size_t dimension, bool option) {
  double numbers[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < dimension; a++) numbers[a] = (double)counts[a];
  sfmi_entry_numbers(entry, name, numbers, dimension, option);
}

static void list_parameters(sfm_plan_entry *entry, const sfmi_design *design, const sfmi_pick *pick,
                            sfm_kernel_family kernel) {
  const sfm_density_plan *plan = &design->plan;
  const size_t d = design->dimension;
  const bool harmonic = sfmi_harmony_has(design->method);
  if (kernel != SFM_KERNEL_OWN) sfmi_entry_numbers(entry, "bandwidth", design->bandwidth, d, true);
  if (design->method == SFM_DENSITY_LATTICE) {
    const bool normal = design->noise == SFM_DENSITY_NOISE_NORMAL;
    sfmi_entry_text(entry, "noise", normal ? "normal" : "laplace", true);
    sfmi_entry_number(entry, "order", plan->order, false);
    sfmi_entry_numbers(entry, "spacing", plan->spacing, d, false);
  }
  if (design->method == SFM_DENSITY_GP || design->method == SFM_DENSITY_SOBOLEV) {
    sfmi_entry_text(entry, "kernel", sfm_kernel_name(kernel), true);
    sfmi_entry_text(entry, "engine", sfm_engine_name(design->engine), true);
  }
  if (design->method == SFM_DENSITY_SOBOLEV)
    sfmi_entry_numbers(entry, "gamma", design->process.gamma, d, true);
  if (harmonic) sfmi_entry_number(entry, "terms", (double)pick->terms, true);
  if (design->method == SFM_DENSITY_CARATHEODORY)
    sfmi_entry_text(entry, "body", design->body == SFM_BODY_HULL ? "hull" : "exact", true);
  if (design->engine == SFM_ENGINE_RANDOM && !harmonic)
    sfmi_entry_number(entry, "features", (double)design->features, true);
  else if (!harmonic && plan->points[0])
    list_counts(entry, "points", plan->points, d, false);
  sfmi_entry_number(entry, "coefficients", (double)plan->coefficients, false);
}

static sfm_guarantee guarantee_of(const sfmi_design *design, const sfm_density_settings *settings) {
  if (design->mu > 0)
    return (sfm_guarantee){
        .kind = SFM_GDP, .epsilon = settings->epsilon, .delta = settings->delta, .mu = design->mu};
  return (sfm_guarantee){.kind = SFM_PURE, .epsilon = settings->epsilon};
}

/* Two bumps 4 bandwidths apart, each of share q: between them the density is lower by 0.729 of
 * their height q K(0), and stands out where that is two standard errors of a difference. */
static void tell_apart(sfm_plan_entry *entry, const sfmi_design *design, double volume) {
  static const double APART = 4, DIP = 0.729;
  const sfm_forecast *f = &entry->predicted;
  const double sd = sqrt((f->privacy + f->sampling) / volume);
  double height = 1, first = design->bandwidth[0];
  for (size_t a = 0; a < design->dimension; a++) {
    double one = 1 / (sqrt(2 * M_PI) * design->bandwidth[a]);
    if (sfmi_harmony_has(design->method)) {
      /* What the kept frequencies leave of it. */
      const sfmi_torus *torus = &design->spectrum.torus[a];
      one = 1 / torus->period;
      for (size_t j = 1; j <= torus->terms; j++)
        one += 2 * sfmi_torus_lambda(torus, j) / torus->period;
      if (a == 0) first = 1 / (sqrt(2 * M_PI) * one);
    }
    height *= one;
  }
  entry->apart = APART * first;
  entry->share = 2 * M_SQRT2 * sd / (DIP * height);
}

/* Draws for the band of what auto takes and of others, in several columns. */
enum { BEST_DRAWS = 500, OTHER_DRAWS = 100 };

static sfm_status add(sfm_plan *plan, outlook *o, sfmi_kind kind, sfm_error *error) {
  sfm_plan_entry entry = {.method = name_of(kind), .absent = sfmi_bank_absent(o->bank, kind)};
  sfmi_design *design = &o->taken;
  sfmi_pick pick;
  sfm_error why = {SFM_OK, ""};
  bool found = false;
  sfm_status status =
      sfmi_bank_best(o->bank, &pick, &found, kind, o->rows, o->settings.epsilon, error);
  if (status == SFM_OK && found) status = sfmi_bank_interval(o->bank, &pick, o->rows, error);
  if (status != SFM_OK) return status;
  if (!entry.absent && !found) entry.absent = "would not fit in memory";
  *design = o->design;
  if (!entry.absent && sfmi_design_take(design, &o->settings, &pick, o->rows, &why) != SFM_OK)
    entry.absent = why.message;
  if (entry.absent) return sfmi_prospect_add(plan, &entry, error);
  entry.hardened = sfmi_bank_hardened(kind);
  entry.guarantee = guarantee_of(design, &o->settings);
  list_parameters(&entry, design, &pick, o->settings.kernel);
  entry.predicted = pick.forecast;
  if (o->settings.kernel == SFM_KERNEL_OWN)
    entry.apart = entry.share = NAN;
  else
    tell_apart(&entry, design, sfmi_bank_volume(o->bank));
  const bool best = o->best == kind;
  const size_t draws = design->dimension == 1 ? 0 : best ? BEST_DRAWS : OTHER_DRAWS;
  status = sfmi_preview_band(&entry.band, design, &o->settings, (uint64_t)o->rows,
                             sfmi_bank_scene(o->bank), draws, error);
  return status == SFM_OK ? sfmi_prospect_add(plan, &entry, error) : status;
}

/* The number of records that is planned with. */
static sfm_status find_rows(double *out, const sfmi_design *design,
                            const sfm_density_settings *settings, uint64_t rows, sfm_error *error) {
  const bool replace = design->neighbours == SFM_REPLACE;
  *out = (double)(replace ? rows : settings->expected_rows);
  if (replace && rows == 0)
    return sfmi_fail(error, SFM_INVALID, "a plan is for at least one record: say how many (--n N)");
  if (!replace && *out == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "under add-remove neighbours the number of records is private: say how many "
                     "to expect (--expect N)");
  if (*out >= ldexp(1, SFMI_SPECTRUM_ROWS_BITS))
    return sfmi_fail(error, SFM_INVALID, "more than 2^%d records are not supported",
                     SFMI_SPECTRUM_ROWS_BITS);
  return SFM_OK;
}

sfm_status sfm_plan_density(sfm_plan **out, const sfm_density_settings *settings, uint64_t rows,
                            sfm_error *error) {
  *out = NULL;
  outlook *o = sfmi_alloc(1, sizeof *o);
  if (!o) return sfmi_fail_memory(error);
  o->settings = *settings;
  sfm_status status = sfmi_settings_check(&o->design, settings, error);
  if (status == SFM_OK) status = find_rows(&o->rows, &o->design, settings, rows, error);
  if (status == SFM_OK && o->design.neighbours == SFM_REPLACE) o->design.rows = rows;
  if (status == SFM_OK)
    status = sfmi_bank_create(&o->bank, &o->design, &o->settings, o->rows, false, error);
  sfmi_pick pick;
  bool found = false;
  if (status == SFM_OK)
    status = sfmi_bank_auto(o->bank, &pick, &found, o->rows, settings->epsilon, error);
  o->best = found ? pick.kind : SFMI_KINDS;
  if (status != SFM_OK) {
    destroy(o);
    return status;
  }
  status = sfmi_prospect_create(out, &KIND, o, o->rows, settings->epsilon, error);
  for (sfmi_kind kind = 0; status == SFM_OK && kind < SFMI_KINDS; kind++)
    if (sfmi_bank_names(o->bank, kind)) status = add(*out, o, kind, error);
  if (status == SFM_OK) {
    sfmi_prospect_sort(*out);
    return SFM_OK;
  }
  sfm_plan_destroy(*out);
  *out = NULL;
  return status;
}
