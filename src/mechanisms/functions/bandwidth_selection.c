#include "bandwidth_selection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/core/request_json.h"
#include "mechanisms/core/rows_pass.h"
#include "planner/density/density_settings.h"

/* ---- public ---- */

/* What the release says of the choice, before it is made. */
static sfm_status set_choice(sfm_release *release, const sfmi_bandwidth_selection *s, size_t i,
                             sfm_error *error) {
  const sfm_density_settings *settings = s->asked;
  const size_t numbers = settings->candidate_count * settings->dimension;
  double *candidates = sfmi_alloc(numbers, sizeof *candidates);
  if (!candidates) return sfmi_fail_memory(error);
  memcpy(candidates, settings->candidates, numbers * sizeof *candidates);
  release->function->choice = (sfmi_bandwidth_choice){.count = settings->candidate_count,
                                                      .index = i,
                                                      .candidates = candidates,
                                                      .share = settings->choice_share,
                                                      .epsilon = s->budget.choice,
                                                      .rest = release->guarantee};
  release->guarantee = s->budget.whole;
  return SFM_OK;
}

static void clear_runs(sfmi_bandwidth_selection *s) {
  for (size_t i = 0; s->runs && i < s->count; i++) sfmi_density_run_clear(&s->runs[i]);
}

/* Prepares every candidate under a guarantee of one kind; *all: they all came out so. */
static sfm_status prepare_all(sfmi_bandwidth_selection *s, bool normal, bool *all,
                              sfm_error *error) {
  *all = true;
  clear_runs(s);
  sfm_status status = sfmi_bandwidth_choice_split(&s->budget, s->asked, normal, error);
  for (size_t i = 0; !status && i < s->count; i++) {
    sfmi_density_run *run = &s->runs[i];
    s->settings[i] = sfmi_bandwidth_choice_settings(s->asked, &s->budget, i);
    *run = sfmi_density_run_of(s->base.rows, &s->settings[i]);
    run->base.protocol.charge = s->base.protocol.charge;
    run->base.protocol.accounting = s->base.protocol.accounting;
    status = sfmi_density_run_prepare(run, 0, error);
    if (status) return status;
    *all = *all && run->base.release->guarantee.kind == s->budget.whole.kind;
    status = set_choice(run->base.release, s, i, error);
  }
  return status;
}

/* Normal noise where all candidates have it, else pure epsilon for all: the guarantee is charged
 * before it is known which one is chosen. */
static sfm_status prepare(sfmi_bandwidth_selection *s, sfm_error *error) {
  const sfm_density_settings *settings = s->asked;
  const bool only = settings->method == SFM_DENSITY_GP || settings->method == SFM_DENSITY_SOBOLEV ||
                    settings->noise == SFM_DENSITY_NOISE_NORMAL;
  bool all;
  if (settings->delta > 0 || only) {
    sfm_status status = prepare_all(s, true, &all, error);
    if (!status && only && !all)
      return sfmi_fail(error, SFM_INVALID,
                       "normal noise was asked for, and not all candidates can have it: leave out "
                       "settings.noise");
    if (only || (!status && all)) return status;
  }
  return prepare_all(s, false, &all, error);
}

static sfm_status set_handicaps(sfmi_bandwidth_selection *s, const double *errors,
                                sfm_error *error) {
  const sfmi_design_density *design = s->runs[0].design;
  double exponents[SFMI_CROSS_VALIDATION_CANDIDATES], volume = 1;
  s->handicaps = sfmi_alloc(s->count, sizeof *s->handicaps);
  if (!s->handicaps) return sfmi_fail_memory(error);
  for (size_t a = 0; a < design->dimension; a++) volume *= design->upper[a] - design->lower[a];
  sfmi_bandwidth_choice_handicaps(exponents, errors, s->count, volume);
  for (size_t i = 0; i < s->count; i++)
    s->handicaps[i] =
        (sfmi_u128)(ldexp(exponents[i], (int)s->rate.shift) / (double)s->rate.numerator);
  return SFM_OK;
}

/* What every candidate's release says of how good the choice will be. */
static sfm_status set_forecast(sfmi_bandwidth_selection *s, const double *errors,
                               sfm_error *error) {
  sfmi_bandwidth_forecast forecast;
  const sfm_status status =
      sfmi_bandwidth_forecast_init(&forecast, s->asked, s->runs[0].design, s->cross_validation,
                                   errors, s->budget.choice, s->runs[0].base.release->rows, error);
  for (size_t i = 0; i < s->count && !status; i++) {
    sfmi_bandwidth_choice *choice = &s->runs[i].base.release->function->choice;
    choice->likely = forecast.likely;
    choice->chance = forecast.chance;
  }
  return status;
}

static sfm_status prepare_choice(sfmi_bandwidth_selection *s, sfm_error *error) {
  const sfmi_design_density *design = s->runs[0].design;
  double errors[SFMI_CROSS_VALIDATION_CANDIDATES];
  sfm_boundary boundary[SFM_MAX_DIMENSION];
  sfmi_density_settings_asked_boundary(boundary, s->asked, design);
  for (size_t i = 0; i < s->count; i++)
    errors[i] = sfmi_bandwidth_choice_error(&s->runs[i].design->plan);
  const sfmi_cross_validation_shape shape = {.dimension = s->asked->dimension,
                                             .count = s->count,
                                             .lower = design->lower,
                                             .upper = design->upper,
                                             .boundary = boundary,
                                             .candidates = s->asked->candidates,
                                             .rows = s->runs[0].base.release->rows,
                                             .contributions = design->contributions,
                                             .errors = errors};
  /* With two candidates one loss is 0, so that their difference moves no more than a loss does. */
  const double move = SFMI_CROSS_VALIDATION_SENSITIVITY * (s->count == 2 ? 0.5 : 1);
  sfm_status status = sfmi_cross_validation_create(&s->cross_validation, &shape, error);
  if (!status) status = sfmi_exponential_rate(&s->rate, s->budget.choice, move, error);
  if (!status) status = set_handicaps(s, errors, error);
  if (!status) status = set_forecast(s, errors, error);
  return status ? status : sfmi_seed_stream(&s->stream, s->base.seed, error);
}

static sfm_status prepare_selection(sfmi_bandwidth_selection *s, sfm_error *error) {
  sfm_status status = sfmi_bandwidth_choice_check(s->asked, error);
  if (status) return status;
  s->count = s->asked->candidate_count;
  s->settings = sfmi_alloc(s->count, sizeof *s->settings);
  s->runs = sfmi_alloc(s->count, sizeof *s->runs);
  if (!s->settings || !s->runs) return sfmi_fail_memory(error);
  status = prepare(s, error);
  return status ? status : prepare_choice(s, error);
}

static sfmi_bandwidth_selection selection_of(sfm_rows *rows, const sfm_density_settings *settings) {
  return (sfmi_bandwidth_selection){.base = sfmi_release_run_rows(NULL, rows, &settings->context),
                                    .asked = settings};
}

sfm_status sfmi_bandwidth_selection_begin(sfmi_bandwidth_selection *s, sfm_rows *rows,
                                          const sfm_density_settings *settings, sfm_error *error) {
  *s = selection_of(rows, settings);
  return prepare_selection(s, error);
}

void sfmi_bandwidth_selection_clear(sfmi_bandwidth_selection *s) {
  clear_runs(s);
  sfmi_cross_validation_destroy(s->cross_validation);
  sfmi_stream_destroy(s->stream);
  free(s->handicaps);
  free(s->runs);
  free(s->settings);
  explicit_bzero(s->losses, sizeof s->losses);
  *s = (sfmi_bandwidth_selection){0};
}

static json_t *parameters(const sfmi_release_run *run) {
  const sfm_release *release = run->release;
  const sfmi_bandwidth_choice *choice = &release->function->choice;
  sfmi_density_run first = ((const sfmi_bandwidth_selection *)run)->runs[0];
  first.base.release = run->release; /* as it was, before it was taken to be charged */
  json_t *all = sfmi_density_run_parameters(&first, "density", true);
  if (!all) return NULL;
  json_object_set_new(all, "candidates",
                      sfmi_request_numbers(choice->candidates, choice->count * release->dimension));
  sfmi_request_number(all, "share", choice->share);
  return all;
}

/* ---- private ---- */

/* Adds what is public, and counts from the least. */
static void add_handicaps(const sfmi_bandwidth_selection *s, sfmi_u128 *losses) {
  sfmi_u128 least = ~(sfmi_u128)0;
  for (size_t i = 0; i < s->count; i++) {
    losses[i] += s->handicaps[i];
    if (losses[i] < least) least = losses[i];
  }
  for (size_t i = 0; i < s->count; i++) losses[i] -= least;
}

sfm_status sfmi_bandwidth_selection_read(sfmi_bandwidth_selection *s, sfmi_u128 *losses,
                                         sfm_rows *rows, sfm_error *error) {
  const sfmi_selection selection = sfmi_density_selection(&s->settings[0]);
  const sfmi_batch *batch = NULL;
  sfmi_rows_pass pass = {rows, s->base.context, 0, 0};
  sfm_status status = sfmi_rows_begin(rows, &selection, error);
  while (sfmi_rows_pass_next(&pass, &batch, &status, error))
    sfmi_cross_validation_add(s->cross_validation, batch);
  if (!status) status = sfmi_cross_validation_losses(s->cross_validation, losses, error);
  if (!status) add_handicaps(s, losses);
  return status;
}

static sfmi_u128 loss_of(const void *context, size_t i) {
  return ((const sfmi_u128 *)context)[i];
}

size_t sfmi_bandwidth_selection_draw(sfmi_bandwidth_selection *s, const sfmi_u128 *losses) {
  return sfmi_exponential_draw(s->stream, s->rate, loss_of, losses, s->count);
}

/* ---- the release ---- */

/* The first candidate's release is the one that is charged. */
static sfm_status prepare_run(sfmi_release_run *run, sfm_error *error) {
  sfmi_bandwidth_selection *s = (sfmi_bandwidth_selection *)run;
  const sfm_status status = prepare_selection(s, error);
  if (status) return status;
  run->release = s->runs[0].base.release;
  s->runs[0].base.release = NULL;
  return SFM_OK;
}

static sfm_status read(sfmi_release_run *run, sfm_error *error) {
  sfmi_bandwidth_selection *s = (sfmi_bandwidth_selection *)run;
  return sfmi_bandwidth_selection_read(s, s->losses, run->rows, error);
}

/* The choice; then the chosen density, for which the rows are read again. */
static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  sfmi_bandwidth_selection *s = (sfmi_bandwidth_selection *)run;
  sfmi_density_run *first = &s->runs[0], *chosen;
  chosen = &s->runs[sfmi_bandwidth_selection_draw(s, s->losses)];
  first->base.release = run->release;
  run->release = NULL;
  sfmi_release_run_hand_over(chosen->base.release, first->base.release);
  sfm_status status = sfmi_density_run_read(&chosen->base, error);
  if (!status) status = sfmi_density_run_draw(&chosen->base, error);
  if (!status) status = sfmi_density_run_band(&chosen->base, error);
  run->release = chosen->base.release;
  chosen->base.release = NULL;
  return status;
}

/* The band was made with the chosen one. */
static sfm_status finish(sfmi_release_run *run, sfm_error *error) {
  (void)run;
  (void)error;
  return SFM_OK;
}

static const sfmi_release_steps steps = {
    .prepare = prepare_run, .parameters = parameters, .read = read, .draw = draw, .finish = finish};

sfm_status sfmi_bandwidth_selection_release(sfm_release **out, sfm_density_choice *plan,
                                            sfm_rows *rows, const sfm_density_settings *settings,
                                            sfm_error *error) {
  sfmi_bandwidth_selection s = selection_of(rows, settings);
  s.base.steps = &steps;
  const sfm_status status = sfmi_release_run_all(out, &s.base, error);
  /* A stored answer may be of other candidates than there are now. */
  const size_t chosen = status ? 0 : (*out)->function->choice.index;
  if (plan && !status) *plan = s.runs[chosen < s.count ? chosen : 0].design->plan;
  sfmi_bandwidth_selection_clear(&s);
  return status;
}
