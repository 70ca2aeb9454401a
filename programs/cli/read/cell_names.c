#include "cell_names.h"

#include <stdio.h>
#include <string.h>

#include "cli/core/text.h"

bool cell_names_differ(const sfm_release *release) {
  enum { COLUMNS_LEAST = 7 };
  return sfm_table_columns(release) >= COLUMNS_LEAST;
}

/* Whether two cells have the same value in two columns; or one cell in both. */
static bool same_value(const sfm_release *release, size_t e, size_t i, size_t f, size_t j) {
  char one[128], other[128];
  sfm_table_text(release, one, sizeof one, e, i);
  sfm_table_text(release, other, sizeof other, f, j);
  return strcmp(one, other) == 0;
}

void cell_names_difference(char *out, size_t size, const sfm_release *release, size_t e,
                           size_t largest) {
  const size_t columns = sfm_table_columns(release);
  char value[128];
  bool done[SFM_TABLE_COLUMNS_MAX];
  for (size_t i = 0; i < columns; i++) done[i] = same_value(release, e, i, largest, i);
  out[0] = 0;
  for (size_t i = 0; i < columns; i++) {
    if (done[i]) continue;
    text_add(out, size, "%s%.40s", *out ? "; " : "", sfm_table_column(release, i));
    for (size_t j = i + 1; j < columns; j++) {
      if (done[j] || !same_value(release, e, i, e, j)) continue;
      text_add(out, size, ", %.40s", sfm_table_column(release, j));
      done[j] = true;
    }
    sfm_table_text(release, value, sizeof value, e, i);
    text_add(out, size, " = %s", value);
  }
  if (!*out) snprintf(out, size, "the largest");
}

void cell_names_say(char *out, size_t size, const sfm_release *release, size_t largest) {
  const size_t columns = sfm_table_columns(release);
  char value[128];
  bool same = true;
  for (size_t i = 1; i < columns; i++) same = same && same_value(release, largest, 0, largest, i);
  text_add(out, size, "%sA name says how a cell differs from the largest, which has ",
           *out ? " " : "");
  for (size_t i = 0; i < (same ? 1 : columns); i++) {
    sfm_table_text(release, value, sizeof value, largest, i);
    if (same)
      text_add(out, size, "%s in every column.", value);
    else
      text_add(out, size, "%s%.40s = %s%s", i ? ", " : "", sfm_table_column(release, i), value,
               i + 1 < columns ? "" : ".");
  }
}
