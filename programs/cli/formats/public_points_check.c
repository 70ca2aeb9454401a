#include "public_points_check.h"

#include "cli/core/text.h"

static bool is_outside(const sfm_train_settings *s, size_t point) {
  for (size_t i = 0; i < s->feature_count; i++) {
    const sfm_column *column = sfm_schema_find(s->context.schema, s->features[i]);
    const double cell = s->public_cells[point * s->feature_count + i];
    if (column && column->has_bounds && column->category_count == 0 &&
        !(cell >= column->lower && cell <= column->upper))
      return true;
  }
  if (!s->features && s->sparse_bounded)
    for (size_t j = s->public_starts[point]; j < s->public_starts[point + 1]; j++)
      if (!(s->public_values[j] >= s->sparse_lower && s->public_values[j] <= s->sparse_upper))
        return true;
  return false;
}

void public_points_note_outside(FILE *out, const sfm_train_settings *s, size_t count) {
  size_t outside = 0;
  if (s->gram) return; /* its points are known by numbers alone */
  for (size_t p = 0; p < count; p++) outside += is_outside(s, p);
  if (outside == 0) return;
  text_say(out, "note",
           "%zu of the %zu public points %s beyond the bounds, and %s by the bound: check the "
           "points and the bounds",
           outside, count, outside == 1 ? "is" : "are",
           outside == 1 ? "is replaced" : "are replaced");
}
