#include "mechanisms/selecting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- public ---- */

/* The settings of one candidate's release. */
static sfm_density_settings settings_of(const sfm_density_settings *settings,
                                        const sfmi_budget *budget, size_t i) {
  sfm_density_settings one = *settings;
  one.bandwidth = settings->candidates + i * settings->dimension;
  one.candidates = NULL;
  one.candidate_count = 0;
  one.epsilon = budget->epsilon;
  one.delta = budget->whole.delta;
  one.calibration = SFM_CALIBRATION_EXACT;
  return one;
}

/* What the release says of the choice, before it is made. */
static sfm_status set_choice(sfm_release *release, const sfmi_selecting *selecting,
                             const sfm_density_settings *settings, size_t i, sfm_error *error) {
  const size_t numbers = settings->candidate_count * settings->dimension;
  double *candidates = sfmi_alloc(numbers, sizeof *candidates);
  if (!candidates) return sfmi_fail_memory(error);
  memcpy(candidates, settings->candidates, numbers * sizeof *candidates);
  release->choice = (sfmi_chosen){.count = settings->candidate_count,
                                  .index = i,
                                  .candidates = candidates,
                                  .share = settings->choice_share,
                                  .epsilon = selecting->budget.choice,
                                  .rest = release->guarantee};
  release->guarantee = selecting->budget.whole;
  return SFM_OK;
}

static void clear_makings(sfmi_selecting *selecting) {
  for (size_t i = 0; selecting->makings && i < selecting->count; i++)
    sfmi_making_clear(&selecting->makings[i]);
}

/* Prepares every candidate under a guarantee of one kind; *all: they all came out so. */
static sfm_status prepare_all(sfmi_selecting *selecting, sfm_rows *rows,
                              const sfm_density_settings *settings, bool normal, bool *all,
                              sfm_error *error) {
  *all = true;
  clear_makings(selecting);
  sfm_status status = sfmi_choice_split(&selecting->budget, settings, normal, error);
  for (size_t i = 0; status == SFM_OK && i < selecting->count; i++) {
    sfmi_making *making = &selecting->makings[i];
    selecting->settings[i] = settings_of(settings, &selecting->budget, i);
    status = sfmi_making_begin(making, rows, &selecting->settings[i], 0, error);
    if (status != SFM_OK) return status;
    *all = *all && making->release->guarantee.kind == selecting->budget.whole.kind;
    status = set_choice(making->release, selecting, settings, i, error);
  }
  return status;
}

/* Normal noise where all candidates have it, else pure epsilon for all: the guarantee is charged
 * before it is known which one is chosen. */
static sfm_status prepare(sfmi_selecting *selecting, sfm_rows *rows,
                          const sfm_density_settings *settings, sfm_error *error) {
  const bool only = settings->method == SFM_DENSITY_GP || settings->method == SFM_DENSITY_SOBOLEV ||
                    settings->noise == SFM_DENSITY_NOISE_NORMAL;
  bool all;
  if (settings->delta > 0 || only) {
    sfm_status status = prepare_all(selecting, rows, settings, true, &all, error);
    if (status == SFM_OK && only && !all)
      return sfmi_fail(error, SFM_INVALID,
                       "normal noise was asked for, and not all candidates can have it: leave out "
                       "--noise");
    if (only || (status == SFM_OK && all)) return status;
  }
  return prepare_all(selecting, rows, settings, false, &all, error);
}

/* What privacy and the lattice will add to the error of a candidate, as planned. */
static double predicted(const sfm_density_plan *plan) {
  const double error = plan->privacy + plan->aliasing + plan->truncation;
  return isfinite(error) ? error : 0;
}

/* What speaks against a candidate before any row is read: a predicted error of a quarter of the
 * square of an even density makes it e times less likely, and so on.  Few rows and a small epsilon
 * tell little, and then this decides. */
static sfm_status set_handicaps(sfmi_selecting *selecting, const double *errors, sfm_error *error) {
  static const double WEIGHT = 4, MOST = 200;
  const sfmi_design *design = selecting->makings[0].design;
  double least = INFINITY, volume = 1;
  selecting->handicaps = sfmi_alloc(selecting->count, sizeof *selecting->handicaps);
  if (!selecting->handicaps) return sfmi_fail_memory(error);
  for (size_t a = 0; a < design->dimension; a++) volume *= design->upper[a] - design->lower[a];
  for (size_t i = 0; i < selecting->count; i++) least = fmin(least, errors[i]);
  for (size_t i = 0; i < selecting->count; i++) {
    const double exponent = fmin(WEIGHT * volume * (errors[i] - least), MOST);
    selecting->handicaps[i] = (sfmi_u128)(ldexp(exponent, (int)selecting->rate.shift) /
                                          (double)selecting->rate.numerator);
  }
  return SFM_OK;
}

static sfm_status prepare_choice(sfmi_selecting *selecting, const sfm_density_settings *settings,
                                 sfm_error *error) {
  const sfmi_design *design = selecting->makings[0].design;
  double errors[SFMI_PAIRS_CANDIDATES];
  for (size_t i = 0; i < selecting->count; i++)
    errors[i] = predicted(&selecting->makings[i].design->plan);
  const sfmi_pairs_shape shape = {.dimension = settings->dimension,
                                  .count = selecting->count,
                                  .lower = design->lower,
                                  .upper = design->upper,
                                  .boundary = design->boundary,
                                  .candidates = settings->candidates,
                                  .rows = selecting->makings[0].release->rows,
                                  .contributions = design->contributions,
                                  .errors = errors};
  /* With two candidates one loss is 0, so that their difference moves no more than a loss does. */
  const double move = SFMI_PAIRS_MOVE * (selecting->count == 2 ? 0.5 : 1);
  sfm_status status = sfmi_pairs_create(&selecting->pairs, &shape, error);
  if (status == SFM_OK)
    status = sfmi_exponential_rate(&selecting->rate, selecting->budget.choice, move, error);
  if (status == SFM_OK) status = set_handicaps(selecting, errors, error);
  if (status == SFM_OK)
    status = settings->seeded ? sfmi_stream_create_seeded(&selecting->stream, settings->seed, error)
                              : sfmi_stream_create(&selecting->stream, error);
  return status;
}

sfm_status sfmi_selecting_begin(sfmi_selecting *selecting, sfm_rows *rows,
                                const sfm_density_settings *settings, sfm_error *error) {
  *selecting = (sfmi_selecting){0};
  sfm_status status = sfmi_choice_check(settings, error);
  if (status != SFM_OK) return status;
  selecting->count = settings->candidate_count;
  selecting->settings = sfmi_alloc(selecting->count, sizeof *selecting->settings);
  selecting->makings = sfmi_alloc(selecting->count, sizeof *selecting->makings);
  if (!selecting->settings || !selecting->makings) return sfmi_fail_memory(error);
  status = prepare(selecting, rows, settings, error);
  return status == SFM_OK ? prepare_choice(selecting, settings, error) : status;
}

void sfmi_selecting_clear(sfmi_selecting *selecting) {
  clear_makings(selecting);
  sfmi_pairs_destroy(selecting->pairs);
  sfmi_stream_destroy(selecting->stream);
  free(selecting->handicaps);
  free(selecting->makings);
  free(selecting->settings);
  *selecting = (sfmi_selecting){0};
}

/* What was asked for, as the ledger remembers it. */
static json_t *parameters_json(const sfmi_selecting *selecting) {
  const sfm_release *release = selecting->makings[0].release;
  json_t *all = sfmi_making_parameters(&selecting->makings[0], "density", true);
  json_t *candidates = json_array();
  for (size_t i = 0; i < release->choice.count * release->dimension; i++)
    json_array_append_new(candidates, json_real(release->choice.candidates[i]));
  json_object_set_new(all, "candidates", candidates);
  json_object_set_new(all, "share", json_real(release->choice.share));
  return all;
}

/* ---- private ---- */

/* Adds what is public, and counts from the least. */
static void handicap(const sfmi_selecting *selecting, sfmi_u128 *losses) {
  sfmi_u128 least = ~(sfmi_u128)0;
  for (size_t i = 0; i < selecting->count; i++) {
    losses[i] += selecting->handicaps[i];
    if (losses[i] < least) least = losses[i];
  }
  for (size_t i = 0; i < selecting->count; i++) losses[i] -= least;
}

sfm_status sfmi_selecting_read(sfmi_selecting *selecting, sfmi_u128 *losses, sfm_rows *rows,
                               sfm_error *error) {
  const sfm_density_settings *s = &selecting->settings[0];
  const sfmi_selection selection = {s->schema, s->columns, s->dimension, s->outside};
  const sfmi_batch *batch = NULL;
  uint64_t done = 0;
  sfm_status status = sfmi_rows_begin(rows, &selection, error);
  while (status == SFM_OK) {
    status = sfmi_rows_next(rows, &batch, error);
    if (status != SFM_OK || !batch) break;
    sfmi_pairs_add(selecting->pairs, batch);
    done += batch->rows;
    if (s->progress) s->progress(s->progress_context, done);
  }
  if (status == SFM_OK) status = sfmi_pairs_losses(selecting->pairs, losses, error);
  if (status == SFM_OK) handicap(selecting, losses);
  return status;
}

static sfmi_u128 loss_of(const void *context, size_t i) {
  return ((const sfmi_u128 *)context)[i];
}

size_t sfmi_selecting_draw(sfmi_selecting *selecting, const sfmi_u128 *losses) {
  return sfmi_exponential_draw(selecting->stream, selecting->rate, loss_of, losses,
                               selecting->count);
}

/* The bill and where it was charged go from the first candidate to the chosen one. */
static void hand_over(sfmi_making *from, sfmi_making *to) {
  if (from == to) return;
  to->bill = from->bill;
  from->bill = (sfmi_bill){0};
  to->release->dataset = from->release->dataset;
  to->release->request = from->release->request;
  to->release->accounting = from->release->accounting;
  from->release->dataset = from->release->request = NULL;
}

/* From the charged release to the finished one: rows, choice, rows again, noise, band. */
static sfm_status choose(sfmi_selecting *selecting, sfm_rows *rows, sfmi_making **out,
                         sfm_error *error) {
  sfmi_u128 losses[SFMI_PAIRS_CANDIDATES];
  sfm_status status = sfmi_selecting_read(selecting, losses, rows, error);
  if (status != SFM_OK) return status;
  const size_t chosen = sfmi_selecting_draw(selecting, losses);
  explicit_bzero(losses, sizeof losses);
  hand_over(&selecting->makings[0], &selecting->makings[chosen]);
  *out = &selecting->makings[chosen];
  return sfmi_making_finish(*out, error);
}

sfm_status sfmi_density_select(sfm_release **out, sfm_density_plan *plan, sfm_rows *rows,
                               const sfm_density_settings *settings, sfm_error *error) {
  sfm_release *stored = NULL;
  sfmi_selecting selecting;
  *out = NULL;
  sfm_status status = sfmi_selecting_begin(&selecting, rows, settings, error);
  if (status != SFM_OK) {
    sfmi_selecting_clear(&selecting);
    return status;
  }
  sfmi_making *making = &selecting.makings[0];
  status = sfmi_bill_charge(&making->bill, &stored, making->release,
                            settings->charge ? parameters_json(&selecting) : NULL, error);
  if (status == SFM_OK && !stored) {
    status = choose(&selecting, rows, &making, error);
    if (status == SFM_OK)
      status = sfmi_bill_store(&making->bill, &making->release, making->fingerprint, error);
  }
  status = sfmi_bill_end(&making->bill, status, error);
  if (stored && stored->choice.index < selecting.count)
    making = &selecting.makings[stored->choice.index];
  if (plan && status == SFM_OK) *plan = making->design->plan;
  if (status == SFM_OK && !stored) {
    stored = making->release;
    making->release = NULL;
  }
  sfmi_selecting_clear(&selecting);
  *out = stored;
  return status;
}
