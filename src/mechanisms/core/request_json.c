#include "request_json.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json.h"
#include "planner/forecast/shape.h"

json_t *sfmi_request_parameters(const sfmi_release_run *run, const char *mechanism) {
  const sfm_guarantee *guarantee = &run->release->guarantee;
  json_t *all = json_pack("{s:s, s:s, s:f, s:f, s:s, s:i, s:f}", "mechanism", mechanism,
                          "guarantee", sfm_guarantee_kind_name(guarantee->kind), "epsilon",
                          guarantee->epsilon, "delta", guarantee->delta, "neighbours",
                          sfm_neighbours_name(run->release->neighbours), "contributions",
                          (int)run->release->contributions, "confidence", run->context->confidence);
  if (guarantee->kind == SFM_GUARANTEE_GDP) sfmi_request_number(all, "mu", guarantee->mu);
  return all;
}

void sfmi_request_text(json_t *object, const char *key, const char *text) {
  json_object_set_new(object, key, text ? json_string(text) : json_null());
}

void sfmi_request_number(json_t *object, const char *key, double number) {
  json_object_set_new(object, key, json_real(number));
}

void sfmi_request_count(json_t *object, const char *key, uint64_t count) {
  json_object_set_new(object, key, json_integer((json_int_t)count));
}

json_t *sfmi_request_texts(const char *const *texts, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) json_array_append_new(list, json_string(texts[i]));
  return list;
}

json_t *sfmi_request_numbers(const double *numbers, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) json_array_append_new(list, json_real(numbers[i]));
  return list;
}

bool sfmi_request_shape(json_t *object, const sfm_shape *shape) {
  char *text = shape ? sfmi_shape_text(shape) : NULL;
  if (text) sfmi_request_text(object, "shape", text);
  free(text);
  return text || !shape;
}

json_t *sfmi_request_values(const sfm_column *column) {
  return column->category_count ? sfmi_request_texts(column->categories, column->category_count)
                                : NULL;
}

json_t *sfmi_request_column(const sfm_release *release, size_t a, const sfm_schema *schema) {
  const sfm_column *column = sfm_schema_find(schema, release->columns[a]);
  json_t *object =
      json_pack("{s:s, s:s, s:f, s:f, s:f}", "column", release->columns[a], "type",
                sfm_column_type_name(column->type), "lower", release->lower[a], "upper",
                release->upper[a], "bandwidth", sfmi_function_of(release)->bandwidth[a]);
  if (release->boundary[a] != SFM_BOUNDARY_OPEN)
    sfmi_request_text(object, "boundary", sfm_boundary_name(release->boundary[a]));
  if (release->boundary[a] == SFM_BOUNDARY_PERIODIC) { /* the release is over one period */
    sfmi_request_number(object, "upper", column->upper);
    sfmi_request_number(object, "period", release->upper[a] - release->lower[a]);
  }
  json_t *values = sfmi_request_values(column);
  if (values) json_object_set_new(object, "values", values);
  return object;
}

json_t *sfmi_request_hash(const void *bytes, size_t length) {
  unsigned char hash[16];
  char text[2 * sizeof hash + 1];
  crypto_generichash(hash, sizeof hash, bytes, length, NULL, 0);
  sodium_bin2hex(text, sizeof text, hash, sizeof hash);
  return json_string(text);
}

json_t *sfmi_request_texts_hash(const char *const *texts, size_t count) {
  size_t length = 0;
  for (size_t i = 0; i < count; i++) length += strlen(texts[i]) + 1;
  char *all = sfmi_alloc(length, 1), *at = all;
  if (!all) return NULL;
  for (size_t i = 0; i < count; i++) at = stpcpy(at, texts[i]) + 1;
  json_t *hash = sfmi_request_hash(all, length);
  free(all);
  return hash;
}

json_t *sfmi_request_list(char *const *texts, size_t count) {
  enum { LISTED = 100 };
  json_t *list = sfmi_request_texts((const char *const *)texts, count);
  if (count <= LISTED) return list;
  char *text = sfmi_json_dumps(list, JSON_COMPACT);
  json_decref(list);
  json_t *hash = sfmi_request_hash(text ? text : "", text ? strlen(text) : 0);
  free(text);
  return hash;
}

json_t *sfmi_request_points(const sfmi_feature_map *map) {
  const size_t count = map->point_count, nonzeros = map->point_starts[count];
  return json_pack("[o, o, o]",
                   sfmi_request_hash(map->point_starts, (count + 1) * sizeof *map->point_starts),
                   sfmi_request_hash(map->point_indices, nonzeros * sizeof *map->point_indices),
                   sfmi_request_hash(map->point_values, nonzeros * sizeof *map->point_values));
}
