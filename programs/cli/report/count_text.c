#include "count_text.h"

#include <math.h>

#include "cli/core/text.h"
#include "kind_view.h"
#include "sfumato/count.h"

void count_text_write(char *buffer, size_t size, const sfm_release *release) {
  const double count = sfm_release_coefficient(release, 0), rows = sfm_release_size(release);
  if (sfm_release_neighbours(release) != SFM_NEIGHBOURS_REPLACE)
    snprintf(buffer, size, "%.0f", count);
  else
    snprintf(buffer, size, "%.0f of %.0f record%s (%.4g\u00a0%%)", count, rows,
             rows == 1 ? "" : "s", 100 * count / rows);
}

/* How an optimal mechanism answered. */
static void print_mechanism(FILE *out, const json_t *mechanism) {
  if (!mechanism) return;
  text_say(out, "mechanism",
           "optimal for counts up to %" JSON_INTEGER_FORMAT
           " at epsilon %.6g: %.40s loss, %.40s, risk %.6g; hash %.64s",
           json_integer_value(json_object_get(mechanism, "n")),
           json_number_value(json_object_get(mechanism, "epsilon")),
           json_string_value(json_object_get(mechanism, "loss")),
           json_string_value(json_object_get(mechanism, "objective")),
           json_number_value(json_object_get(mechanism, "risk")),
           json_string_value(json_object_get(mechanism, "hash")));
}

const char *count_text_exact(const sfm_release *release) {
  return sfm_count_exact(release) ? "yes: the count is so small that it has no noise"
                                  : "no: the count has noise, because it is too large to be exact";
}

void show_count(const sfm_release *release, const json_t *summary) {
  char text[160], shown[4 * SFM_WHERE_MAX];
  const char *where = sfm_count_where(release);
  count_text_write(text, sizeof text, release);
  text_print_labelled(stdout, "count", text);
  text_harmless(shown, sizeof shown, where ? where : "");
  text_print_labelled(stdout, "where", where ? shown : "all records");
  if (sfm_release_guarantee(release).kind == SFM_GUARANTEE_RANDOM_DP)
    text_print_labelled(stdout, "exact", count_text_exact(release));
  print_mechanism(stdout, json_object_get(summary, "mechanism"));
}

void count_band(char *buffer, size_t size, const sfm_release *release, const sfm_band *band,
                bool pointwise) {
  (void)release;
  (void)pointwise;
  snprintf(buffer, size, "within \u00b1%.0f of the true count, with confidence %.6g",
           band->half_width, band->confidence);
}
