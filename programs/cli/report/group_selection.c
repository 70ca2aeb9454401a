#include "group_selection.h"

#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"

/* Most columns that make groups. */
enum { BY_MAX = 8 };

void group_selection_clear(group_selection *g) {
  free(g->groups);
  *g = (group_selection){0};
}

/* What one --group asks of each column: a category, or NULL for any. */
typedef const char *wishes[BY_MAX];

/* The column that an item names before its '=', or the number of columns. */
static size_t named_column(const sfm_release *release, const char *item) {
  const size_t count = sfm_release_by_count(release);
  for (size_t i = 0; i < count; i++) {
    const char *name = sfm_release_by(release, i);
    const size_t length = strlen(name);
    if (strncmp(item, name, length) == 0 && item[length] == '=') return i;
  }
  return count;
}

static sfm_status read_wishes(wishes wanted, const sfm_release *release, const text_list *items,
                              const char *text, sfm_error *error) {
  const size_t columns = sfm_release_by_count(release);
  char names[200];
  size_t named = 0;
  memset(wanted, 0, BY_MAX * sizeof *wanted);
  for (size_t i = 0; i < items->count; i++) {
    const size_t column = named_column(release, items->items[i]);
    if (column == columns) continue;
    named++;
    if (wanted[column])
      return cli_misuse(error, "--group %s names the column '%s' twice", text,
                        sfm_release_by(release, column));
    wanted[column] = items->items[i] + strlen(sfm_release_by(release, column)) + 1;
  }
  if (named == items->count) return SFM_OK;
  group_columns_text(names, sizeof names, release);
  if (named > 0 || items->count != columns)
    return cli_misuse(error,
                      "--group %s: write one category for each of %s, in this order and separated "
                      "by commas, or COLUMN=CATEGORY for all that you name",
                      text, names);
  for (size_t i = 0; i < columns; i++) wanted[i] = items->items[i];
  return SFM_OK;
}

static bool grants(const sfm_release *release, size_t g, wishes wanted) {
  for (size_t i = 0; i < sfm_release_by_count(release); i++)
    if (wanted[i] && strcmp(wanted[i], sfm_release_group_label(release, g, i)) != 0) return false;
  return true;
}

/* The first few groups, for a message. */
static void list_groups(char *buffer, size_t size, const sfm_release *release) {
  const size_t count = sfm_release_group_count(release);
  buffer[0] = 0;
  for (size_t g = 0; g < count && g < 6; g++) {
    char label[100];
    group_label_text(label, sizeof label, release, g);
    text_add(buffer, size, "%s%s", g ? "; " : "", label);
  }
  if (count > 6) text_add(buffer, size, "; ... (%zu in all)", count);
}

/* Marks the groups that one --group names. */
static sfm_status mark(bool *chosen, const sfm_release *release, const char *text,
                       sfm_error *error) {
  text_list items = {0};
  wishes wanted;
  char list[700];
  size_t found = 0;
  sfm_status status = text_split(&items, text, ',', error);
  if (!status) status = read_wishes(wanted, release, &items, text, error);
  for (size_t g = 0; !status && g < sfm_release_group_count(release); g++)
    if (grants(release, g, wanted)) {
      chosen[g] = true;
      found++;
    }
  if (!status && found == 0) {
    list_groups(list, sizeof list, release);
    status = cli_misuse(error, "there is no group %s; the groups are: %s", text, list);
  }
  text_list_clear(&items);
  return status;
}

sfm_status group_selection_read(group_selection *out, const sfm_release *release,
                                const cli_options *options, sfm_error *error) {
  const size_t count = sfm_release_group_count(release);
  sfm_status status = SFM_OK;
  size_t at = 0;
  const bool asked = options_has(options, "group");
  *out = (group_selection){0};
  if (count == 0 && asked)
    return cli_misuse(error, "--group: this release is not by groups; leave it out");
  if (count == 0) return SFM_OK;
  bool *chosen = calloc(count, sizeof *chosen);
  out->groups = malloc(count * sizeof *out->groups);
  if (!chosen || !out->groups) status = cli_fail_memory(error);
  for (const char *text; !status && (text = options_next(options, "group", &at));)
    status = mark(chosen, release, text, error);
  for (size_t g = 0; !status && g < count; g++)
    if (!asked || chosen[g]) out->groups[out->count++] = g;
  free(chosen);
  return status;
}

sfm_status group_selection_take(sfm_release **release, const cli_options *options,
                                sfm_error *error) {
  group_selection chosen;
  sfm_release *one = NULL;
  sfm_status status = group_selection_read(&chosen, *release, options, error);
  if (!status && chosen.count != 1)
    status =
        cli_misuse(error, "--group %s names %zu groups; name one, with a category for every column",
                   options_get(options, "group"), chosen.count);
  if (!status) status = sfm_release_group(&one, *release, chosen.groups[0], error);
  group_selection_clear(&chosen);
  if (status) return status;
  sfm_release_destroy(*release);
  *release = one;
  return SFM_OK;
}

void group_label_text(char *buffer, size_t size, const sfm_release *release, size_t g) {
  const char *labels[BY_MAX];
  const size_t count = sfm_release_by_count(release);
  for (size_t i = 0; i < count; i++) labels[i] = sfm_release_group_label(release, g, i);
  text_join(buffer, size, labels, count);
}

void group_columns_text(char *buffer, size_t size, const sfm_release *release) {
  const char *names[BY_MAX];
  const size_t count = sfm_release_by_count(release);
  for (size_t i = 0; i < count; i++) names[i] = sfm_release_by(release, i);
  text_join(buffer, size, names, count);
}
