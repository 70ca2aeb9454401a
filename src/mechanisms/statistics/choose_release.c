/* choose_release.c - private scores in, one candidate out. */
#include <math.h>

#include "base/system/sized_struct.h"
#include "base/text/utf8.h"
#include "mechanisms/core/release_run.h"
#include "mechanisms/core/request_json.h"
#include "mechanisms/core/hardened_noise.h"
#include "choose_release.h"
#include "privacy/range_check.h"
#include "releases/core/release_kind.h"
#include "base/text/duplicate_name.h"

/* The step costs at most this share of the sensitivity. */
static const double STEP_SHARE = 1.0 / 1024;
/* Contributions and sensitivities up to this keep everything finite. */
static const double SENSITIVITY_MAX = 1e200;

void sfm_choose_settings_init(sfm_choose_settings *settings, size_t size) {
  const sfm_choose_settings defaults = {.contributions = 1, .context.confidence = 0.95};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

static sfm_status check_candidates(const char *const *candidates, size_t count, sfm_error *error) {
  size_t twice;
  if (count < 1 || count > SFM_CANDIDATES_MAX)
    return sfmi_fail(error, SFM_INVALID, "there must be 1 to %d candidates, not %zu",
                     SFM_CANDIDATES_MAX, count);
  for (size_t i = 0; i < count; i++) {
    if (!*candidates[i])
      return sfmi_fail(
          error, SFM_INVALID,
          "candidate %zu has no name: give every candidate a name, which is what is released",
          i + 1);
    if (!sfmi_utf8_valid(candidates[i]))
      return sfmi_fail(error, SFM_INVALID, "the name of candidate %zu is not UTF-8", i + 1);
  }
  sfm_status status = sfmi_duplicate_name(&twice, candidates, count, error);
  if (!status && twice < count)
    status = sfmi_fail(error, SFM_INVALID,
                       "candidate %zu is listed twice: give every candidate one score", twice + 1);
  return status;
}

sfm_status sfm_choose_check(const sfm_choose_settings *given, const char *const *candidates,
                            size_t count, sfm_error *error) {
  sfm_choose_settings taken;
  sfm_status status = SFMI_TAKE_SCHEMALESS(sfm_choose_settings, &taken, given, error);
  if (status) return status;
  sfmi_choose_rule rule;
  status = sfmi_check_epsilon(taken.epsilon, error);
  if (status) return status;
  if (!(taken.sensitivity >= 1 / SENSITIVITY_MAX && taken.sensitivity <= SENSITIVITY_MAX))
    return sfmi_fail(error, SFM_INVALID,
                     "the sensitivity must be a positive number (at most 1e200), not %g",
                     taken.sensitivity);
  if (taken.monotonic && taken.neighbours != SFM_NEIGHBOURS_ADD_REMOVE)
    return sfmi_fail(error, SFM_INVALID,
                     "settings.monotonic: under replace one score may rise while another falls: "
                     "write settings.neighbours = add-remove, or leave out settings.monotonic");
  if (taken.contributions < 1 || taken.contributions > 1000000)
    return sfmi_fail(error, SFM_INVALID, "contributions must be from 1 to 1000000");
  status = sfmi_check_confidence(taken.context.confidence, error);
  if (!status) status = check_candidates(candidates, count, error);
  return !status ? sfmi_choose_rule_init(&rule, &taken, error) : status;
}

/* Rounding and reading move a score by at most a step each: 2 g <= STEP_SHARE of the sensitivity.
 * Where scores move in one direction only, the rate is twice as large. */
sfm_status sfmi_choose_rule_init(sfmi_choose_rule *out, const sfm_choose_settings *settings,
                                 sfm_error *error) {
  const double exact = settings->sensitivity * settings->contributions * (1 + 1e-15);
  const double epsilon = settings->monotonic ? 2 * settings->epsilon : settings->epsilon;
  out->step = ldexp(1, (int)floor(log2(STEP_SHARE * exact / 2)));
  out->sensitivity = exact + 2 * out->step;
  return sfmi_exponential_rate(&out->rate, epsilon, out->sensitivity / out->step, error);
}

void sfmi_choose_integers(int64_t *integers, const double *scores, size_t count, double step) {
  for (size_t i = 0; i < count; i++)
    integers[i] = sfmi_harden_steps(scores[i], step, SFMI_CHOOSE_RANGE);
}

size_t sfmi_choose_draw(const sfmi_choose_rule *rule, sfmi_stream *stream, const int64_t *integers,
                        size_t count) {
  return sfmi_exponential_draw_scores(stream, rule->rate, integers, count);
}

/* One release under way. */
typedef struct choose_run {
  sfmi_release_run base;
  const sfm_choose_settings *settings;
  const char *const *candidates;
  size_t count;
  sfmi_choose_rule rule;
  sfmi_stream *stream;
  const double *scores; /* PRIVATE, the caller's or ours */
  double *owned;        /* PRIVATE */
} choose_run;

/* The release with all that is public filled in. */
static sfm_status begin_release(choose_run *m, sfm_error *error) {
  const sfm_choose_settings *settings = m->settings;
  const sfmi_choose_rule *rule = &m->rule;
  sfm_release *release = m->base.release =
      sfmi_release_begin_stated(&sfmi_choice_kind, SFMI_CHOICE_EXPONENTIAL, &settings->context,
                                settings->neighbours, settings->contributions, settings->person);
  if (!release) return sfmi_fail_memory(error);
  release->hardened = true;
  release->guarantee = (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = settings->epsilon};
  release->law = SFM_NOISE_LAW_EXPONENTIAL;
  release->step = 1;
  release->sensitivity = rule->sensitivity;
  /* One over the rate, in the unit of the scores. */
  release->scale = rule->step * ldexp(1, (int)rule->rate.shift) / (double)rule->rate.numerator;
  release->range = SFMI_CHOOSE_RANGE * rule->step;
  release->integers = sfmi_alloc(1, sizeof *release->integers);
  release->choice_data->candidates = sfmi_copy_strings(m->candidates, m->count);
  release->choice_data->count = m->count;
  if (!release->integers || !release->choice_data->candidates) return sfmi_fail_memory(error);
  release->length = 1;
  release->choice_data->monotonic = settings->monotonic;
  release->choice_data->step = rule->step;
  return SFM_OK;
}

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  choose_run *m = (choose_run *)run;
  sfm_status status = sfm_choose_check(m->settings, m->candidates, m->count, error);
  if (!status) status = sfmi_choose_rule_init(&m->rule, m->settings, error);
  if (!status) status = begin_release(m, error);
  return status ? status : sfmi_seed_stream(&m->stream, run->seed, error);
}

/* The candidates by the hash of their names. */
static json_t *parameters(const sfmi_release_run *run) {
  const choose_run *m = (const choose_run *)run;
  const sfm_choose_settings *settings = m->settings;
  json_t *all = sfmi_request_parameters(run, "choose");
  sfmi_request_text(all, "person", run->person);
  sfmi_request_number(all, "sensitivity", settings->sensitivity);
  json_object_set_new(all, "monotonic", json_boolean(settings->monotonic));
  sfmi_request_count(all, "count", m->count);
  json_t *names = sfmi_request_texts_hash(m->candidates, m->count);
  if (json_object_set_new(all, "candidates", names) == 0) return all;
  json_decref(all);
  return NULL;
}

static sfm_status read(sfmi_release_run *run, sfm_error *error) {
  choose_run *m = (choose_run *)run;
  if (m->scores) return SFM_OK;
  m->scores = m->owned = sfmi_alloc(m->count, sizeof *m->owned);
  return m->owned ? m->settings->read(m->settings->read_data, m->owned, m->count, error)
                  : sfmi_fail_memory(error);
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  choose_run *m = (choose_run *)run;
  int64_t *integers = sfmi_alloc(m->count, sizeof *integers);
  if (!integers) return sfmi_fail_memory(error);
  sfmi_choose_integers(integers, m->scores, m->count, m->rule.step);
  run->release->integers[0] = (int64_t)sfmi_choose_draw(&m->rule, m->stream, integers, m->count);
  sfmi_wipe_free(integers, m->count, sizeof *integers);
  return SFM_OK;
}

static const sfmi_release_steps steps = {
    .prepare = prepare, .parameters = parameters, .read = read, .draw = draw};

/* Scores are a statistic of the rows, not the rows: they have no fingerprint to compare. */
sfm_status sfm_choose_release(sfm_release **out, const char *const *candidates,
                              const double *scores, size_t count, const sfm_choose_settings *given,
                              sfm_error *error) {
  sfm_choose_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE_SCHEMALESS(sfm_choose_settings, &taken, given, error);
  if (status) return status;
  choose_run m = {.base = sfmi_release_run_statistic(&steps, &taken.context, taken.person),
                  .settings = &taken,
                  .candidates = candidates,
                  .count = count,
                  .scores = scores};
  if (!scores && !taken.read)
    return sfmi_fail(error, SFM_INVALID, "give the scores, or a function that reads them");
  status = sfmi_release_run_all(out, &m.base, error);
  sfmi_wipe_free(m.owned, count, sizeof *m.owned);
  sfmi_stream_destroy(m.stream);
  return status;
}
