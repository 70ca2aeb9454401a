#include "mean_kind.h"

#include <math.h>

static bool set_members(json_t *object, const sfm_release *release) {
  json_t *column = json_object(), *domain = json_array();
  json_object_set_new(object, "rows", json_integer((json_int_t)release->rows));
  const bool good = json_object_set_new(column, "column", json_string(release->columns[0])) == 0;
  json_object_set_new(column, "lower", json_real(release->lower[0]));
  json_object_set_new(column, "upper", json_real(release->upper[0]));
  json_array_append_new(domain, column);
  json_object_set_new(object, "domain", domain);
  json_object_set_new(object, "outside", json_string("clamp"));
  return good;
}

static sfm_status read_members(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  const json_t *domain = json_object_get(root, "domain"), *column = json_array_get(domain, 0);
  unsigned word = 0;
  if (json_array_size(domain) != 1 || !json_is_object(column))
    return sfmi_parse_wrong(at, "domain", "an array of one column");
  sfm_status status = sfmi_parse_count(at, &release->rows, root, "rows", INT64_MAX);
  if (status) return status;
  release->has_rows = true;
  release->dimension = 1;
  status = sfmi_parse_text(at, &release->columns[0], column, "column");
  if (!status) status = sfmi_parse_number(at, &release->lower[0], column, "lower");
  if (!status) status = sfmi_parse_number(at, &release->upper[0], column, "upper");
  if (status) return status;
  return sfmi_parse_word(at, &word, root, "outside", sfm_words(SFM_WORDS_OUTSIDE), 1);
}

static sfm_status check_release(const sfm_release *release, const char *name, sfm_error *error) {
  if (release->hardened || release->length != 1 || isfinite(release->scale))
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: a mean is one number, idealised, whose noise has no stated scale", name);
  if (release->neighbours != SFM_REPLACE || release->contributions != 1 || release->rows == 0 ||
      release->guarantee.kind != SFM_RANDOM_DP)
    return sfmi_fail(
        error, SFM_FORMAT,
        "%s: a mean has random differential privacy, replace neighbours and one record per person",
        name);
  if (!(release->lower[0] < release->upper[0]))
    return sfmi_fail(error, SFM_FORMAT, "%s: domain[0] needs lower < upper", name);
  return SFM_OK;
}

const sfmi_release_kind sfmi_mean_kind = {
    .kind = SFM_KIND_MEAN,
    .first = SFMI_MEAN_EMPIRICAL,
    .last = SFMI_MEAN_EMPIRICAL,
    .bandless = true,
    .scaleless = true,
    .verbs = "it is one number, which `sfumato show` prints",
    .set = set_members,
    .read = read_members,
    .check = check_release,
};
