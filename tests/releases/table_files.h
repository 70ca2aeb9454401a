/* table_files.h - tables made by hand, as files. */
#ifndef TEST_CROSSTAB_FILES_H
#define TEST_CROSSTAB_FILES_H

#include "test_support.h"

#include "releases/kinds/histogram_cells.h"
#include "sfumato/table.h"

/* The members that all tables have around their own: method, law, scale, then the rest of the
 * object. */
static const char crosstable_frame[] =
    "{\"format\": \"sfumato-release\", \"version\": 1, \"kind\": \"histogram\", "
    "\"method\": \"%s\", \"hardened\": true, \"private\": true, "
    "\"guarantee\": {\"kind\": \"pure\", \"epsilon\": 1, \"delta\": 0, \"mu\": null, \"rho\": "
    "null, "
    "\"neighbours\": \"replace\", \"contributions\": 1, \"contributions_enforced\": false, "
    "\"sentence\": \"As private as a test can be.\"}, "
    "\"noise\": {\"law\": \"%s\", \"scale\": %.17g, \"step\": 1, \"sensitivity\": 2}, "
    "\"rows\": 100, \"outside\": \"clamp\", %s}";

#define CROSSTABLE_BAND                                                                            \
  "\"band\": {\"confidence\": 0.95, \"half_width\": 9, \"pointwise\": 6, \"systematic\": 0}, "
#define CROSSTABLE_SEX "{\"column\": \"sex\", \"categories\": [\"F\", \"M\"]}"
#define CROSSTABLE_SEX2 "{\"column\": \"other\", \"categories\": [\"F\", \"M\"]}"
#define CROSSTABLE_REGION                                                                          \
  "{\"column\": \"region\", \"categories\": [\"north\", \"south\", \"west\"]}"
#define CROSSTABLE_AGE "{\"column\": \"age\", \"lower\": 0, \"upper\": 100, \"bins\": 4}"

static inline sfm_status crosstable_parse(sfm_release **out, const char *method, const char *law,
                                          double scale, const char *members, sfm_error *error) {
  const size_t room = sizeof crosstable_frame + strlen(members) + 256;
  char *text = malloc(room);
  const int length = snprintf(text, room, crosstable_frame, method, law, scale, members);
  const sfm_status status = sfm_release_parse(out, text, (size_t)length, "the table", error);
  free(text);
  return status;
}

/* One that must be read; discrete Laplace noise of scale 2. */
static inline sfm_release *crosstable_make(const char *method, const char *members) {
  sfm_release *release = NULL;
  sfm_error error;
  assert_ok(crosstable_parse(&release, method, "discrete-laplace", 2, members, &error), &error);
  return release;
}

/* A dense one of the columns, their JSON separated by commas, with the coefficients, or with the
 * cells of its margins; extra: more members, each followed by a comma. */
static inline sfm_release *crosstable_dense(const char *columns, const char *extra,
                                            const int64_t *counts, size_t length) {
  const size_t room = strlen(columns) + strlen(extra) + 24 * length + 512;
  char *text = malloc(room);
  int used = snprintf(
      text, room, "\"columns\": [%s], %s" CROSSTABLE_BAND "\"length\": %zu, \"coefficients\": [",
      columns, extra, length);
  for (size_t i = 0; i < length; i++)
    used +=
        snprintf(text + used, room - (size_t)used, "%s%lld", i ? ", " : "", (long long)counts[i]);
  snprintf(text + used, room - (size_t)used, "]");
  sfm_release *release = crosstable_make("laplace", text);
  free(text);
  return release;
}

#endif
