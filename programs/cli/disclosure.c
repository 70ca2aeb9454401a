#include "disclosure.h"

#include <string.h>
#include <sys/stat.h>

#include "output.h"
#include "report.h"

static const char *const shown[] = {"public", "places", "gram-public-public"};
static const char *const hidden[] = {"gram", "gram-public"};
enum { SHOWN = sizeof shown / sizeof shown[0], HIDDEN = sizeof hidden / sizeof hidden[0] };

/* The value of an option that not every verb declares, or NULL. */
static const char *given(const cli_options *options, const char *name) {
  for (const cli_option *o = options->verb->options; o->name; o++)
    if (strcmp(o->name, name) == 0) return options_get(options, name);
  return NULL;
}

static bool same_file(const char *path, const char *other) {
  struct stat facts;
  return path && other && strcmp(path, "-") != 0 && stat(path, &facts) == 0 &&
         output_same_file(other, &facts);
}

static sfm_status check_shown(const cli_options *options, const char *rows, const char *name,
                              sfm_error *error) {
  const char *path = given(options, name);
  const bool matrix = strcmp(name, "gram-public-public") == 0;
  if (same_file(path, rows))
    return cli_fail(error, SFM_INVALID,
                    "--%s is the file of the private rows: its points are %s; give points that "
                    "are public for a reason of their own",
                    name, matrix ? "taken for public" : "written into the release as they are");
  for (size_t i = 0; i < HIDDEN; i++)
    if (same_file(path, given(options, hidden[i])))
      return cli_fail(error, SFM_INVALID,
                      "--%s is the file of the private matrix --%s: it is taken for public; give "
                      "points that are public for a reason of their own",
                      name, hidden[i]);
  return SFM_OK;
}

sfm_status disclosure_check(const cli_options *options, const char *rows, sfm_error *error) {
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < SHOWN && !status; i++)
    status = check_shown(options, rows, shown[i], error);
  return status;
}

sfm_status disclosure_output(const cli_options *options, const char *path, sfm_error *error) {
  const char *features = given(options, "features");
  const char *const read[] = {given(options, "public"),
                              given(options, "places"),
                              given(options, "gram"),
                              given(options, "gram-public"),
                              given(options, "gram-public-public"),
                              given(options, "schema"),
                              features && features[0] == '@' ? features + 1 : NULL};
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < sizeof read / sizeof read[0] && !status; i++)
    if (read[i]) status = output_check(path, read[i], error);
  return status;
}

static bool is_outside(const sfm_train_settings *s, size_t point) {
  for (size_t i = 0; i < s->feature_count; i++) {
    const sfm_column *column = sfm_schema_find(s->schema, s->features[i]);
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

void disclosure_say(FILE *out, const sfm_train_settings *s, size_t count) {
  char text[256];
  size_t outside = 0;
  if (s->gram) return; /* its points are known by numbers alone */
  if (s->place_count) count = s->place_count;
  if (count == 0) return;
  snprintf(text, sizeof text,
           "the release holds these %zu point%s as they are: they must be public", count,
           count == 1 ? "" : "s");
  report_line(out, "note", text);
  if (s->place_count) return;
  for (size_t p = 0; p < count; p++) outside += is_outside(s, p);
  if (outside == 0) return;
  snprintf(text, sizeof text,
           "%zu of the %zu public points %s beyond the bounds, and count%s as the bound: are "
           "these the points, and the bounds, that you mean?",
           outside, count, outside == 1 ? "is" : "are", outside == 1 ? "s" : "");
  report_line(out, "note", text);
}
