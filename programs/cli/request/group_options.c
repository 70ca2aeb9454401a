#include "group_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/file_bytes.h"
#include "cli/io/csv_line.h"

/* Most columns that make groups. */
enum { BY_MAX = 8 };

sfm_status group_options_read_by(text_list *by, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "by");
  *by = (text_list){0};
  if (!text) return SFM_OK;
  sfm_status status = text_split(by, text, ',', error);
  for (size_t i = 0; !status && i < by->count; i++)
    if (!*by->items[i])
      status = cli_fail(error, SFM_INVALID,
                        "--by: a name between two commas is empty; write for example --by "
                        "sex,region");
  return status;
}

/* One item a line. */
static sfm_status read_lines(text_list *list, const file_bytes *file, const char *option,
                             const char *noun, sfm_error *error) {
  csv_line line;
  size_t offset = 0, count = 0;
  for (; csv_next_line(file, &offset, &line); count++)
    if (line.at == line.end)
      return cli_fail(error, SFM_INVALID,
                      "--%s: line %zu of %.200s is empty; write one %s a line, and no other",
                      option, count + 1, file->name, noun);
    else if (memchr(line.at, 0, (size_t)(line.end - line.at)))
      return cli_fail(error, SFM_INVALID, "--%s: %.200s is no text: its line %zu holds a NUL",
                      option, file->name, count + 1);
  if (count == 0)
    return cli_fail(error, SFM_INVALID, "--%s: %.200s is empty; write one %s a line", option,
                    file->name, noun);
  list->items = malloc(count * sizeof *list->items + file->length + count);
  if (!list->items) return cli_fail_memory(error);
  char *to = (char *)(list->items + count);
  for (offset = 0; list->count < count && csv_next_line(file, &offset, &line);) {
    const size_t length = (size_t)(line.end - line.at);
    memcpy(to, line.at, length);
    to[length] = 0;
    list->items[list->count++] = to;
    to += length + 1;
  }
  return SFM_OK;
}

sfm_status group_options_read_list(text_list *list, const char *path, const char *option,
                                   const char *noun, sfm_error *error) {
  file_bytes file = {0};
  if (!*path || strcmp(path, "-") == 0)
    return cli_fail(error, SFM_INVALID,
                    "--%s: after @ stands the name of a file, one %s a line; standard input is for "
                    "rows",
                    option, noun);
  sfm_status status = file_load(&file, path, error);
  if (!status) status = read_lines(list, &file, option, noun, error);
  file_clear(&file);
  return status;
}

/* A single category is almost always several with the wrong sign between them, and the answer to a
 * question that nobody asked would be charged. */
static sfm_status fail_single(const char *column, const char *text, sfm_error *error) {
  char meant[200];
  snprintf(meant, sizeof meant, "%s", strchr(text, ',') ? text : "A|B");
  for (char *at = meant; (at = strchr(at, ','));) *at = '|';
  return cli_fail(error, SFM_INVALID,
                  "column '%.200s' has a single category, '%.200s': categories are separated by |, "
                  "in quotes: --categories '%.200s=%s'; a list with one entry goes in a file "
                  "(@FILE)",
                  column, text, column, meant);
}

/* One --categories. */
static sfm_status state_categories(sfm_schema *schema, const char *text, sfm_error *error) {
  const char *equals = strchr(text, '=');
  text_list list = {0};
  if (!equals || equals == text || !equals[1])
    return cli_fail(error, SFM_INVALID,
                    "--categories: '%s' is not COLUMN=A|B|C or COLUMN=@FILE; write for example "
                    "--categories 'sex=F|M'",
                    text);
  char *column = strndup(text, (size_t)(equals - text));
  if (!column) return cli_fail_memory(error);
  sfm_status status =
      equals[1] == '@' ? group_options_read_list(&list, equals + 2, "categories", "category", error)
                       : text_split(&list, equals + 1, '|', error);
  if (!status && equals[1] != '@' && list.count == 1)
    status = fail_single(column, equals + 1, error);
  if (!status)
    status = sfm_schema_set_categories(schema, column, (const char *const *)list.items, list.count,
                                       error);
  text_list_clear(&list);
  free(column);
  return status;
}

sfm_status group_options_read_categories(sfm_schema *schema, const cli_options *options,
                                         sfm_error *error) {
  sfm_status status = SFM_OK;
  size_t at = 0;
  for (const char *text; !status && (text = options_next(options, "categories", &at));)
    status = state_categories(schema, text, error);
  return status;
}

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
      return cli_fail(error, SFM_INVALID, "--group %s names the column '%s' twice", text,
                      sfm_release_by(release, column));
    wanted[column] = items->items[i] + strlen(sfm_release_by(release, column)) + 1;
  }
  if (named == items->count) return SFM_OK;
  group_columns_text(names, sizeof names, release);
  if (named > 0 || items->count != columns)
    return cli_fail(error, SFM_INVALID,
                    "--group %s: write one category for each of %s, in this order and separated by "
                    "commas, or COLUMN=CATEGORY for all that you name",
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
  size_t used = 0;
  buffer[0] = 0;
  for (size_t g = 0; g < count && g < 6; g++) {
    char label[100];
    group_label_text(label, sizeof label, release, g);
    used += (size_t)snprintf(buffer + used, size - used, "%s%s", g ? "; " : "", label);
  }
  if (count > 6) snprintf(buffer + used, size - used, "; ... (%zu in all)", count);
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
    status = cli_fail(error, SFM_INVALID, "there is no group %s; the groups are: %s", text, list);
  }
  text_list_clear(&items);
  return status;
}

sfm_status group_selection_read(group_selection *out, const sfm_release *release,
                                const cli_options *options, sfm_error *error) {
  const size_t count = sfm_release_group_count(release);
  sfm_status status = SFM_OK;
  size_t at = 0;
  *out = (group_selection){.asked = options_has(options, "group")};
  if (count == 0 && out->asked)
    return cli_fail(error, SFM_INVALID, "--group: this release is not by groups; leave it out");
  if (count == 0) return SFM_OK;
  bool *chosen = calloc(count, sizeof *chosen);
  out->groups = malloc(count * sizeof *out->groups);
  if (!chosen || !out->groups) status = cli_fail_memory(error);
  for (const char *text; !status && (text = options_next(options, "group", &at));)
    status = mark(chosen, release, text, error);
  for (size_t g = 0; !status && g < count; g++)
    if (!out->asked || chosen[g]) out->groups[out->count++] = g;
  free(chosen);
  return status;
}

sfm_status group_selection_take(sfm_release **release, const cli_options *options,
                                sfm_error *error) {
  group_selection chosen;
  sfm_release *one = NULL;
  sfm_status status = group_selection_read(&chosen, *release, options, error);
  if (!status && chosen.count != 1)
    status = cli_fail(error, SFM_INVALID,
                      "--group %s names %zu groups; name one, with a category for every column",
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
