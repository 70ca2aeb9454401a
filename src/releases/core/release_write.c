/* release_write.c - a release as JSON: everything but the coefficients through the library, and the
 * coefficients one by one, since there may be millions. */
#include "release_write.h"

#include <jansson.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/system/file.h"
#include "base/text/json.h"
#include "release_kind.h"

static bool set_guarantee(json_t *root, const sfm_release *release) {
  json_t *object = json_object();
  bool good = sfmi_members_set(object, release, sfmi_guarantee_members);
  if (release->person_ids != SFMI_IDS_TEXT)
    json_object_set_new(object, "person_ids",
                        json_string(sfmi_person_ids_word(release->person_ids)));
  good = json_object_set_new(object, "sentence", json_string(release->sentence)) == 0 && good;
  return json_object_set_new(root, "guarantee", object) == 0 && good;
}

static json_t *charged_json(const sfm_release *release) {
  if (!release->dataset)
    return json_pack("{s:n, s:n, s:n, s:s}", "dataset", "request", "accounting", "sentence",
                     release->refined.combined
                         ? "Where its parts were charged they say themselves."
                         : "Not charged anywhere: no ledger counts what this and other releases of "
                           "the same rows cost together.");
  const char *accounting = sfm_accounting_name(release->accounting);
  return json_pack("{s:s, s:s, s:s, s:o}", "dataset", release->dataset, "request", release->request,
                   "accounting", accounting, "sentence",
                   json_sprintf("Charged to the dataset %s of its owner's ledger (%s accounting), "
                                "before a row was read.",
                                release->dataset, accounting));
}

/* All but the coefficients, or NULL. */
static json_t *header(const sfm_release *release) {
  const bool bandless = release->refined.done || release->kind->bandless;
  json_t *object = json_object();
  json_object_set_new(object, "format", json_string(SFMI_FORMAT_NAME));
  json_object_set_new(object, "version", json_integer(SFMI_FORMAT_VERSION));
  json_object_set_new(object, "generator", json_sprintf("sfumato %s", sfm_version()));
  json_object_set_new(object, "kind", json_string(sfm_kind_name(sfm_release_kind(release))));
  json_object_set_new(object, "method", json_string(sfm_release_method(release)));
  json_object_set_new(object, "hardened", json_boolean(release->hardened));
  json_object_set_new(object, "private", json_boolean(release->is_private));
  bool good = set_guarantee(object, release);
  json_object_set_new(object, "charged", charged_json(release));
  sfmi_members_set_object(object, "noise", release, sfmi_noise_members);
  good = release->kind->set(object, release) && good;
  json_object_set_new(object, "length", json_integer((json_int_t)release->length));
  if (bandless)
    json_object_set_new(object, "band", json_null());
  else
    sfmi_members_set_object(object, "band", &release->band, sfmi_band_members);
  if (good) return object;
  json_decref(object);
  return NULL;
}

sfm_status sfm_release_summary(const sfm_release *release, char **json, sfm_error *error) {
  json_t *object = header(release);
  if (object && release->kind->summarise) release->kind->summarise(object, release);
  *json = object ? sfmi_json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(object);
  return *json ? SFM_OK : sfmi_fail_memory(error);
}

static void write_coefficient(FILE *stream, const sfm_release *release, size_t i) {
  if (!release->integers) {
    sfmi_fprintf(stream, "%.17g", release->reals[i]);
    return;
  }
  int64_t value = release->integers[i];
  bool large = value >= SFMI_FORMAT_STRING_FROM || value <= -SFMI_FORMAT_STRING_FROM;
  sfmi_fprintf(stream, large ? "\"%" PRId64 "\"" : "%" PRId64, value);
}

static sfm_status print(const sfm_release *release, FILE *stream, sfm_error *error) {
  json_t *object = header(release);
  char *text = object ? sfmi_json_dumps(object, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(object);
  if (!text) return sfmi_fail_memory(error);
  /* The object without its closing "\n}". */
  sfmi_fprintf(stream, "%.*s", (int)strlen(text) - 2, text);
  if (release->kind->print) release->kind->print(stream, release);
  fputs(",\n \"coefficients\": [", stream);
  for (size_t i = 0; i < release->length; i++) {
    fputs(i == 0 ? "\n  " : i % 12 == 0 ? ",\n  " : ", ", stream);
    write_coefficient(stream, release, i);
  }
  fputs("\n ]\n}\n", stream);
  free(text);
  return SFM_OK;
}

sfm_status sfmi_release_print(const sfm_release *release, char **bytes, size_t *length,
                              sfm_error *error) {
  *bytes = NULL;
  FILE *stream = open_memstream(bytes, length);
  if (!stream) return sfmi_fail_memory(error);
  sfm_status status = print(release, stream, error);
  bool failed = ferror(stream) != 0;
  failed = fclose(stream) != 0 || failed;
  if (!status && failed) status = sfmi_fail_memory(error);
  if (status) {
    free(*bytes);
    *bytes = NULL;
  }
  return status;
}

sfm_status sfm_release_text(const sfm_release *release, char **text, size_t *length,
                            sfm_error *error) {
  if (!release->stored) return sfmi_release_print(release, text, length, error);
  *text = sfmi_alloc(release->stored_length + 1, 1);
  if (!*text) return sfmi_fail_memory(error);
  memcpy(*text, release->stored, release->stored_length);
  *length = release->stored_length;
  return SFM_OK;
}

sfm_status sfm_release_write(const sfm_release *release, const char *path, sfm_error *error) {
  sfmi_file file;
  sfm_status status = sfmi_file_check_output(path, error);
  if (!status) status = sfmi_file_begin(&file, path, error);
  if (status) return status;
  if (release->stored)
    fwrite(release->stored, 1, release->stored_length, file.stream);
  else
    status = print(release, file.stream, error);
  if (!status) return sfmi_file_commit(&file, error);
  sfmi_file_abandon(&file);
  return status;
}

sfm_status sfm_output_check(const char *path, sfm_error *error) {
  const sfm_status status = sfmi_file_check_output(path, error);
  return status ? status : sfmi_file_check_folder(path, error);
}
