#include "number_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file_bytes.h"
#include "npy_array.h"
#include "csv_line.h"
#include "cli/core/options.h"
#include "cli/core/text.h"

/* The file, and the shape it should have. */
typedef struct table_file {
  file_bytes file;
  const char *path, *meaning;
  size_t rows, columns;
} table_file;

static sfm_status wrong_shape(const table_file *s, size_t rows, size_t columns, sfm_error *error) {
  return cli_misuse(error,
                    "%s has %zu line%s with %zu numbers each, but %zu with %zu are needed: %s",
                    s->path, rows, rows == 1 ? "" : "s", columns, s->rows, s->columns, s->meaning);
}

static sfm_status take_npy(const table_file *s, double *out, sfm_error *error) {
  npy_array array;
  const double *numbers;
  double *owned = NULL;
  sfm_status status = npy_open(&array, &s->file, error);
  if (status) return status;
  const size_t count = array.shape[0] * (array.axes == 2 ? array.shape[1] : 1);
  const bool line = array.axes == 1 && s->rows == 1 && array.shape[0] == s->columns;
  if (!line && (array.axes != 2 || array.shape[0] != s->rows || array.shape[1] != s->columns))
    return wrong_shape(s, array.shape[0], array.axes == 2 ? array.shape[1] : 1, error);
  status = npy_numbers(&numbers, &owned, &array, error);
  if (!status) memcpy(out, numbers, count * sizeof *out);
  free(owned);
  return status;
}

/* One line; its number is for messages. */
static sfm_status take_line(const table_file *s, double *out, csv_line line, size_t number,
                            sfm_error *error) {
  char cell[64];
  for (size_t j = 0; csv_next_cell(&line, cell, sizeof cell); j++)
    if (!text_number(&out[j], cell) || !isfinite(out[j]))
      return cli_misuse(
          error, "%s, line %zu, cell %zu: '%s' is not a finite number; there is no header line: %s",
          s->path, number, j + 1, cell, s->meaning);
  return SFM_OK;
}

static sfm_status take_csv(const table_file *s, double *out, sfm_error *error) {
  csv_line line;
  size_t offset = 0, lines = 0, cells = 0;
  while (csv_next_line(&s->file, &offset, &line)) {
    if (line.at == line.end) continue;
    const size_t here = csv_count_cells(line);
    if (lines > 0 && here != cells)
      return cli_misuse(error, "%s: line %zu has %zu number%s, but the lines before it have %zu",
                        s->path, lines + 1, here, here == 1 ? "" : "s", cells);
    cells = here;
    lines++;
  }
  const bool upright = s->rows == 1 && cells == 1 && lines == s->columns;
  if (!upright && (lines != s->rows || cells != s->columns))
    return wrong_shape(s, lines, cells, error);
  sfm_status status = SFM_OK;
  for (offset = 0, lines = 0; !status && csv_next_line(&s->file, &offset, &line);) {
    if (line.at == line.end) continue;
    status = take_line(s, out + lines * cells, line, lines + 1, error);
    lines++;
  }
  return status;
}

sfm_status number_table_load(double **out, const char *path, size_t rows, size_t columns,
                             const char *meaning, sfm_error *error) {
  table_file s = {.path = path, .meaning = meaning, .rows = rows, .columns = columns};
  *out = NULL;
  sfm_status status = file_load(&s.file, path, error);
  if (status) return status;
  double *numbers = malloc(rows * columns * sizeof *numbers);
  if (!numbers)
    status = cli_fail_memory(error);
  else
    status = npy_is(&s.file) ? take_npy(&s, numbers, error) : take_csv(&s, numbers, error);
  if (status)
    free(numbers);
  else
    *out = numbers;
  file_clear(&s.file);
  return status;
}
