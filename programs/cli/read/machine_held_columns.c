#include "machine_held_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/core/options.h"
#include "cli/core/text.h"
#include "draw/axis.h"
#include "machine_points.h"

static bool is_axis(const machine_held_columns *h, size_t i) {
  return h->axes[0] == i || (h->axis_count == 2 && h->axes[1] == i);
}

static sfm_status hold_one(machine_held_columns *h, char *text, sfm_error *error) {
  char *equals = strchr(text, '=');
  if (!equals) return cli_misuse(error, "--hold: '%.80s' is not COLUMN=VALUE, as in age=40", text);
  *equals = 0;
  const size_t i = machine_find_column(h->release, text);
  if (i == SIZE_MAX) return cli_misuse(error, "--hold: the machine has no column '%.80s'", text);
  if (is_axis(h, i)) return cli_misuse(error, "--hold: '%.80s' is an axis; leave it out", text);
  if (h->stated[i]) return cli_misuse(error, "--hold names '%.80s' twice", text);
  h->stated[i] = true;
  double lower, upper;
  sfm_machine_bounds(h->release, &lower, &upper, i);
  if (!machine_cell(&h->cells[i], h->release, i, equals + 1))
    return machine_cell_fail(h->release, i, equals + 1, "--hold", error);
  if (sfm_machine_categories(h->release, i) == 0 && (h->cells[i] < lower || h->cells[i] > upper))
    return cli_misuse(error,
                      "--hold: %.80s=%.80s is beyond the bounds of the machine; write a number "
                      "from %.10g to %.10g",
                      text, equals + 1, lower, upper);
  return SFM_OK;
}

/* Whether a category stands for a value that is not known. */
static bool is_missing(const char *category) {
  static const char *const marks[] = {"",        "?",          "-",   ".",    "na",
                                      "n/a",     "nan",        "nil", "null", "missing",
                                      "unknown", "none given", NULL};
  for (size_t k = 0; marks[k]; k++)
    if (strcasecmp(category, marks[k]) == 0) return true;
  return false;
}

/* What is held where nothing is stated, a public reference: the middle of the bounds, the first
 * category that stands for something, or 0. */
static double resting(const sfm_release *release, size_t i) {
  const size_t categories = sfm_machine_categories(release, i);
  double lower, upper;
  sfm_machine_bounds(release, &lower, &upper, i);
  for (size_t k = 0; k < categories; k++)
    if (!is_missing(sfm_machine_category(release, i, k))) return (double)k;
  return isfinite(lower) && isfinite(upper) ? lower + 0.5 * (upper - lower) : 0;
}

void machine_held_columns_clear(machine_held_columns *h) {
  free(h->cells);
  free(h->stated);
}

sfm_status machine_held_columns_read(machine_held_columns *h, const sfm_release *release,
                                     const size_t *axes, size_t axis_count, const char *text,
                                     sfm_error *error) {
  text_list list;
  *h = (machine_held_columns){.release = release, .axes = axes, .axis_count = axis_count};
  while (sfm_machine_input(release, h->count)) h->count++;
  h->cells = malloc((h->count + 1) * sizeof *h->cells);
  h->stated = calloc(h->count + 1, sizeof *h->stated);
  if (!h->cells || !h->stated) return cli_fail_memory(error);
  for (size_t i = 0; i < h->count; i++) h->cells[i] = resting(h->release, i);
  if (!text) return SFM_OK;
  sfm_status status = text_split(&list, text, ',', error);
  if (status) return status;
  for (size_t k = 0; !status && k < list.count; k++) status = hold_one(h, list.items[k], error);
  text_list_clear(&list);
  return status;
}

static bool is_year(const machine_held_columns *h, size_t i) {
  double lower, upper;
  sfm_machine_bounds(h->release, &lower, &upper, i);
  return draw_axis_of_years(lower, upper);
}

/* "c = 5, sex = F": the columns that --hold states, or the others. */
static size_t list_held(const machine_held_columns *h, char *out, size_t size, bool stated) {
  enum { SHOWN = 24 };
  size_t shown = 0;
  out[0] = 0;
  for (size_t i = 0; i < h->count; i++) {
    if (is_axis(h, i) || h->stated[i] != stated) continue;
    if (shown++ == SHOWN) text_add(out, size, ", ...");
    if (shown > SHOWN) continue;
    const size_t categories = sfm_machine_categories(h->release, i);
    text_add(out, size, "%s%.60s = ", shown > 1 ? ", " : "", sfm_machine_input(h->release, i));
    if (categories)
      text_add(out, size, "%.60s", sfm_machine_category(h->release, i, (size_t)h->cells[i]));
    else if (!is_year(h, i) && h->cells[i] == floor(h->cells[i]) && fabs(h->cells[i]) < 1e15)
      text_whole(out + strlen(out), size - strlen(out), h->cells[i]);
    else
      text_add(out, size, "%.6g", h->cells[i]);
  }
  return shown;
}

/* Which category is held where nothing is stated: not always the first. */
static void name_resting(const machine_held_columns *h, char *out, size_t size) {
  const char *mark = NULL;
  bool several = false;
  for (size_t i = 0; i < h->count; i++) {
    if (is_axis(h, i) || h->stated[i]) continue;
    for (size_t k = 0; k < sfm_machine_categories(h->release, i) && k < (size_t)h->cells[i]; k++) {
      const char *skipped = sfm_machine_category(h->release, i, k);
      several = several || (mark && strcmp(mark, skipped) != 0);
      mark = skipped;
    }
  }
  if (several)
    snprintf(out, size, "the first category that is no mark of a missing value");
  else if (mark)
    snprintf(out, size, "the first category that is not '%s'", mark);
  else
    snprintf(out, size, "the first category");
}

void machine_held_columns_say(const machine_held_columns *h, char *note, size_t size) {
  char list[1024], category[96];
  name_resting(h, category, sizeof category);
  if (list_held(h, list, sizeof list, true)) text_add(note, size, "Held as stated: %s. ", list);
  if (list_held(h, list, sizeof list, false))
    text_add(note, size,
             "Held at public values, the middle of the bounds or %s: %s (--hold states others). ",
             category, list);
}
