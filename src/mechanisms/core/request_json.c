#include "request_json.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json.h"
#include "data/schema/schema.h"

json_t *sfmi_request_parameters(const char *mechanism, const sfm_guarantee *guarantee,
                                sfm_neighbours neighbours, uint32_t contributions,
                                double confidence) {
  json_t *all =
      json_pack("{s:s, s:s, s:f, s:f, s:s, s:i, s:f}", "mechanism", mechanism, "guarantee",
                sfm_guarantee_kind_name(guarantee->kind), "epsilon", guarantee->epsilon, "delta",
                guarantee->delta, "neighbours", sfm_neighbours_name(neighbours), "contributions",
                (int)contributions, "confidence", confidence);
  if (guarantee->kind == SFM_GDP) json_object_set_new(all, "mu", json_real(guarantee->mu));
  return all;
}

json_t *sfmi_request_values(const sfm_column *column) {
  if (column->category_count == 0) return NULL;
  json_t *values = json_array();
  for (size_t i = 0; i < column->category_count; i++)
    json_array_append_new(values, json_string(column->categories[i]));
  return values;
}

json_t *sfmi_request_column(const sfm_release *release, size_t a, const sfm_schema *schema) {
  const sfm_column *column = sfm_schema_find(schema, release->columns[a]);
  json_t *object =
      json_pack("{s:s, s:s, s:f, s:f, s:f}", "column", release->columns[a], "type",
                sfm_column_type_name(column->type), "lower", release->lower[a], "upper",
                release->upper[a], "bandwidth", sfmi_function_of(release)->bandwidth[a]);
  if (release->boundary[a] != SFM_OPEN)
    json_object_set_new(object, "boundary", json_string(sfm_boundary_name(release->boundary[a])));
  if (release->boundary[a] == SFM_PERIODIC) { /* the release is over one period */
    json_object_set_new(object, "upper", json_real(column->upper));
    json_object_set_new(object, "period", json_real(release->upper[a] - release->lower[a]));
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

json_t *sfmi_request_list(char *const *texts, size_t count) {
  enum { LISTED = 100 };
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) json_array_append_new(list, json_string(texts[i]));
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
