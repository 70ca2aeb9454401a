/* release_read.c - a .sfm file back into memory.  Any bytes are survived: every value is checked
 * for type and range before it is used, sizes before anything is allocated by them, and a message
 * names the place. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/file.h"
#include "base/text/json.h"
#include "base/text/json_error.h"
#include "release_data.h"
#include "release_kind.h"

static const size_t FILE_MAX = (size_t)1 << 30;

static sfm_status read_guarantee(const sfmi_parse_context *at, sfm_release *release,
                                 const json_t *root) {
  const json_t *object = json_object_get(root, "guarantee");
  sfm_status status =
      sfmi_members_read_object(at, release, root, "guarantee", sfmi_guarantee_members);
  if (status) return status;
  if (release->person && !*release->person)
    return sfmi_parse_wrong(at, "person", "the name of a column");
  const json_t *ids = json_object_get(object, "person_ids");
  if (ids && (!release->person || !release->enforced ||
              !sfmi_person_ids_read(&release->person_ids, json_string_value(ids)) ||
              release->person_ids == SFMI_IDS_TEXT))
    return sfmi_parse_wrong(at, "person_ids",
                            "\"number\" or \"value\", beside a person that is enforced");
  /* For people who open the file; here it is made of the numbers, which may say something else. */
  return json_is_string(json_object_get(object, "sentence"))
             ? SFM_OK
             : sfmi_parse_wrong(at, "sentence", "a string");
}

/* Absent in files written before there were ledgers; all of it null where nothing was charged. */
static sfm_status read_charged(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  const json_t *object = json_object_get(root, "charged");
  unsigned word;
  if (!object) return SFM_OK;
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "charged", "an object");
  if (!json_is_string(json_object_get(object, "sentence")))
    return sfmi_parse_wrong(at, "sentence", "a string");
  if (json_is_null(json_object_get(object, "dataset"))) {
    const bool nowhere = json_is_null(json_object_get(object, "request")) &&
                         json_is_null(json_object_get(object, "accounting"));
    return nowhere ? SFM_OK
                   : sfmi_parse_wrong(at, "charged", "null in all of its parts, or in none");
  }
  sfm_status status = sfmi_parse_text(at, &release->dataset, object, "dataset");
  if (!status) status = sfmi_parse_text(at, &release->request, object, "request");
  if (!status)
    status = sfmi_parse_value(at, &word, object, "accounting", SFM_ENUMERATION_ACCOUNTING);
  if (status) return status;
  release->accounting = (sfm_accounting)word;
  return SFM_OK;
}

static sfm_status read_noise(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  int exponent;
  sfm_status status = sfmi_members_read_object(at, release, root, "noise", sfmi_noise_members);
  if (status || !release->hardened) return status;
  if (release->step < 0x1p-900 || release->step > 0x1p900 || frexp(release->step, &exponent) != 0.5)
    return sfmi_parse_wrong(at, "step", "a power of two");
  return SFM_OK;
}

static sfm_status read_band(const sfmi_parse_context *at, sfm_release *release,
                            const json_t *root) {
  if (release->refined.done || release->kind->bandless) {
    release->band = (sfm_band){NAN, NAN, NAN, NAN};
    return json_is_null(json_object_get(root, "band"))
               ? SFM_OK
               : sfmi_parse_wrong(at, "band", "null for a refined release and for this kind");
  }
  sfm_status status = sfmi_members_read_object(at, &release->band, root, "band", sfmi_band_members);
  if (status) return status;
  return release->band.confidence > 0 && release->band.confidence < 1
             ? SFM_OK
             : sfmi_parse_wrong(at, "confidence", "between 0 and 1");
}

static sfm_status read_coefficients(const sfmi_parse_context *at, sfm_release *release,
                                    const json_t *root) {
  const json_t *array = json_object_get(root, "coefficients");
  uint64_t stated = 0;
  sfm_status status = sfmi_parse_count(at, &stated, root, "length", SFMI_RELEASE_MAX);
  if (status) return status;
  release->length = json_array_size(array);
  if (release->length != stated)
    return sfmi_parse_wrong(at, "coefficients", "an array of as many numbers as \"length\" says");
  const bool empty = release->kind->empty && json_is_array(array);
  if ((release->length == 0 && !empty) || release->length > SFMI_RELEASE_MAX)
    return sfmi_parse_wrong(at, "coefficients", "an array of 1 to 16777216 numbers");
  const bool integers =
      release->hardened && !release->refined.done && !sfmi_method_fitted(release->method);
  if (integers) {
    release->integers = sfmi_alloc(release->length, sizeof *release->integers);
  } else {
    release->reals = sfmi_alloc(release->length, sizeof *release->reals);
  }
  if (!release->integers && !release->reals) return sfmi_fail_memory(at->error);
  for (size_t i = 0; i < release->length; i++) {
    const json_t *value = json_array_get(array, i);
    bool good = integers ? sfmi_parse_integer(value, &release->integers[i])
                         : json_is_number(value) && isfinite(json_number_value(value));
    if (!good)
      return sfmi_fail(at->error, SFM_FORMAT, "%s: coefficients[%zu] is not %s", at->name, i,
                       integers ? "a 64-bit integer" : "a finite number");
    if (!integers) release->reals[i] = json_number_value(value);
  }
  return SFM_OK;
}

/* One of the methods that the kind has. */
static sfm_status read_method(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  const char *words[SFMI_METHOD_COUNT];
  sfmi_method methods[SFMI_METHOD_COUNT];
  unsigned count = 0, word = 0;
  for (unsigned m = 0; m < SFMI_METHOD_COUNT; m++)
    if (release->kind->methods >> m & 1) {
      methods[count] = (sfmi_method)m;
      words[count++] = sfmi_method_name((sfmi_method)m);
    }
  sfm_status status = sfmi_parse_word(at, &word, root, "method", words, count);
  if (!status) release->method = methods[word];
  return status;
}

static sfm_status read_format(const sfmi_parse_context *at, const json_t *root) {
  const char *format = json_string_value(json_object_get(root, "format"));
  uint64_t version = 0;
  if (!format || strcmp(format, SFMI_FORMAT_NAME))
    return sfmi_fail(at->error, SFM_FORMAT, "%s is not a release: \"format\" is not \"%s\"",
                     at->name, SFMI_FORMAT_NAME);
  sfm_status status = sfmi_parse_count(at, &version, root, "version", UINT32_MAX);
  if (status) return status;
  if (version != SFMI_FORMAT_VERSION)
    return sfmi_fail(at->error, SFM_FORMAT,
                     "%s has format version %u; this sfumato (%s) reads version %d", at->name,
                     (unsigned)version, sfm_version(), SFMI_FORMAT_VERSION);
  return SFM_OK;
}

static sfm_status read_release(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  sfm_status status = read_method(at, release, root);
  if (!status) status = sfmi_parse_bool(at, &release->hardened, root, "hardened");
  if (!status) status = sfmi_parse_bool(at, &release->is_private, root, "private");
  if (!status) status = read_guarantee(at, release, root);
  if (!status) status = read_charged(at, release, root);
  if (!status) status = read_noise(at, release, root);
  if (status) return status;
  release->refined.done = json_object_get(root, "refined") != NULL;
  if (release->refined.done && !release->kind->refinable)
    return sfmi_parse_wrong(at, "refined", "absent: only densities and histograms are refined");
  status = read_coefficients(at, release, root);
  if (!status) status = read_band(at, release, root);
  if (!status) status = release->kind->read(at, release, root);
  if (!status) status = sfmi_release_check(release, at->name, at->error);
  if (status) return status;
  return sfmi_release_write_sentence(release) ? SFM_OK : sfmi_fail_memory(at->error);
}

/* A release of the kind that the file states, without anything yet. */
static sfm_status begin(const sfmi_parse_context *at, sfm_release **out, const json_t *root) {
  unsigned kind = 0;
  sfm_status status =
      json_is_object(root)
          ? read_format(at, root)
          : sfmi_fail(at->error, SFM_FORMAT, "%s is not a release: not an object", at->name);
  if (!status) status = sfmi_parse_value(at, &kind, root, "kind", SFM_ENUMERATION_KIND);
  if (status) return status;
  *out = sfmi_release_create(sfmi_release_kinds[kind]);
  return *out ? SFM_OK : sfmi_fail_memory(at->error);
}

/* The facts of a session are in its file as text. */
static sfm_status fail_database(const char *bytes, size_t length, const char *name,
                                sfm_error *error) {
  static const char method[] = "\"interactive\"";
  if (memmem(bytes, length, method, strlen(method)))
    return sfmi_fail(
        error, SFM_FORMAT,
        "%s is not a release but an interactive session: ask it with sfm_interact_ask, or take its "
        "release with sfm_interact_transcript",
        name);
  return sfmi_fail(
      error, SFM_FORMAT,
      "%s is not a release but a database: ask a session with sfm_online_ask, or take its "
      "release with sfm_online_transcript; look at a ledger with sfm_ledger_status",
      name);
}

/* Before it is parsed: its values take many times its bytes. */
static sfm_status check_size(const sfm_resource_limits *limits, const char *json, size_t length,
                             const char *name, sfm_error *error) {
  const double needed = sfmi_resources_reading(json, length).bytes,
               most = sfmi_resources_to_read(limits, length).bytes;
  if (needed <= most) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "%s: reading it may take %.0f MB of memory, and the limit for a file of its "
                   "size is %.0f MB. If you know where the file comes from, raise the limits "
                   "(sfm_release_read_within)",
                   name, ceil(needed / 1e6), most / 1e6);
}

sfm_status sfm_release_parse_within(sfm_release **out, const char *json, size_t length,
                                    const char *name, const sfm_resource_limits *limits,
                                    sfm_error *error) {
  *out = NULL;
  json_error_t reason;
  const sfmi_parse_context at = {name, error};
  if (length >= 15 && memcmp(json, "SQLite format 3", 15) == 0)
    return fail_database(json, length, name, error);
  if (!sfmi_json_begins_object(json, length))
    return sfmi_fail(
        error, SFM_FORMAT,
        "%s is not a release: it does not begin with {. A release is what sfumato wrote, "
        "usually named *.sfm; rows and other files are none",
        name);
  sfm_status status = check_size(limits, json, length, name, error);
  if (status) return status;
  json_t *root = sfmi_json_loadb(json, length, JSON_REJECT_DUPLICATES, &reason);
  if (!root)
    return sfmi_fail(error, SFM_FORMAT, "%s is not a release: line %d, column %d: %s", name,
                     reason.line, reason.column, sfmi_json_error_reason(&reason));
  status = begin(&at, out, root);
  if (!status) {
    (*out)->most = sfmi_resources_to_work(limits, length);
    status = read_release(&at, *out, root);
  }
  json_decref(root);
  return sfmi_release_made(out, status);
}

sfm_status sfm_release_parse(sfm_release **out, const char *json, size_t length, const char *name,
                             sfm_error *error) {
  const sfm_resource_limits limits = sfm_resource_limits_default();
  return sfm_release_parse_within(out, json, length, name, &limits, error);
}

sfm_status sfm_release_read_within(sfm_release **out, const char *path,
                                   const sfm_resource_limits *limits, sfm_error *error) {
  *out = NULL;
  char *bytes;
  size_t length;
  sfm_status status = sfmi_file_read(&bytes, &length, path, FILE_MAX, error);
  if (!status)
    status = sfm_release_parse_within(out, bytes, length,
                                      strcmp(path, "-") ? path : "standard input", limits, error);
  free(bytes);
  return status;
}

sfm_status sfm_release_read(sfm_release **out, const char *path, sfm_error *error) {
  const sfm_resource_limits limits = sfm_resource_limits_default();
  return sfm_release_read_within(out, path, &limits, error);
}
