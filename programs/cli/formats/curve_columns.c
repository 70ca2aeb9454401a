#include "curve_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/points.h"
#include "sfumato/curve.h"

const cli_option option_curve_columns = {
    "columns", "A-B|NAMES",
    "the columns that hold the values of a curve, in the order of the grid: the A-th to the B-th, "
    "counted from 1, or their names, separated by commas (h1..h24 stands for h1, h2, ..., h24)"};
const cli_option option_curve_grid = {
    "grid", "A:B|@FILE",
    "where the values were measured: at evenly spaced points from A to B, both included, or at the "
    "numbers in a file (one per line, or separated by commas), in ascending order, one per column"};

/* "3-95": two places; false when it is something else. */
static bool places_of(uint64_t *first, uint64_t *last, const char *text) {
  char digits[24];
  const char *dash = strchr(text, '-');
  const size_t length = dash ? (size_t)(dash - text) : 0;
  if (length == 0 || length >= sizeof digits) return false;
  memcpy(digits, text, length);
  digits[length] = 0;
  return text_count(first, digits) && text_count(last, dash + 1);
}

static sfm_status read_columns(curve_columns *w, const char *text, sfm_error *error) {
  uint64_t first, last;
  if (places_of(&first, &last, text)) {
    if (first < 1 || last <= first || last > 1000000)
      return cli_misuse(error,
                        "--columns %s: positions are counted from 1, in ascending order; write for "
                        "example --columns 3-95",
                        text);
    w->first = (size_t)first - 1;
    w->count = (size_t)(last - first) + 1;
  } else {
    sfm_status status = text_split(&w->names, text, ',', error);
    if (!status) status = text_expand(&w->names, "columns", SFM_CURVE_POINTS_MAX, error);
    if (status) return status;
    w->count = w->names.count;
    for (size_t i = 0; i < w->count; i++)
      if (!*w->names.items[i])
        return cli_misuse(error, "--columns: a name between two commas is empty; write names "
                                 "separated by commas, or positions such as 3-95");
  }
  if (w->count < 2 || w->count > SFM_CURVE_POINTS_MAX)
    return cli_misuse(
        error,
        "--columns names %zu column%s; a curve has 2 to %d points, one per column (--columns 3-95 "
        "means the 3rd to the 95th column, --columns h1..h24 the columns of these names)",
        w->count, w->count == 1 ? "" : "s", SFM_CURVE_POINTS_MAX);
  return SFM_OK;
}

static bool is_between(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

/* The next run of bytes that no blank, comma or line end interrupts, from *at on; its length. */
static size_t next_word(const file_bytes *file, size_t *at) {
  size_t length = 0;
  while (*at < file->length && is_between(file->data[*at])) ++*at;
  while (*at + length < file->length && !is_between(file->data[*at + length])) length++;
  return length;
}

/* Numbers separated by commas, blanks or line ends; *count of them. */
static sfm_status read_numbers(double **out, size_t *count, const file_bytes *file,
                               sfm_error *error) {
  size_t capacity = 0, at = 0;
  *out = NULL;
  *count = 0;
  for (size_t length; (length = next_word(file, &at)) > 0; at += length) {
    char word[64] = "";
    if (*count == capacity) {
      capacity = capacity ? 2 * capacity : 256;
      double *larger = realloc(*out, capacity * sizeof *larger);
      if (!larger) return cli_fail_memory(error);
      *out = larger;
    }
    if (length < sizeof word) memcpy(word, file->data + at, length);
    if (!text_number(&(*out)[(*count)++], word))
      return cli_misuse(error,
                        "%s: entry %zu of the grid is not a number; write one number per line, or "
                        "numbers separated by commas",
                        file->name, *count);
  }
  return SFM_OK;
}

/* Of a plan: whether a grid has as many points as a curve can. */
static sfm_status check_points(size_t count, const char *grid, sfm_error *error) {
  if (count >= 2 && count <= SFM_CURVE_POINTS_MAX) return SFM_OK;
  return cli_misuse(error, "--grid: %.200s has %zu point%s; a curve has 2 to %d", grid, count,
                    count == 1 ? "" : "s", SFM_CURVE_POINTS_MAX);
}

static sfm_status grid_from_file(curve_columns *w, const char *path, sfm_error *error) {
  file_bytes file = {0};
  size_t count = 0;
  if (strcmp(path, "-") == 0)
    return cli_misuse(error, "--grid @-: the grid is read from a file, not from standard input");
  sfm_status status = file_load(&file, path, error);
  if (!status) status = read_numbers(&w->grid, &count, &file, error);
  if (!status && w->count == 0) /* as many as there are */
    status = check_points(w->count = count, path, error);
  else if (!status && count != w->count)
    status = cli_misuse(error, "%s has %zu points for %zu columns; a grid has one point per column",
                        path, count, w->count);
  file_clear(&file);
  return status;
}

static sfm_status grid_between(curve_columns *w, const char *text, sfm_error *error) {
  text_list ends = {0};
  double lower = 0, upper = 0;
  sfm_status status = text_split(&ends, text, ':', error);
  if (status) return status;
  const bool pair = ends.count == 2 && text_number(&lower, ends.items[0]) &&
                    text_number(&upper, ends.items[1]) && isfinite(lower) && isfinite(upper);
  if (!pair)
    status =
        cli_misuse(error,
                   "--grid: '%s' is not a pair of numbers with a colon between them; write for "
                   "example --grid 0:1, or @ before the name of a file of points: --grid @ages.txt",
                   text);
  else if (lower == upper)
    status = cli_misuse(
        error, "--grid %s leaves no room for the points of a curve; write for example --grid 0:1",
        text);
  else if (lower > upper)
    status = cli_misuse(
        error, "--grid %s does not ascend; write --grid %s:%s, and the columns in that order", text,
        ends.items[1], ends.items[0]);
  text_list_clear(&ends);
  if (status) return status;
  w->grid = malloc(w->count * sizeof *w->grid);
  if (!w->grid) return cli_fail_memory(error);
  points_fill_grid(w->grid, &w->count, &lower, &upper, 1);
  return SFM_OK;
}

static sfm_status check_ascent(const curve_columns *w, const char *text, sfm_error *error) {
  for (size_t i = 0; w->grid && i < w->count; i++)
    if (!isfinite(w->grid[i]) || (i > 0 && !(w->grid[i - 1] < w->grid[i])))
      return cli_misuse(
          error, "--grid %s: point %zu %s; put points and columns in ascending order", text, i + 1,
          isfinite(w->grid[i]) ? "does not lie above the one before it" : "is not a finite number");
  return SFM_OK;
}

sfm_status curve_columns_read(curve_columns *w, const cli_options *options, size_t count,
                              sfm_error *error) {
  const char *columns = options_get(options, "columns"), *grid = options_get(options, "grid");
  *w = (curve_columns){.count = count};
  sfm_status status = columns ? read_columns(w, columns, error) : SFM_OK;
  if (!status && grid)
    status = grid[0] == '@' ? grid_from_file(w, grid + 1, error) : grid_between(w, grid, error);
  return status ? status : check_ascent(w, grid ? grid : "", error);
}

/* A:B:N. */
static sfm_status grid_counted(curve_columns *w, const char *text, sfm_error *error) {
  const char *last = strrchr(text, ':'), *first = strchr(text, ':');
  char pair[96];
  uint64_t count = 0;
  if (!first || first == last || !text_count(&count, last + 1) || count > 1000000)
    return cli_misuse(
        error,
        "--grid: '%.80s' does not say how many points a curve has; write for example --grid 0:1:93 "
        "(93 evenly spaced points from 0 to 1), --grid @FILE, or --grid 0:1 and --columns 3-95",
        text);
  w->count = (size_t)count;
  snprintf(pair, sizeof pair, "%.*s", (int)(last - text < 90 ? last - text : 90), text);
  sfm_status status = check_points(w->count, text, error);
  return status ? status : grid_between(w, pair, error);
}

sfm_status curve_columns_plan(curve_columns *w, const cli_options *options, sfm_error *error) {
  const char *grid = options_get(options, "grid");
  *w = (curve_columns){0};
  if (!grid)
    return cli_misuse(error,
                      "--grid is missing: where the values will be measured; write for example "
                      "--grid 0:1:93 for 93 evenly spaced points from 0 to 1, or --grid @FILE");
  if (options_has(options, "columns")) return curve_columns_read(w, options, 0, error);
  sfm_status status =
      grid[0] == '@' ? grid_from_file(w, grid + 1, error) : grid_counted(w, grid, error);
  return status ? status : check_ascent(w, grid, error);
}

void curve_columns_clear(curve_columns *w) {
  text_list_clear(&w->names);
  free(w->grid);
  *w = (curve_columns){0};
}
