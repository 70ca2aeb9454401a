#include "count_kind.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "releases/core/release_format.h"
#include "releases/band/noise_sum.h"
#include "sfumato/count.h"

sfmi_count_data *sfmi_count_data_create(void) {
  return sfmi_alloc(1, sizeof(sfmi_count_data));
}

void sfmi_count_data_destroy(sfmi_count_data *count_data) {
  if (!count_data) return;
  free(count_data->where);
  free(count_data->loss);
  free(count_data->objective);
  free(count_data->form);
  free(count_data->hash);
  free(count_data->tails);
  free(count_data);
}

const char *sfm_count_where(const sfm_release *release) {
  return release->count_data ? release->count_data->where : NULL;
}

bool sfm_count_exact(const sfm_release *release) {
  return release->count_data && release->count_data->exact;
}

static bool is_random(const sfm_release *release) {
  return release->guarantee.kind == SFM_RANDOM_DP;
}

/* The file. */

static json_t *integer_json(int64_t value) {
  const bool large = value >= SFMI_FORMAT_STRING_FROM || value <= -SFMI_FORMAT_STRING_FROM;
  return large ? json_sprintf("%" PRId64, value) : json_integer((json_int_t)value);
}

static bool set_members(json_t *object, const sfm_release *release) {
  const sfmi_count_data *count_data = release->count_data;
  const int64_t count = release->integers[0];
  bool good = true;
  if (release->has_rows)
    json_object_set_new(object, "rows", json_integer((json_int_t)release->rows));
  if (count_data->where)
    good = json_object_set_new(object, "where", json_string(count_data->where)) == 0;
  else
    json_object_set_new(object, "where", json_null());
  json_object_set_new(object, "count", integer_json(count));
  if (release->has_rows)
    json_object_set_new(object, "proportion", json_real((double)count / (double)release->rows));
  if (is_random(release)) json_object_set_new(object, "exact", json_boolean(count_data->exact));
  if (!count_data->hash) return good;
  json_t *mechanism =
      json_pack("{s:I, s:f, s:s, s:s, s:s, s:f, s:s}", "n", (json_int_t)release->rows, "epsilon",
                count_data->epsilon, "loss", count_data->loss, "objective", count_data->objective,
                "form", count_data->form, "risk", count_data->risk, "hash", count_data->hash);
  return json_object_set_new(object, "mechanism", mechanism) == 0 && good;
}

static void print_lists(FILE *stream, const sfm_release *release) {
  const sfmi_count_data *count_data = release->count_data;
  if (!count_data->tails) return;
  fputs(",\n \"tails\": [", stream);
  for (size_t w = 0; w < count_data->tail_count; w++)
    sfmi_fprintf(stream, "%s%.17g",
                 w == 0       ? "\n  "
                 : w % 6 == 0 ? ",\n  "
                              : ", ",
                 count_data->tails[w]);
  fputs("\n ]", stream);
}

static sfm_status read_tails(const sfmi_parse_context *at, sfmi_count_data *count_data,
                             const json_t *root) {
  const json_t *array = json_object_get(root, "tails");
  const size_t count = json_array_size(array);
  if (count < 1 || count > SFMI_TAILS_MAX)
    return sfmi_parse_wrong(at, "tails", "an array of numbers");
  count_data->tails = sfmi_alloc(count, sizeof *count_data->tails);
  if (!count_data->tails) return sfmi_fail_memory(at->error);
  count_data->tail_count = count;
  for (size_t w = 0; w < count; w++) {
    const json_t *value = json_array_get(array, w);
    count_data->tails[w] = json_is_number(value) ? json_number_value(value) : NAN;
    if (!(count_data->tails[w] >= 0 && count_data->tails[w] <= (w ? count_data->tails[w - 1] : 1)))
      return sfmi_parse_wrong(at, "tails", "probabilities, none above the one before");
  }
  return count_data->tails[count - 1] == 0 ? SFM_OK
                                           : sfmi_parse_wrong(at, "tails", "0 at their end");
}

static sfm_status read_mechanism(const sfmi_parse_context *at, sfm_release *release,
                                 const json_t *root) {
  const json_t *object = json_object_get(root, "mechanism");
  sfmi_count_data *count_data = release->count_data;
  uint64_t n = 0;
  if (release->method != SFMI_COUNT_OPTIMAL)
    return object ? sfmi_parse_wrong(at, "mechanism", "absent: the method is geometric") : SFM_OK;
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "mechanism", "an object");
  sfm_status status = sfmi_parse_count(at, &n, object, "n", INT64_MAX);
  if (!status) status = sfmi_parse_number(at, &count_data->epsilon, object, "epsilon");
  if (!status) status = sfmi_parse_text(at, &count_data->loss, object, "loss");
  if (!status) status = sfmi_parse_text(at, &count_data->objective, object, "objective");
  if (!status) status = sfmi_parse_text(at, &count_data->form, object, "form");
  if (!status) status = sfmi_parse_number(at, &count_data->risk, object, "risk");
  if (!status) status = sfmi_parse_text(at, &count_data->hash, object, "hash");
  if (status) return status;
  if (!release->has_rows || n != release->rows)
    return sfmi_parse_wrong(at, "n", "the number of rows");
  if (!(count_data->epsilon > 0) || count_data->risk < 0)
    return sfmi_parse_wrong(at, "mechanism", "made of positive numbers");
  return read_tails(at, count_data, root);
}

static sfm_status read_members(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  sfm_status status;
  int64_t count;
  sfmi_count_data *count_data = release->count_data = sfmi_count_data_create();
  if (!count_data) return sfmi_fail_memory(at->error);
  release->has_rows = json_object_get(root, "rows") != NULL;
  if (release->has_rows) {
    status = sfmi_parse_count(at, &release->rows, root, "rows", INT64_MAX);
    if (status) return status;
  }
  if (!json_is_null(json_object_get(root, "where"))) {
    status = sfmi_parse_text(at, &count_data->where, root, "where");
    if (status) return status;
  }
  if (!sfmi_parse_integer(json_object_get(root, "count"), &count) || !release->integers ||
      release->length < 1 || count != release->integers[0])
    return sfmi_parse_wrong(at, "count", "the coefficient");
  if (is_random(release)) {
    status = sfmi_parse_bool(at, &count_data->exact, root, "exact");
    if (status) return status;
  }
  return read_mechanism(at, release, root);
}

static sfm_status check_release(const sfm_release *release, const char *name, sfm_error *error) {
  const bool replace = release->neighbours == SFM_REPLACE;
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

sfm_status sfmi_count_kind_band(sfm_band *band, const sfm_release *release, double confidence,
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
  sfmi_count_data_destroy(release->count_data);
}

const sfmi_release_kind sfmi_count_kind = {
    .kind = SFM_KIND_COUNT,
    .first = SFMI_COUNT_GEOMETRIC,
    .last = SFMI_COUNT_OPTIMAL,
    .scaleless = true,
    .verbs = "it is one number, which `sfumato show` prints",
    .set = set_members,
    .print = print_lists,
    .read = read_members,
    .check = check_release,
    .destroy = destroy_data,
    .band = sfmi_count_kind_band,
};
