/* choose_release.c - private scores in, one candidate out.  Order of events as in vector_release.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "mechanisms/core/charge_protocol.h"
#include "mechanisms/core/request_json.h"
#include "mechanisms/core/hardened_noise.h"
#include "choose_release.h"
#include "privacy/calibration.h"
#include "releases/kinds/choice_kind.h"
#include "releases/core/release_sentence.h"
#include "base/text/duplicate_name.h"

/* The step costs at most this share of the sensitivity. */
static const double STEP_SHARE = 1.0 / 1024;
/* Contributions and sensitivities up to this keep everything finite. */
static const double SENSITIVITY_MAX = 1e200;

sfm_choose_settings sfm_choose_settings_default(void) {
  return (sfm_choose_settings){.contributions = 1, .confidence = 0.95};
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

sfm_status sfm_choose_check(const sfm_choose_settings *settings, const char *const *candidates,
                            size_t count, sfm_error *error) {
  sfmi_choose_rule rule;
  if (!(settings->epsilon >= SFMI_EPSILON_MIN && settings->epsilon <= SFMI_EPSILON_MAX))
    return sfmi_fail(error, SFM_INVALID, "epsilon must be a number from %g to %g, not %g",
                     SFMI_EPSILON_MIN, SFMI_EPSILON_MAX, settings->epsilon);
  if (!(settings->sensitivity >= 1 / SENSITIVITY_MAX && settings->sensitivity <= SENSITIVITY_MAX))
    return sfmi_fail(error, SFM_INVALID,
                     "the sensitivity must be a positive number (at most 1e200), not %g",
                     settings->sensitivity);
  if (settings->monotonic && settings->neighbours != SFM_ADD_REMOVE)
    return sfmi_fail(error, SFM_INVALID,
                     "--monotonic: under replace one score may rise while another falls: write "
                     "--neighbours add-remove, or leave out --monotonic");
  if (settings->contributions < 1 || settings->contributions > 1000000)
    return sfmi_fail(error, SFM_INVALID, "contributions must be from 1 to 1000000");
  if (!(settings->confidence > 0 && settings->confidence < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "the band's confidence must be between 0 and 1 (0.95 is usual), not %g",
                     settings->confidence);
  sfm_status status = check_candidates(candidates, count, error);
  return !status ? sfmi_choose_rule_init(&rule, settings, error) : status;
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

double sfmi_choose_rule_scale(const sfmi_choose_rule *rule) {
  return rule->step * ldexp(1, (int)rule->rate.shift) / (double)rule->rate.numerator;
}

void sfmi_choose_integers(int64_t *integers, const double *scores, size_t count, double step) {
  for (size_t i = 0; i < count; i++)
    integers[i] = sfmi_harden_steps(scores[i], step, SFMI_CHOOSE_RANGE);
}

size_t sfmi_choose_draw(const sfmi_choose_rule *rule, sfmi_stream *stream, const int64_t *integers,
                        size_t count) {
  return sfmi_exponential_draw_scores(stream, rule->rate, integers, count);
}

/* The release with all that is public filled in. */
static sfm_status begin_release(sfm_release **out, const sfmi_choose_rule *rule,
                                const char *const *candidates, size_t count,
                                const sfm_choose_settings *settings, sfm_error *error) {
  sfm_release *release = *out = sfmi_release_create();
  if (!release) return sfmi_fail_memory(error);
  release->method = SFMI_CHOICE_EXPONENTIAL;
  release->hardened = true;
  release->is_private = !settings->seeded;
  release->neighbours = settings->neighbours;
  release->contributions = settings->contributions;
  if (!sfmi_release_set_person(release, settings->person, false)) return sfmi_fail_memory(error);
  release->guarantee = (sfm_guarantee){.kind = SFM_PURE, .epsilon = settings->epsilon};
  release->law = sfmi_copy_string("exponential");
  release->step = 1;
  release->sensitivity = rule->sensitivity;
  release->scale = sfmi_choose_rule_scale(rule);
  release->range = SFMI_CHOOSE_RANGE * rule->step;
  release->integers = sfmi_alloc(1, sizeof *release->integers);
  release->choice_data = sfmi_choice_data_create(candidates, count);
  if (!release->law || !release->integers || !release->choice_data) return sfmi_fail_memory(error);
  release->length = 1;
  release->choice_data->monotonic = settings->monotonic;
  release->choice_data->step = rule->step;
  return SFM_OK;
}

/* The names one after the other, each with its end. */
static json_t *names_hash(const char *const *candidates, size_t count) {
  size_t length = 0;
  for (size_t i = 0; i < count; i++) length += strlen(candidates[i]) + 1;
  char *all = sfmi_alloc(length, 1), *at = all;
  if (!all) return NULL;
  for (size_t i = 0; i < count; i++) at = stpcpy(at, candidates[i]) + 1;
  json_t *hash = sfmi_request_hash(all, length);
  free(all);
  return hash;
}

/* What was asked for, as the ledger remembers it; the candidates by the hash of their names. */
static json_t *parameters_json(const sfm_release *release, const char *const *candidates,
                               const sfm_choose_settings *settings) {
  json_t *all = sfmi_request_parameters("choose", &release->guarantee, release->neighbours,
                                        release->contributions, settings->confidence);
  json_object_set_new(all, "person",
                      settings->person ? json_string(settings->person) : json_null());
  json_object_set_new(all, "sensitivity", json_real(settings->sensitivity));
  json_object_set_new(all, "monotonic", json_boolean(settings->monotonic));
  json_object_set_new(all, "count", json_integer((json_int_t)release->choice_data->count));
  if (json_object_set_new(all, "candidates", names_hash(candidates, release->choice_data->count)) ==
      0)
    return all;
  json_decref(all);
  return NULL;
}

/* From the charged release to the finished one: the scores, the draw, the band. */
static sfm_status make_answer(sfm_release *release, const sfmi_choose_rule *rule,
                              const double *scores, sfmi_stream *stream,
                              const sfm_choose_settings *settings, sfm_error *error) {
  const size_t count = release->choice_data->count;
  double *owned = NULL;
  int64_t *integers = sfmi_alloc(count, sizeof *integers);
  sfm_status status = integers ? SFM_OK : sfmi_fail_memory(error);
  if (!status && !scores) {
    scores = owned = sfmi_alloc(count, sizeof *owned);
    status = owned ? settings->read(settings->read_context, owned, count, error)
                   : sfmi_fail_memory(error);
  }
  if (!status) {
    sfmi_choose_integers(integers, scores, count, rule->step);
    release->integers[0] = (int64_t)sfmi_choose_draw(rule, stream, integers, count);
    status = sfmi_choice_kind_band(&release->band, release, settings->confidence, error);
  }
  if (owned) explicit_bzero(owned, count * sizeof *owned);
  if (integers) explicit_bzero(integers, count * sizeof *integers);
  free(owned);
  free(integers);
  if (!status && !sfmi_release_write_sentence(release)) status = sfmi_fail_memory(error);
  return status;
}

sfm_status sfm_choose_release(sfm_release **out, const char *const *candidates,
                              const double *scores, size_t count,
                              const sfm_choose_settings *settings, sfm_error *error) {
  sfm_release *release = NULL, *stored = NULL;
  sfmi_stream *stream = NULL;
  sfmi_choose_rule rule;
  sfmi_protocol protocol;
  *out = NULL;
  if (!scores && !settings->read)
    return sfmi_fail(error, SFM_INVALID, "give the scores, or a function that reads them");
  sfm_status status =
      sfmi_protocol_begin(&protocol, settings->charge, settings->seeded, settings->person, error);
  if (!status) status = sfm_choose_check(settings, candidates, count, error);
  if (!status) status = sfmi_choose_rule_init(&rule, settings, error);
  if (!status) status = begin_release(&release, &rule, candidates, count, settings, error);
  if (!status)
    status = sfmi_seed_stream(&stream, (sfmi_seed){settings->seeded, settings->seed}, error);
  if (!status)
    status = sfmi_protocol_charge(
        &protocol, &stored, release,
        settings->charge ? parameters_json(release, candidates, settings) : NULL, error);
  if (!status && !stored) {
    status = make_answer(release, &rule, scores, stream, settings, error);
    /* Scores are a statistic of the rows, not the rows: they have no fingerprint to compare. */
    if (!status) status = sfmi_protocol_store(&protocol, &release, NULL, error);
  }
  sfmi_stream_destroy(stream);
  status = sfmi_protocol_end(&protocol, status, error);
  if (status || stored) sfm_release_destroy(release);
  if (!status) *out = stored ? stored : release;
  return status;
}
