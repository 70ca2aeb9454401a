#include "privacy_unit.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/text/json.h"
#include "ledger_name.h"

/* Before "person", by how ids are compared. */
static const char *const compared[] = {"", "numbered ", "valued "};

void sfmi_privacy_unit_print(char text[SFM_PROTECTS_MAX], const sfmi_privacy_unit *unit) {
  const char *word = sfm_neighbours_name(unit->neighbours);
  if (*unit->person)
    sfmi_snprintf(text, SFM_PROTECTS_MAX, "%s %sperson %s", word, compared[unit->ids],
                  unit->person);
  else
    sfmi_snprintf(text, SFM_PROTECTS_MAX, "%s %u", word, unit->records);
}

bool sfmi_privacy_unit_read(sfmi_privacy_unit *unit, const char *text) {
  char again[SFM_PROTECTS_MAX];
  for (sfm_neighbours known = SFM_NEIGHBOURS_REPLACE; known <= SFM_NEIGHBOURS_ADD_REMOVE; known++) {
    const char *word = sfm_neighbours_name(known);
    const size_t length = strlen(word);
    if (strncmp(text, word, length) != 0 || text[length] != ' ') continue;
    const char *rest = text + length + 1;
    *unit = (sfmi_privacy_unit){.neighbours = known, .records = 1};
    for (sfmi_person_ids ids = SFMI_IDS_NUMBER; ids < SFMI_IDS_COUNT; ids++)
      if (strncmp(rest, compared[ids], strlen(compared[ids])) == 0) unit->ids = ids;
    rest += strlen(compared[unit->ids]);
    if (strncmp(rest, "person ", 7) == 0)
      sfmi_snprintf(unit->person, sizeof unit->person, "%s", rest + 7);
    else
      unit->records = (uint32_t)strtoul(rest, NULL, 10);
    sfmi_privacy_unit_print(again, unit);
    return unit->records > 0 && strcmp(text, again) == 0;
  }
  return false;
}

/* Whether rows are not read, so that nobody compares ids. */
static bool is_stated(const char *mechanism) {
  return mechanism && (strcmp(mechanism, "vector") == 0 || strcmp(mechanism, "choose") == 0 ||
                       strcmp(mechanism, "function") == 0);
}

sfm_status sfmi_privacy_unit_parse(sfmi_privacy_unit *unit, const char *parameters,
                                   sfm_error *error) {
  *unit = (sfmi_privacy_unit){.neighbours = SFM_NEIGHBOURS_REPLACE, .records = 1};
  json_t *object = sfmi_json_loads(parameters, 0, NULL);
  const char *word = json_string_value(json_object_get(object, "neighbours"));
  const char *person = json_string_value(json_object_get(object, "person"));
  const json_int_t records = json_integer_value(json_object_get(object, "contributions"));
  sfm_status status = SFM_OK;
  if (word && strcmp(word, sfm_neighbours_name(SFM_NEIGHBOURS_ADD_REMOVE)) == 0)
    unit->neighbours = SFM_NEIGHBOURS_ADD_REMOVE;
  if (person) {
    status = sfmi_ledger_check_name(person, SFM_DATASET_MAX, "person column's name", error);
    if (!status) memcpy(unit->person, person, strlen(person) + 1);
    const json_t *ids = json_object_get(object, "person_ids");
    if (!status && ids && !sfmi_person_ids_read(&unit->ids, json_string_value(ids)))
      status = sfmi_fail(error, SFM_FORMAT,
                         "a charge compares ids of persons in a way that this version does not "
                         "know");
    unit->stated = is_stated(json_string_value(json_object_get(object, "mechanism")));
  } else if (records > 0 && records <= UINT32_MAX) {
    unit->records = (uint32_t)records;
  }
  json_decref(object);
  return status;
}

bool sfmi_privacy_unit_covers(const sfmi_privacy_unit *unit, const sfmi_privacy_unit *before) {
  return before->records == 0 ||
         (unit->neighbours == before->neighbours && strcmp(unit->person, before->person) == 0 &&
          (unit->stated || unit->ids == before->ids) && unit->records >= before->records);
}
