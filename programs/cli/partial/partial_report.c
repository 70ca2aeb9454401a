#include "partial_report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/io/json_output.h"

/* "part 3 of 6", "parts 1 to 2, 5 of 6", "all 6 parts". */
static void describe_parts(char *out, size_t size, const sfm_partial *partial) {
  uint64_t of, first, last;
  const uint64_t count = sfm_partial_parts(partial, &of);
  out[0] = '\0';
  if (count == of && of > 1) {
    text_add(out, size, "all %" PRIu64 " parts", of);
    return;
  }
  text_add(out, size, "part%s ", count == 1 ? "" : "s");
  for (size_t i = 0; i < 20 && sfm_partial_range(partial, &first, &last, i); i++) {
    text_add(out, size, "%s%" PRIu64, i ? ", " : "", first);
    if (last > first) text_add(out, size, " to %" PRIu64, last);
    if (i == 19) text_add(out, size, ", ...");
  }
  text_add(out, size, " of %" PRIu64, of);
}

static void describe_job(char *out, size_t size, const sfm_partial *partial) {
  const char *job = sfm_partial_job(partial);
  text_harmless(out, size, *job ? job : "none");
}

void partial_report_written(const sfm_partial *partial, const char *path) {
  char parts[600], job[4 * SFM_JOB_MAX];
  const char *verb = sfm_partial_mechanism(partial);
  describe_parts(parts, sizeof parts, partial);
  describe_job(job, sizeof job, partial);
  text_say(stderr, "written", "%.500s: sums of %s, for a %s; job: %s", path, parts, verb, job);
  text_print_labelled(stderr, "private",
                      "the file holds sums without noise. Give it only to those who may read the "
                      "rows, and remove it when the release is made");
  if (sfm_partial_missing(partial))
    text_say(stderr, "next",
             "with all parts in one place: sfumato %s --partials 'PATTERN' with the same options, "
             "and -o FILE",
             verb);
  else
    text_say(stderr, "next", "sfumato %s --partials %.300s with the same options, and -o FILE",
             verb, path);
}

/* ---- all of it ---- */

static void print_member(const char *key, const json_t *value) {
  char name[200], shown[1500];
  char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
  text_harmless(name, sizeof name, key);
  text_harmless(shown, sizeof shown, text ? text : "");
  free(text);
  text_say(stdout, "", "%.190s: %.1490s", name, shown);
}

sfm_status partial_report_print(const sfm_partial *partial, sfm_error *error) {
  char text[600];
  const char *key;
  json_t *value, *settings = json_loads(sfm_partial_settings(partial), 0, NULL);
  const uint64_t missing = sfm_partial_missing(partial), rows = sfm_partial_rows(partial);
  if (!settings) return cli_fail_memory(error);
  text_harmless(text, sizeof text, sfm_partial_mechanism(partial));
  text_say(stdout, "sums", "for a %s", text);
  describe_parts(text, sizeof text, partial);
  text_print_labelled(stdout, "parts", text);
  if (missing)
    text_say(stdout, "missing", "the first is part %" PRIu64, missing);
  else
    text_print_labelled(stdout, "missing", "none");
  describe_job(text, sizeof text, partial);
  text_print_labelled(stdout, "job", text);
  if (rows)
    text_say(stdout, "rows", "%" PRIu64 " in all parts together, as stated", rows);
  else
    text_print_labelled(stdout, "rows", "their number is private (add-remove)");
  text_print_labelled(stdout, "key",
                      sfm_partial_keyed(partial)
                          ? "that of a dataset: the release can be charged to it"
                          : "none: the release cannot be charged");
  text_print_labelled(stdout, "settings", "as stated, and what follows from them:");
  json_object_foreach(settings, key, value) print_member(key, value);
  json_decref(settings);
  return SFM_OK;
}

/* [[1,2],[5,5]] */
static json_t *ranges_json(const sfm_partial *partial) {
  json_t *all = json_array();
  uint64_t first, last;
  for (size_t i = 0; sfm_partial_range(partial, &first, &last, i); i++)
    json_array_append_new(all, json_pack("[I, I]", (json_int_t)first, (json_int_t)last));
  return all;
}

sfm_status partial_report_json(const sfm_partial *partial, const char *path, sfm_error *error) {
  const uint64_t missing = sfm_partial_missing(partial), rows = sfm_partial_rows(partial);
  char name[1024];
  uint64_t of;
  sfm_partial_parts(partial, &of);
  text_harmless(name, sizeof name, path);
  return json_output_print(
      json_pack("{s:s, s:s, s:s, s:I, s:o, s:o, s:o, s:b, s:o}", "partial", name, "mechanism",
                sfm_partial_mechanism(partial), "job", sfm_partial_job(partial), "of",
                (json_int_t)of, "parts", ranges_json(partial), "missing",
                missing ? json_integer((json_int_t)missing) : json_null(), "rows",
                rows ? json_output_integer((int64_t)rows) : json_null(), "keyed",
                sfm_partial_keyed(partial), "settings",
                json_loads(sfm_partial_settings(partial), 0, NULL)),
      error);
}
