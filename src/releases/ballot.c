#include "releases/ballot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sfumato/choose.h"

sfmi_ballot *sfmi_ballot_create(const char *const *candidates, size_t count) {
  sfmi_ballot *ballot = sfmi_alloc(1, sizeof *ballot);
  if (!ballot) return NULL;
  ballot->candidates = sfmi_alloc(count, sizeof *ballot->candidates);
  bool good = ballot->candidates != NULL;
  for (size_t i = 0; good && i < count; i++) {
    ballot->candidates[i] = sfmi_copy_string(candidates[i]);
    good = ballot->candidates[i] != NULL;
    ballot->count = i + 1;
  }
  if (good) return ballot;
  sfmi_ballot_destroy(ballot);
  return NULL;
}

void sfmi_ballot_destroy(sfmi_ballot *ballot) {
  if (!ballot) return;
  for (size_t i = 0; ballot->candidates && i < ballot->count; i++) free(ballot->candidates[i]);
  free(ballot->candidates);
  free(ballot);
}

static int compare_names(const void *a, const void *b) {
  const char *const *const *x = a, *const *const *y = b;
  const int order = strcmp(**x, **y);
  return order ? order : (*x > *y) - (*x < *y);
}

sfm_status sfmi_ballot_twice(size_t *place, const char *const *candidates, size_t count,
                             sfm_error *error) {
  *place = count;
  const char *const **sorted = sfmi_alloc(count, sizeof *sorted);
  if (!sorted) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) sorted[i] = &candidates[i];
  qsort(sorted, count, sizeof *sorted, compare_names);
  for (size_t i = 1; i < count && *place == count; i++)
    if (strcmp(*sorted[i - 1], *sorted[i]) == 0) *place = (size_t)(sorted[i] - candidates);
  free(sorted);
  return SFM_OK;
}

bool sfmi_ballot_set(json_t *object, const sfm_release *release) {
  const sfmi_ballot *ballot = release->ballot;
  json_t *names = json_array();
  bool good = names != NULL;
  for (size_t i = 0; i < ballot->count; i++)
    good = json_array_append_new(names, json_string(ballot->candidates[i])) == 0 && good;
  good = json_object_set_new(object, "chosen",
                             json_string(ballot->candidates[release->integers[0]])) == 0 &&
         good;
  json_object_set_new(object, "monotonic", json_boolean(ballot->monotonic));
  json_object_set_new(object, "resolution", json_real(ballot->step));
  return json_object_set_new(object, "candidates", names) == 0 && good;
}

static sfm_status read_names(const sfmi_place *at, const char **names, size_t count,
                             const json_t *array) {
  for (size_t i = 0; i < count; i++) {
    names[i] = json_string_value(json_array_get(array, i));
    if (!names[i] || !*names[i])
      return sfmi_parse_wrong(at, "candidates", "an array of strings, none of them empty");
  }
  return SFM_OK;
}

sfm_status sfmi_ballot_read(const sfmi_place *at, sfm_release *release, const json_t *root) {
  const json_t *array = json_object_get(root, "candidates");
  const char *chosen = json_string_value(json_object_get(root, "chosen"));
  const size_t count = json_array_size(array);
  if (count < 1 || count > SFM_CANDIDATES_MAX)
    return sfmi_parse_wrong(at, "candidates", "an array of 1 to 1000000 names");
  if (release->length != 1 || !release->integers || release->integers[0] < 0 ||
      (size_t)release->integers[0] >= count)
    return sfmi_parse_wrong(at, "coefficients", "the place of one candidate, from 0");
  const char **names = sfmi_alloc(count, sizeof *names);
  if (!names) return sfmi_fail_memory(at->error);
  sfm_status status = read_names(at, names, count, array);
  if (status == SFM_OK) {
    release->ballot = sfmi_ballot_create(names, count);
    if (!release->ballot) status = sfmi_fail_memory(at->error);
  }
  if (status == SFM_OK && (!chosen || strcmp(chosen, names[release->integers[0]]) != 0))
    status = sfmi_parse_wrong(at, "chosen", "the candidate whose place the coefficient is");
  free(names);
  SFMI_TRY(status);
  SFMI_TRY(sfmi_parse_bool(at, &release->ballot->monotonic, root, "monotonic"));
  return sfmi_parse_number(at, &release->ballot->step, root, "resolution");
}

sfm_status sfmi_ballot_check(const sfm_release *release, const char *name, sfm_error *error) {
  const sfmi_ballot *ballot = release->ballot;
  int exponent;
  size_t twice;
  if (!release->hardened || release->step != 1 || release->factor != 1 || release->length != 1)
    return sfmi_fail(error, SFM_FORMAT, "%s: a choice is hardened, one place in steps of 1", name);
  if (!(ballot->step >= 0x1p-900 && ballot->step <= 0x1p900) || !(release->scale > 0) ||
      frexp(ballot->step, &exponent) != 0.5)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: a choice has a scale, and a power of two as resolution", name);
  sfm_status status =
      sfmi_ballot_twice(&twice, (const char *const *)ballot->candidates, ballot->count, error);
  if (status == SFM_OK && twice < ballot->count)
    status = sfmi_fail(error, SFM_FORMAT, "%s: candidates[%zu] is there twice", name, twice);
  return status;
}

/* The others weigh at most exp(-t/scale) each where they are t or more below the best, which weighs
 * 1: with k of them, they have at most the probability x/(1 + x), x = k exp(-t/scale).  Scores are
 * off by half a step each from rounding, and as much from having been read. */
sfm_status sfmi_ballot_band(sfm_band *band, const sfm_release *release, double confidence,
                            sfm_error *error) {
  const double others = (double)release->ballot->count - 1;
  const double systematic = others > 0 ? 2 * release->ballot->step : 0;
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
  return release->ballot ? release->ballot->count : 0;
}

const char *sfm_release_candidate(const sfm_release *release, size_t i) {
  return i < sfm_release_candidates(release) ? release->ballot->candidates[i] : NULL;
}

size_t sfm_release_chosen(const sfm_release *release) {
  return release->ballot ? (size_t)release->integers[0] : SIZE_MAX;
}
