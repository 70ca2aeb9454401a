/* plan_density.c - the plan of a density: the best candidate of each kind (density_candidates.h),
 * with what its release would look like. */
#include <math.h>

#include "base/system/sized_struct.h"
#include "base/system/status.h"
#include "planner/density/candidate_uncertainty.h"
#include "planner/density/density_choice.h"
#include "planner/density/density_remarks.h"
#include "planner/density/fourier_terms.h"
#include "planner/density/density_preview.h"
#include "planner/density/gaussian_process.h"
#include "plan.h"
#include "planner/density/density_settings.h"
#include "privacy/calibration.h"

typedef struct density_plan {
  sfm_density_settings settings;
  sfmi_design_density design; /* checked, and nothing chosen */
  sfmi_design_density taken;  /* what is chosen for one method after another */
  double rows;
  sfmi_candidate choice;    /* what auto takes, */
  sfmi_candidate_kind best; /* and its kind */
  sfmi_candidates *candidates,
      *every; /* of what was asked for; and of all bandwidths, once they are needed */
} density_plan;

static void clear(void *context) {
  density_plan *o = context;
  sfmi_candidates_destroy(o->candidates);
  sfmi_candidates_destroy(o->every);
}

static sfm_status forecast(void *context, sfm_forecast *out, double rows, double epsilon,
                           sfm_error *error) {
  density_plan *o = context;
  sfmi_candidate candidate;
  bool found = false;
  sfm_status status =
      o->best == SFMI_CANDIDATE_KINDS
          ? SFM_OK
          : sfmi_candidates_best(o->candidates, &candidate, &found, o->best, rows, epsilon, error);
  if (!status && found) status = sfmi_candidates_interval(o->candidates, &candidate, rows, error);
  if (status) return status;
  *out = found ? candidate.forecast : (sfm_forecast){.total = INFINITY, .relative = INFINITY};
  return SFM_OK;
}

/* A stated bandwidth may be better than all candidates: where noise hides everything, a kernel far
 * wider than the domain has the least error. */
static sfm_status bandwidth(void *context, double *widths, sfm_forecast *out, sfm_error *error) {
  density_plan *o = context;
  sfmi_candidate candidate, asked;
  bool found = false, had = false;
  sfm_status status = SFM_OK;
  if (!o->every)
    status = sfmi_candidates_create(&o->every, &o->design, &o->settings, o->rows, true, error);
  if (!status && o->best < SFMI_CANDIDATE_KINDS)
    status = sfmi_candidates_best(o->every, &candidate, &found, o->best, o->rows,
                                  o->settings.epsilon, error);
  if (!status && o->best < SFMI_CANDIDATE_KINDS && o->settings.bandwidth)
    status = sfmi_candidates_best(o->candidates, &asked, &had, o->best, o->rows,
                                  o->settings.epsilon, error);
  const bool better = had && (!found || asked.forecast.total < candidate.forecast.total);
  if (!status && better) {
    candidate = asked;
    found = true;
  }
  if (!status && found)
    status =
        sfmi_candidates_interval(better ? o->candidates : o->every, &candidate, o->rows, error);
  if (status) return status;
  const bool none = !found || o->settings.kernel == SFM_KERNEL_OWN;
  for (size_t a = 0; a < o->design.dimension; a++) widths[a] = none ? NAN : candidate.bandwidth[a];
  *out = found ? candidate.forecast : (sfm_forecast){.total = INFINITY, .relative = INFINITY};
  return SFM_OK;
}

static sfm_status preview(void *context, sfm_release **out, const sfm_plan_entry *best,
                          uint64_t seed, sfm_error *error) {
  density_plan *o = context;
  (void)best;
  o->taken = o->design;
  sfm_status status = sfmi_design_density_take(&o->taken, &o->settings, &o->choice, o->rows, error);
  if (!status)
    status = sfmi_density_preview_create(out, &o->taken, &o->settings, (uint64_t)o->rows,
                                         sfmi_candidates_shape(o->candidates), seed, error);
  return status;
}

static sfm_status shape(void *context, double *values, const double *points, size_t count,
                        sfm_error *error) {
  const density_plan *o = context;
  (void)error;
  sfmi_shape_model_at(sfmi_candidates_shape(o->candidates), values, points, count);
  return SFM_OK;
}

static const sfmi_plan_kind KIND = {.size = sizeof(density_plan),
                                    .forecast = forecast,
                                    .bandwidth = bandwidth,
                                    .preview = preview,
                                    .shape = shape,
                                    .clear = clear};

/* ---- entries ---- */

static void list_counts(sfm_plan_entry *entry, const char *name, const size_t *counts,
                        size_t dimension, bool option) {
  double numbers[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < dimension; a++) numbers[a] = (double)counts[a];
  sfmi_plan_entry_numbers(entry, name, numbers, dimension, option);
}

static void list_parameters(sfm_plan_entry *entry, const sfmi_design_density *design,
                            const sfmi_candidate *candidate, sfm_kernel_family kernel) {
  const sfm_density_choice *plan = &design->plan;
  const size_t d = design->dimension;
  const bool frequencies = sfmi_fourier_terms_method(design->method);
  if (kernel != SFM_KERNEL_OWN)
    sfmi_plan_entry_numbers(entry, "bandwidth", design->bandwidth, d, true);
  if (design->method == SFM_DENSITY_LATTICE) {
    const bool normal = design->noise == SFM_DENSITY_NOISE_NORMAL;
    sfmi_plan_entry_text(entry, "noise", normal ? "normal" : "laplace", true);
    sfmi_plan_entry_number(entry, "order", plan->order, false);
    sfmi_plan_entry_numbers(entry, "spacing", plan->spacing, d, false);
  }
  if (design->method == SFM_DENSITY_GP || design->method == SFM_DENSITY_SOBOLEV) {
    sfmi_plan_entry_text(entry, "kernel", sfm_kernel_family_name(kernel), true);
    sfmi_plan_entry_text(entry, "engine", sfm_engine_name(design->engine), true);
  }
  if (design->method == SFM_DENSITY_SOBOLEV)
    sfmi_plan_entry_numbers(entry, "gamma", design->process.gamma, d, true);
  if (frequencies) sfmi_plan_entry_number(entry, "terms", (double)candidate->terms, true);
  if (design->method == SFM_DENSITY_CARATHEODORY)
    sfmi_plan_entry_text(entry, "body", sfm_density_body_name(design->body), true);
  if (design->engine == SFM_ENGINE_RANDOM && !frequencies)
    sfmi_plan_entry_number(entry, "features", (double)design->features, true);
  else if (!frequencies && plan->points[0])
    list_counts(entry, "points", plan->points, d, false);
  sfmi_plan_entry_number(entry, "coefficients", (double)plan->coefficients, false);
}

/* Two bumps 4 bandwidths apart, each of share q: between them the density is lower by 0.729 of
 * their height q K(0), and stands out where that is two standard errors of a difference. */
static void tell_apart(sfm_plan_entry *entry, const sfmi_design_density *design, double volume) {
  static const double APART = 4, DIP = 0.729;
  const sfm_forecast *f = &entry->predicted;
  const double sd = sqrt((f->privacy + f->sampling) / volume);
  double height = 1, first = design->bandwidth[0];
  for (size_t a = 0; a < design->dimension; a++) {
    double one = 1 / (sqrt(2 * M_PI) * design->bandwidth[a]);
    if (sfmi_fourier_terms_method(design->method)) {
      /* What the kept frequencies hold of it. */
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
enum { BEST_DRAWS = 500, OTHER_DRAWS = 200 };

static sfm_status add(sfm_plan *plan, density_plan *o, sfmi_candidate_kind kind, sfm_error *error) {
  sfm_plan_entry entry = {.method = sfm_density_method_name(sfmi_candidate_kind_method(kind)),
                          .absent = sfmi_candidates_absent(o->candidates, kind)};
  sfmi_design_density *design = &o->taken;
  sfmi_candidate candidate;
  sfm_error why = {SFM_OK, ""};
  bool found = false;
  sfm_status status = sfmi_density_choice_of(o->candidates, &candidate, &found, kind, &o->design,
                                             &o->settings, o->rows, o->settings.epsilon, error);
  if (!status && found)
    status = sfmi_candidates_interval(o->candidates, &candidate, o->rows, error);
  if (status) return status;
  if (!entry.absent && !found) entry.absent = "would not fit in memory";
  *design = o->design;
  if (!entry.absent && sfmi_design_density_take(design, &o->settings, &candidate, o->rows, &why))
    entry.absent = why.message;
  if (entry.absent) return sfmi_plan_add_entry(plan, &entry, error);
  entry.hardened = sfmi_candidate_kind_hardened(kind);
  entry.guarantee = sfmi_guarantee_of_noise(o->settings.epsilon, o->settings.delta, design->mu);
  list_parameters(&entry, design, &candidate, o->settings.kernel);
  entry.predicted = candidate.forecast;
  if (o->settings.kernel == SFM_KERNEL_OWN)
    entry.apart = entry.share = NAN;
  else
    tell_apart(&entry, design, sfmi_candidates_volume(o->candidates));
  const double peak = sfmi_shape_model_peak(sfmi_candidates_shape(o->candidates));
  if (!isnan(candidate.misled_total))
    entry.misled = sqrt(candidate.misled_total / sfmi_candidates_volume(o->candidates)) / peak;
  const bool best = entry.taken = o->best == kind;
  const size_t draws = design->dimension == 1 ? 0 : best ? BEST_DRAWS : OTHER_DRAWS;
  status = sfmi_density_preview_band(&entry.band, design, &o->settings, (uint64_t)o->rows,
                                     sfmi_candidates_shape(o->candidates), draws, error);
  return !status ? sfmi_plan_add_entry(plan, &entry, error) : status;
}

/* The number of records that is planned with. */
static sfm_status find_rows(double *out, const sfmi_design_density *design,
                            const sfm_density_settings *settings, uint64_t rows, sfm_error *error) {
  const bool replace = design->neighbours == SFM_NEIGHBOURS_REPLACE;
  *out = (double)(replace ? rows : settings->expected_rows);
  if (replace && rows == 0)
    return sfmi_fail(error, SFM_INVALID, "a plan is for at least one record: say how many rows");
  if (!replace && *out == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "under add-remove neighbours the number of records is private: say how many "
                     "to expect (settings.expected_rows = N)");
  if (*out >= ldexp(1, SFMI_TORUS_SUMS_ROWS_BITS))
    return sfmi_fail(error, SFM_INVALID, "more than 2^%d records are not supported",
                     SFMI_TORUS_SUMS_ROWS_BITS);
  return SFM_OK;
}

sfm_status sfm_plan_density(sfm_plan **out, const sfm_density_settings *given, uint64_t rows,
                            sfm_error *error) {
  sfm_density_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_density_settings, &taken, given, error);
  if (status) return status;
  const sfm_density_settings *settings = &taken;
  status = sfmi_plan_create(out, &KIND, 0, settings->epsilon, error);
  if (status) return status;
  density_plan *o = (*out)->context;
  o->settings = *settings;
  status = sfmi_density_settings_check(&o->design, settings, error);
  if (!status) status = find_rows(&o->rows, &o->design, settings, rows, error);
  if (!status && o->design.neighbours == SFM_NEIGHBOURS_REPLACE) o->design.rows = rows;
  if (!status)
    status =
        sfmi_candidates_create(&o->candidates, &o->design, &o->settings, o->rows, false, error);
  bool found = false;
  if (!status)
    status = sfmi_density_choice_auto(o->candidates, &o->choice, &found, &o->design, &o->settings,
                                      o->rows, settings->epsilon, error);
  o->best = found ? o->choice.kind : SFMI_CANDIDATE_KINDS;
  (*out)->rows = o->rows;
  if (!status) sfmi_plan_remarks(*out, &settings->context, settings->delta, rows);
  if (!status) sfmi_density_remarks(settings);
  for (sfmi_candidate_kind kind = 0; !status && kind < SFMI_CANDIDATE_KINDS; kind++)
    if (sfmi_candidate_kind_asked(&o->settings, kind)) status = add(*out, o, kind, error);
  return sfmi_plan_finish(out, status, error);
}
