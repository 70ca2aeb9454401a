#include "group_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/file_bytes.h"
#include "cli/io/csv_line.h"

const cli_option option_by = {
    "by", "NAMES",
    "columns with stated categories, separated by commas: one density for every combination of "
    "their categories; all of them together cost as much as one"};
const cli_option option_categories = {
    "categories", "COLUMN=A|B|C...",
    "the categories that a column can have, or COLUMN=@FILE, one per line; may be repeated; public "
    "knowledge, never read from the rows; a row with another category is ignored"};

sfm_status group_options_read_by(text_list *by, const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "by");
  *by = (text_list){0};
  if (!text) return SFM_OK;
  sfm_status status = text_split(by, text, ',', error);
  for (size_t i = 0; !status && i < by->count; i++)
    if (!*by->items[i])
      status = cli_misuse(
          error, "--by: a name between two commas is empty; write for example --by sex,region");
  return status;
}

/* One item per line. */
static sfm_status read_lines(text_list *list, const file_bytes *file, const char *option,
                             const char *noun, sfm_error *error) {
  csv_line line;
  size_t offset = 0, count = 0;
  for (; csv_next_line(file, &offset, &line); count++)
    if (line.at == line.end)
      return cli_misuse(
          error, "--%s: line %zu of %.200s is empty; write one %s per line, and no empty lines",
          option, count + 1, file->name, noun);
    else if (memchr(line.at, 0, (size_t)(line.end - line.at)))
      return cli_misuse(error, "--%s: %.200s is not a text: its line %zu holds a NUL", option,
                        file->name, count + 1);
  if (count == 0)
    return cli_misuse(error, "--%s: %.200s is empty; write one %s per line", option, file->name,
                      noun);
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
    return cli_misuse(
        error,
        "--%s: after @ write the name of a file with one %s per line; standard input is for rows",
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
  return cli_misuse(
      error,
      "column '%.200s' has a single category, '%.200s': categories are separated by |, in quotes: "
      "--categories '%.200s=%s'; a list with one entry goes in a file (@FILE)",
      column, text, column, meant);
}

/* One --categories. */
static sfm_status state_categories(sfm_schema *schema, const char *text, sfm_error *error) {
  const char *equals = strchr(text, '=');
  text_list list = {0};
  if (!equals || equals == text || !equals[1])
    return cli_misuse(error,
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
