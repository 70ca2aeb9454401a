/* release_kind.c - members of the file that several kinds have. */
#include "release_kind.h"

void sfmi_release_set_rows(json_t *object, const sfm_release *release) {
  if (release->has_rows)
    json_object_set_new(object, "rows", json_integer((json_int_t)release->rows));
}

sfm_status sfmi_release_read_rows(const sfmi_parse_context *at, sfm_release *release,
                                  const json_t *root) {
  release->has_rows = json_object_get(root, "rows") != NULL;
  return release->has_rows ? sfmi_parse_count(at, &release->rows, root, "rows", INT64_MAX) : SFM_OK;
}

bool sfmi_release_set_domain(json_t *object, const sfm_release *release) {
  json_t *domain = json_array();
  bool good = true;
  for (size_t a = 0; a < release->dimension; a++) {
    const double bounds[] = {release->lower[a], release->upper[a]};
    json_t *column = sfmi_json_column(release->columns[a], NULL, 0, bounds, &good);
    if (release->boundary[a] != SFM_OPEN)
      json_object_set_new(column, "boundary", json_string(sfm_boundary_name(release->boundary[a])));
    json_array_append_new(domain, column);
  }
  return json_object_set_new(object, "domain", domain) == 0 && good;
}

sfm_status sfmi_release_read_domain(const sfmi_parse_context *at, sfm_release *release,
                                    const json_t *root, size_t most) {
  const json_t *domain = json_object_get(root, "domain");
  const size_t count = json_array_size(domain);
  if (count < 1 || count > most)
    return sfmi_parse_wrong(at, "domain",
                            most == 1 ? "an array of one column" : "an array of 1 to 64 columns");
  release->dimension = count;
  sfm_status status = SFM_OK;
  for (size_t a = 0; a < count && !status; a++) {
    const json_t *column = json_array_get(domain, a);
    unsigned boundary = SFM_OPEN;
    if (!json_is_object(column)) return sfmi_parse_wrong(at, "domain", "an array of objects");
    status = sfmi_parse_text(at, &release->columns[a], column, "column");
    if (!status) status = sfmi_parse_number(at, &release->lower[a], column, "lower");
    if (!status) status = sfmi_parse_number(at, &release->upper[a], column, "upper");
    if (!status && json_object_get(column, "boundary"))
      status = sfmi_parse_value(at, &boundary, column, "boundary", SFM_WORDS_BOUNDARY);
    release->boundary[a] = (sfm_boundary)boundary;
  }
  return status;
}

const sfmi_member sfmi_outside_member[] = {{"outside", SFMI_MEMBER_WORD,
                                            .offset = offsetof(sfm_release, outside),
                                            .words = SFM_WORDS_OUTSIDE},
                                           {0}};
