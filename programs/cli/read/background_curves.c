#include "background_curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/file_bytes.h"
#include "cli/io/npy_array.h"
#include "cli/io/csv_line.h"
#include "cli/io/json_output.h"

/* Without --grid: the release's points, when there are as many. */
static sfm_status default_grid(background_curves *b, const sfm_release *release, const char *path,
                               sfm_error *error) {
  const double *points;
  const size_t count = sfm_release_measured(release, &points);
  if (count == 0)
    return cli_misuse(error,
                      "the release does not say where its curves were measured; write --grid A:B "
                      "or --grid @FILE for the curves of %.200s",
                      path);
  if (count != b->w.count)
    return cli_misuse(
        error,
        "the curves of %.200s have %zu points (one per column), but those of the release have %zu; "
        "name the columns of the points (--columns 3-95), or where they were measured (--grid)",
        path, b->w.count, count);
  b->w.grid = malloc(count * sizeof *b->w.grid);
  if (!b->w.grid) return cli_fail_memory(error);
  memcpy(b->w.grid, points, count * sizeof *points);
  return SFM_OK;
}

/* Which of the wanted values each of `cells` cells of a line holds, or -1. */
static sfm_status find_slots(long *slots, size_t cells, const curve_columns *w, csv_line header,
                             const char *path, sfm_error *error) {
  for (size_t c = 0; c < cells; c++) slots[c] = -1;
  for (size_t i = 0; i < w->count; i++) {
    const long named = w->names.count ? csv_find(header, w->names.items[i]) : 0;
    const size_t place = w->names.count ? (size_t)named : w->first + i;
    if (named < 0)
      return cli_misuse(error, "%.200s has no column '%s' in its first line", path,
                        w->names.items[i]);
    if (place >= cells)
      return cli_misuse(error, "%.200s has %zu columns, so there is no column %zu", path, cells,
                        place + 1);
    if (slots[place] >= 0)
      return cli_misuse(error, "column '%s' is selected twice", w->names.items[i]);
    slots[place] = (long)i;
  }
  return SFM_OK;
}

/* The values of one line; NaN where there is none. */
static void read_line(double *values, size_t count, csv_line line, const long *slots,
                      size_t cells) {
  char cell[64];
  for (size_t i = 0; i < count; i++) values[i] = NAN;
  for (size_t c = 0; c < cells && csv_next_cell(&line, cell, sizeof cell); c++) {
    double value;
    if (slots[c] >= 0 && text_number(&value, cell)) values[slots[c]] = value;
  }
}

static sfm_status read_lines(background_curves *b, const file_bytes *file, size_t offset,
                             const long *slots, size_t cells, sfm_error *error) {
  size_t capacity = 0;
  csv_line line;
  while (csv_next_line(file, &offset, &line)) {
    if (b->count == capacity) {
      capacity = capacity ? 2 * capacity : 256;
      double *larger = realloc(b->values, capacity * b->w.count * sizeof *larger);
      if (!larger) return cli_fail_memory(error);
      b->values = larger;
    }
    read_line(b->values + b->count++ * b->w.count, b->w.count, line, slots, cells);
  }
  return SFM_OK;
}

static sfm_status read_file(background_curves *b, const file_bytes *file,
                            const cli_options *options, const sfm_release *release,
                            sfm_error *error) {
  csv_line header;
  size_t offset = 0;
  if (file->length >= 2 && memcmp(file->data, "\x1f\x8b", 2) == 0)
    return cli_misuse(error, "%.200s is compressed; decompress it first, for example with gunzip",
                      file->name);
  if (npy_is(file) || !csv_next_line(file, &offset, &header))
    return cli_misuse(error,
                      "%.200s is not a CSV of curves, with one curve per line after a header line",
                      file->name);
  const size_t cells = csv_count_cells(header);
  sfm_status status = curve_columns_read(&b->w, options, cells, error);
  if (!status && !b->w.grid) status = default_grid(b, release, file->name, error);
  long *slots = malloc((cells + 1) * sizeof *slots);
  if (!status && !slots) status = cli_fail_memory(error);
  if (!status) status = find_slots(slots, cells, &b->w, header, file->name, error);
  if (!status) status = read_lines(b, file, offset, slots, cells, error);
  free(slots);
  return status;
}

sfm_status background_curves_read(background_curves *b, const cli_options *options,
                                  const sfm_release *release, sfm_error *error) {
  const char *path = options_get(options, "over");
  file_bytes file = {0};
  *b = (background_curves){0};
  if (!path && (options_has(options, "columns") || options_has(options, "grid")))
    return cli_misuse(
        error, "--columns and --grid are for the curves of --over; add --over, or leave them out");
  if (!path) return SFM_OK;
  if (sfm_release_dimension(release) != 1)
    return cli_misuse(error, "--over is for a function of one variable, which this release is not");
  sfm_status status = file_load(&file, path, error);
  if (!status) status = read_file(b, &file, options, release, error);
  const char *last = strrchr(path, '/');
  snprintf(b->name, sizeof b->name, "%.80s, not protected", last ? last + 1 : path);
  file_clear(&file);
  return status;
}

void background_curves_clear(background_curves *b) {
  curve_columns_clear(&b->w);
  free(b->values);
  *b = (background_curves){0};
}

void background_curves_show(const background_curves *b, draw_figure *figure) {
  if (!b->values) return;
  figure->behind = b->values;
  figure->behind_at = b->w.grid;
  figure->behind_count = b->count;
  figure->behind_length = b->w.count;
  figure->behind_name = b->name;
}
