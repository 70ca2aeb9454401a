#include "countline.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "report.h"
#include "sfumato/count.h"
#include "text.h"

void countline_text(char *buffer, size_t size, const sfm_release *release) {
  const double count = sfm_release_coefficient(release, 0), rows = sfm_release_size(release);
  if (sfm_release_neighbours(release) != SFM_REPLACE)
    snprintf(buffer, size, "%.0f", count);
  else
    snprintf(buffer, size, "%.0f of %.0f record%s (%.4g\u00a0%%)", count, rows,
             rows == 1 ? "" : "s", 100 * count / rows);
}

/* How an optimal mechanism answered. */
static void show_mechanism(FILE *out, const json_t *mechanism) {
  char text[320];
  if (!mechanism) return;
  snprintf(text, sizeof text,
           "optimal for counts up to %" JSON_INTEGER_FORMAT
           " at epsilon %.6g: %.40s loss, %.40s, risk %.6g; hash %.64s",
           json_integer_value(json_object_get(mechanism, "n")),
           json_number_value(json_object_get(mechanism, "epsilon")),
           json_string_value(json_object_get(mechanism, "loss")),
           json_string_value(json_object_get(mechanism, "objective")),
           json_number_value(json_object_get(mechanism, "risk")),
           json_string_value(json_object_get(mechanism, "hash")));
  report_line(out, "mechanism", text);
}

void countline_show(FILE *out, const sfm_release *release) {
  char text[160], shown[4 * SFM_WHERE_MAX], *summary = NULL;
  if (strcmp(sfm_release_kind(release), "count") != 0) return;
  const char *where = sfm_count_where(release);
  countline_text(text, sizeof text, release);
  report_line(out, "count", text);
  text_harmless(shown, sizeof shown, where ? where : "");
  report_line(out, "where", where ? shown : "all records");
  if (sfm_release_guarantee(release).kind == SFM_RANDOM_DP)
    report_line(out, "exact",
                sfm_count_exact(release)
                    ? "yes: without noise, as so few records count"
                    : "no: with noise, as more records count than may be told exactly");
  if (sfm_release_summary(release, &summary, NULL)) return;
  json_t *object = json_loads(summary, 0, NULL);
  show_mechanism(out, json_object_get(object, "mechanism"));
  json_decref(object);
  sfm_free(summary);
}
