/* choice_kind.c - one of several candidates, chosen by their scores (kind "choice"). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "releases/core/release_kind.h"
#include "sfumato/choose.h"
#include "base/text/duplicate_name.h"

static const sfmi_member score_members[] = {
    {"monotonic", SFMI_MEMBER_BOOL, .offset = offsetof(sfmi_choice_data, monotonic)},
    {"resolution", SFMI_MEMBER_NUMBER, .offset = offsetof(sfmi_choice_data, step)},
    {0}};

static bool set_members(json_t *object, const sfm_release *release) {
  const sfmi_choice_data *data = release->choice_data;
  const char *chosen = data->candidates[release->integers[0]];
  const bool good = json_object_set_new(object, "chosen", json_string(chosen)) == 0;
  sfmi_members_set(object, data, score_members);
  return sfmi_json_set_texts(object, "candidates", data->candidates, data->count) && good;
}

static sfm_status read_members(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  const char *chosen = json_string_value(json_object_get(root, "chosen"));
  sfmi_choice_data *data = release->choice_data;
  sfm_status status = sfmi_parse_texts(at, &data->candidates, &data->count, root, "candidates",
                                       SFM_CANDIDATES_MAX, false);
  if (status) return status;
  if (release->length != 1 || !release->integers || release->integers[0] < 0 ||
      (size_t)release->integers[0] >= data->count)
    return sfmi_parse_wrong(at, "coefficients", "the place of one candidate, from 0");
  if (!chosen || strcmp(chosen, data->candidates[release->integers[0]]) != 0)
    return sfmi_parse_wrong(at, "chosen", "the candidate whose place the coefficient is");
  return sfmi_members_read(at, data, root, score_members);
}

static sfm_status check_release(const sfm_release *release, const char *name, sfm_error *error) {
  const sfmi_choice_data *choice_data = release->choice_data;
  int exponent;
  size_t twice;
  if (!release->hardened || release->step != 1 || release->factor != 1 || release->length != 1)
    return sfmi_fail(error, SFM_FORMAT, "%s: a choice is hardened, one place in steps of 1", name);
  if (!(choice_data->step >= 0x1p-900 && choice_data->step <= 0x1p900) || !(release->scale > 0) ||
      frexp(choice_data->step, &exponent) != 0.5)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: a choice has a scale, and a power of two as resolution", name);
  sfm_status status = sfmi_duplicate_name(&twice, (const char *const *)choice_data->candidates,
                                          choice_data->count, error);
  if (!status && twice < choice_data->count)
    status = sfmi_fail(error, SFM_FORMAT, "%s: candidates[%zu] is there twice", name, twice);
  return status;
}

/* The others weigh at most exp(-t/scale) each where they are t or more below the best, which weighs
 * 1: with k of them, they have at most the probability x/(1 + x), x = k exp(-t/scale).  Scores are
 * off by half a step each from rounding, and as much from having been read. */
static sfm_status choice_band(sfm_band *band, const sfm_release *release, double confidence,
                              sfm_error *error) {
  const double others = (double)release->choice_data->count - 1;
  const double systematic = others > 0 ? 2 * release->choice_data->step : 0;
  const double t =
      others > 0 ? release->scale * fmax(log(others * confidence / (1 - confidence)), 0) : 0;
  (void)error;
  *band = (sfm_band){.confidence = confidence,
                     .half_width = t + systematic,
                     .pointwise = t + systematic,
                     .systematic = systematic};
  return SFM_OK;
}

size_t sfm_release_candidates(const sfm_release *release) {
  const sfmi_choice_data *data = release->choice_data;
  return data ? data->count : 0;
}

const char *sfm_release_candidate(const sfm_release *release, size_t i) {
  return i < sfm_release_candidates(release) ? release->choice_data->candidates[i] : NULL;
}

bool sfm_release_monotonic(const sfm_release *release) {
  return release->choice_data && release->choice_data->monotonic;
}

size_t sfm_release_chosen(const sfm_release *release) {
  return release->kind == &sfmi_choice_kind ? (size_t)release->integers[0] : SIZE_MAX;
}

static void destroy_data(sfm_release *release) {
  sfmi_free_strings(release->choice_data->candidates, release->choice_data->count);
  free(release->choice_data);
}

const sfmi_release_kind sfmi_choice_kind = {
    .kind = SFM_KIND_CHOICE,
    .at = offsetof(sfm_release, choice_data),
    .body = sizeof(sfmi_choice_data),
    .methods = SFMI_METHODS(CHOICE_EXPONENTIAL),
    .verbs = "sfm_release_chosen says which candidate was chosen",
    .set = set_members,
    .read = read_members,
    .check = check_release,
    .destroy = destroy_data,
    .band = choice_band,
};
