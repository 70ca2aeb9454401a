#include "query_matrix.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "file_bytes.h"
#include "npy_array.h"
#include "csv_line.h"
#include "cli/core/options.h"
#include "cli/core/text.h"

enum { NAME_ROOM = 256 };

void query_matrix_clear(query_matrix *q) {
  for (size_t j = 0; q->names && j < q->count; j++) free(q->names[j]);
  free(q->names);
  free(q->numbers);
  *q = (query_matrix){0};
}

static sfm_status take_npy(query_matrix *q, const file_bytes *file, sfm_error *error) {
  npy_array array;
  const double *numbers;
  double *owned = NULL;
  sfm_status status = npy_open(&array, file, error);
  if (!status && array.axes != 2)
    status = cli_misuse(error,
                        "%s has one axis; a matrix has two: one row per query, one column per cell",
                        file->name);
  if (!status) status = npy_numbers(&numbers, &owned, &array, error);
  if (status) return status;
  q->count = array.shape[0];
  q->cells = array.shape[1];
  const size_t size = q->count * q->cells * sizeof *q->numbers;
  q->numbers = malloc(size + 1);
  if (q->numbers)
    memcpy(q->numbers, numbers, size);
  else
    status = cli_fail_memory(error);
  free(owned);
  return status;
}

/* How a CSV is laid out. */
typedef struct layout {
  bool header, named;
} layout;

static layout look_at(const file_bytes *file) {
  csv_line line;
  size_t offset = 0;
  char first[NAME_ROOM];
  if (!csv_next_line(file, &offset, &line)) return (layout){0};
  const bool numbers = csv_has_number(line);
  const bool named = csv_next_cell(&line, first, sizeof first) && strcmp(first, "query") == 0;
  return (layout){.header = named || !numbers, .named = named};
}

static sfm_status take_line(query_matrix *q, csv_line line, bool named, const char *where,
                            size_t number, sfm_error *error) {
  char cell[NAME_ROOM];
  double *out = q->numbers + q->count * q->cells;
  if (named) {
    (void)csv_next_cell(&line, cell, sizeof cell);
    if (!(q->names[q->count] = strdup(cell))) return cli_fail_memory(error);
  }
  q->count++;
  for (size_t c = 0; c < q->cells; c++) {
    cell[0] = 0;
    if (!csv_next_cell(&line, cell, sizeof cell) || !text_number(&out[c], cell) ||
        !isfinite(out[c]))
      return cli_misuse(
          error,
          "%s, line %zu: column %zu holds no finite number; a matrix has one row per query and one "
          "column per cell, and may have a header line (a first column called `query` holds names)",
          where, number, c + 1 + named);
  }
  return SFM_OK;
}

/* Lines that are not empty, and the cells of the first of them; all have as many. */
static sfm_status count_lines(size_t *lines, size_t *cells, const file_bytes *file, layout l,
                              sfm_error *error) {
  csv_line line;
  size_t offset = 0, number = 0;
  *lines = *cells = 0;
  while (csv_next_line(file, &offset, &line)) {
    number++;
    if (line.at == line.end || (number == 1 && l.header)) continue;
    const size_t here = csv_count_cells(line);
    if (++*lines > 1 && here != *cells)
      return cli_misuse(error, "%s, line %zu: %zu cells, but the lines before have %zu", file->name,
                        number, here, *cells);
    *cells = here;
  }
  if (*lines == 0 || *cells <= l.named)
    return cli_misuse(error,
                      "%s holds no numbers; a matrix has one row per query and one column per cell",
                      file->name);
  return SFM_OK;
}

static sfm_status take_csv(query_matrix *q, const file_bytes *file, sfm_error *error) {
  const layout l = look_at(file);
  csv_line line;
  size_t offset = 0, number = 0, lines, cells;
  sfm_status status = count_lines(&lines, &cells, file, l, error);
  if (status) return status;
  q->cells = cells - l.named;
  q->numbers = malloc(lines * q->cells * sizeof *q->numbers);
  if (l.named) q->names = calloc(lines, sizeof *q->names);
  if (!q->numbers || (l.named && !q->names)) return cli_fail_memory(error);
  while (!status && csv_next_line(file, &offset, &line)) {
    number++;
    if (line.at == line.end || (number == 1 && l.header)) continue;
    status = take_line(q, line, l.named, file->name, number, error);
  }
  return status;
}

sfm_status query_matrix_load(query_matrix *q, const char *path, sfm_error *error) {
  file_bytes file = {0};
  *q = (query_matrix){0};
  sfm_status status = file_load(&file, path, error);
  if (!status) status = npy_is(&file) ? take_npy(q, &file, error) : take_csv(q, &file, error);
  file_clear(&file);
  return status;
}
