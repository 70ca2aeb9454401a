#include "count_kind.h"

#include <math.h>
#include <stdlib.h>

#include "releases/band/noise_sum.h"
#include "sfumato/count.h"

const char *sfm_count_where(const sfm_release *release) {
  const sfmi_count_data *count_data = release->count_data;
  return count_data ? count_data->where : NULL;
}

bool sfm_count_exact(const sfm_release *release) {
  const sfmi_count_data *count_data = release->count_data;
  return count_data && count_data->exact;
}

bool sfm_count_mechanism(const sfm_release *release, sfm_mechanism_facts *facts) {
  const sfmi_count_data *count_data = release->count_data;
  if (!count_data || !count_data->hash) return false;
  *facts = (sfm_mechanism_facts){.epsilon = count_data->epsilon,
                                 .risk = count_data->risk,
                                 .loss = count_data->loss,
                                 .objective = count_data->objective,
                                 .form = count_data->form,
                                 .hash = count_data->hash};
  return true;
}

static bool is_random(const sfm_release *release) {
  return release->guarantee.kind == SFM_GUARANTEE_RANDOM_DP;
}

/* The file. */

#define AT(field) .offset = offsetof(sfmi_count_data, field)

static const sfmi_member where_members[] = {{"where", SFMI_MEMBER_NULLABLE_TEXT, AT(where)}, {0}};
static const sfmi_member mechanism_members[] = {
    {"epsilon", SFMI_MEMBER_NUMBER, AT(epsilon), .sign = SFMI_POSITIVE},
    {"loss", SFMI_MEMBER_TEXT, AT(loss)},
    {"objective", SFMI_MEMBER_TEXT, AT(objective)},
    {"form", SFMI_MEMBER_TEXT, AT(form)},
    {"risk", SFMI_MEMBER_NUMBER, AT(risk), .sign = SFMI_NOT_NEGATIVE},
    {"hash", SFMI_MEMBER_TEXT, AT(hash)},
    {0}};

static bool set_mechanism(json_t *root, const sfm_release *release) {
  json_t *object = json_object();
  json_object_set_new(object, "n", json_integer((json_int_t)release->rows));
  const bool good = sfmi_members_set(object, release->count_data, mechanism_members);
  return json_object_set_new(root, "mechanism", object) == 0 && good;
}

static bool set_members(json_t *object, const sfm_release *release) {
  const sfmi_count_data *count_data = release->count_data;
  const int64_t count = release->integers[0];
  sfmi_release_set_rows(object, release);
  const bool good = sfmi_members_set(object, count_data, where_members);
  json_object_set_new(object, "count", sfmi_json_integer(count));
  if (release->has_rows)
    json_object_set_new(object, "proportion", json_real((double)count / (double)release->rows));
  if (is_random(release)) json_object_set_new(object, "exact", json_boolean(count_data->exact));
  return (!count_data->hash || set_mechanism(object, release)) && good;
}

static void print_lists(FILE *stream, const sfm_release *release) {
  const sfmi_count_data *count_data = release->count_data;
  if (count_data->tails)
    sfmi_json_print_numbers(stream, "tails", count_data->tails, count_data->tail_count);
}

static sfm_status read_tails(const sfmi_parse_context *at, sfmi_count_data *count_data,
                             const json_t *root) {
  sfm_status status = sfmi_parse_numbers(at, &count_data->tails, &count_data->tail_count, root,
                                         "tails", SFMI_TAILS_MAX);
  if (status) return status;
  const double *tails = count_data->tails;
  for (size_t w = 0; w < count_data->tail_count; w++)
    if (!(tails[w] >= 0 && tails[w] <= (w ? tails[w - 1] : 1)))
      return sfmi_parse_wrong(at, "tails", "probabilities, none above the one before");
  return tails[count_data->tail_count - 1] == 0 ? SFM_OK
                                                : sfmi_parse_wrong(at, "tails", "0 at their end");
}

static sfm_status read_mechanism(const sfmi_parse_context *at, sfm_release *release,
                                 const json_t *root) {
  const json_t *object = json_object_get(root, "mechanism");
  sfmi_count_data *count_data = release->count_data;
  uint64_t n = 0;
  if (release->method != SFMI_COUNT_OPTIMAL)
    return object ? sfmi_parse_wrong(at, "mechanism", "absent: the method is geometric") : SFM_OK;
  sfm_status status =
      sfmi_members_read_object(at, count_data, root, "mechanism", mechanism_members);
  if (!status) status = sfmi_parse_count(at, &n, object, "n", INT64_MAX);
  if (status) return status;
  if (!release->has_rows || n != release->rows)
    return sfmi_parse_wrong(at, "n", "the number of rows");
  return read_tails(at, count_data, root);
}

static sfm_status read_members(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  sfmi_count_data *count_data = release->count_data;
  int64_t count = 0;
  sfm_status status = sfmi_release_read_rows(at, release, root);
  if (!status) status = sfmi_members_read(at, count_data, root, where_members);
  if (status) return status;
  if (!sfmi_parse_integer(json_object_get(root, "count"), &count) || !release->integers ||
      release->length < 1 || count != release->integers[0])
    return sfmi_parse_wrong(at, "count", "the coefficient");
  if (is_random(release)) status = sfmi_parse_bool(at, &count_data->exact, root, "exact");
  return status ? status : read_mechanism(at, release, root);
}

static sfm_status check_release(const sfm_release *release, const char *name, sfm_error *error) {
  const bool replace = release->neighbours == SFM_NEIGHBOURS_REPLACE;
  if (!release->hardened || release->step != 1 || release->factor != 1 || release->length != 1)
    return sfmi_fail(error, SFM_FORMAT, "%s: a count is one number, hardened and in steps of 1",
                     name);
  if (release->has_rows != replace || (replace && release->rows == 0))
    return sfmi_fail(error, SFM_FORMAT, "%s: rows are stated under replace, and only there", name);
  if (replace && (release->integers[0] < 0 || (uint64_t)release->integers[0] > release->rows))
    return sfmi_fail(error, SFM_FORMAT, "%s: the count is not one of 0 to the number of rows",
                     name);
  if (release->method == SFMI_COUNT_GEOMETRIC && !isfinite(release->scale))
    return sfmi_fail(error, SFM_FORMAT, "%s: geometric noise has a scale", name);
  if (is_random(release) && (!replace || release->method != SFMI_COUNT_GEOMETRIC))
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: random differential privacy is geometric and under replace", name);
  return SFM_OK;
}

/* The band. */

static double optimal_width(const sfmi_count_data *count_data, double p) {
  size_t w = 0;
  while (count_data->tails[w] > p) w++;
  return (double)w;
}

static sfm_status count_band(sfm_band *band, const sfm_release *release, double confidence,
                             sfm_error *error) {
  const sfmi_count_data *count_data = release->count_data;
  (void)error;
  double width = 0;
  if (!count_data->exact)
    width = count_data->tails ? optimal_width(count_data, 1 - confidence)
                              : sfmi_discrete_laplace_width(release->scale, 1 - confidence);
  if (release->has_rows) width = fmin(width, (double)release->rows);
  *band = (sfm_band){.confidence = confidence, .half_width = width, .pointwise = width};
  return SFM_OK;
}

static void destroy_data(sfm_release *release) {
  sfmi_count_data *count_data = release->count_data;
  free(count_data->where);
  free(count_data->loss);
  free(count_data->objective);
  free(count_data->form);
  free(count_data->hash);
  free(count_data->tails);
  free(count_data);
}

const sfmi_release_kind sfmi_count_kind = {
    .kind = SFM_KIND_COUNT,
    .at = offsetof(sfm_release, count_data),
    .body = sizeof(sfmi_count_data),
    .methods = SFMI_METHODS(COUNT_GEOMETRIC) | SFMI_METHODS(COUNT_OPTIMAL),
    .scaleless = true,
    .verbs = "it is one number, which sfm_release_coefficient returns",
    .set = set_members,
    .print = print_lists,
    .read = read_members,
    .check = check_release,
    .destroy = destroy_data,
    .band = count_band,
};
