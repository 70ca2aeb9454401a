/* machine_points.c - the points at which a machine is evaluated.  They are the analyst's own, so a
 * message about a cell names its line. */
#include "machine_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/points.h"
#include "cli/io/npy_array.h"
#include "cli/core/text.h"
#include "cli/formats/gzip_file.h"
#include "cli/core/options.h"
#include "cli/report/machine_fit_text.h"
#include "cli/formats/libsvm_points.h"

enum { CELL_LONGEST = 1024 };

void machine_points_clear(machine_points *asked) {
  sfm_free(asked->starts);
  sfm_free(asked->indices);
  sfm_free(asked->numbers);
  free(asked->owned);
  file_clear(&asked->file);
  *asked = (machine_points){0};
}

bool machine_points_printed(const machine_points *asked) {
  enum { COLUMNS_MOST = 64 };
  return asked->inputs > 0 && asked->inputs <= COLUMNS_MOST;
}

/* ---- cells ---- */

size_t machine_find_column(const sfm_release *release, const char *name) {
  const char *input;
  for (size_t i = 0; (input = sfm_machine_input(release, i)); i++)
    if (strcmp(input, name) == 0) return i;
  return SIZE_MAX;
}

bool machine_cell(double *out, const sfm_release *release, size_t i, const char *text) {
  const size_t categories = sfm_machine_categories(release, i);
  if (categories == 0) return text_number(out, text) && isfinite(*out);
  for (size_t k = 0; k < categories; k++)
    if (strcmp(sfm_machine_category(release, i, k), text) == 0) {
      *out = (double)k;
      return true;
    }
  return false;
}

sfm_status machine_cell_fail(const sfm_release *release, size_t i, const char *text,
                             const char *where, sfm_error *error) {
  enum { NAMED = 12 };
  const size_t categories = sfm_machine_categories(release, i);
  const char *names[NAMED];
  char list[256];
  if (categories == 0)
    return cli_misuse(error, "%s: '%.80s' of %.80s is not a number", where, text,
                      sfm_machine_input(release, i));
  for (size_t k = 0; k < categories && k < NAMED; k++)
    names[k] = sfm_machine_category(release, i, k);
  text_join(list, sizeof list, names, categories < NAMED ? categories : NAMED);
  return cli_misuse(error, "%s: '%.80s' is not a category of %.80s; its categories are %s%s", where,
                    text, sfm_machine_input(release, i), list, categories > NAMED ? ", ..." : "");
}

/* ---- as text ---- */

static sfm_status text_point(double *cells, const sfm_release *release, size_t inputs,
                             const char *text, sfm_error *error) {
  text_list list;
  sfm_status status = text_split(&list, text, ',', error);
  if (status) return status;
  if (list.count != inputs)
    status =
        cli_misuse(error,
                   "--at: '%.80s' has %zu value%s, but the machine has %zu column%s; write one "
                   "value per column, and semicolons between points: --at '1,2;3,4'",
                   text, list.count, list.count == 1 ? "" : "s", inputs, inputs == 1 ? "" : "s");
  for (size_t i = 0; !status && i < inputs; i++)
    if (!machine_cell(&cells[i], release, i, list.items[i]))
      status = machine_cell_fail(release, i, list.items[i], "--at", error);
  text_list_clear(&list);
  return status;
}

sfm_status machine_points_text(machine_points *out, const sfm_release *release, const char *text,
                               sfm_error *error) {
  sfm_machine machine;
  text_list list;
  *out = (machine_points){.axes = 1};
  if (sfm_release_machine(release, &machine) && machine_is_gram(&machine))
    return machine_gram_fail("--at", &machine, error);
  if (!sfm_release_machine(release, &machine) || machine.input_count == 0)
    return cli_misuse(error, "--at is for machines with columns; this one was trained on sparse "
                             "rows: write libsvm text and give --points FILE");
  out->inputs = machine.input_count;
  sfm_status status =
      text_split(&list, text, out->inputs == 1 && !strchr(text, ';') ? ',' : ';', error);
  if (status) return status;
  out->owned = malloc(list.count * out->inputs * sizeof *out->owned);
  if (!out->owned) status = cli_fail_memory(error);
  for (size_t p = 0; !status && p < list.count; p++)
    status = text_point(out->owned + p * out->inputs, release, out->inputs, list.items[p], error);
  out->cells = out->owned;
  out->count = list.count;
  text_list_clear(&list);
  return status;
}

/* ---- CSV and NPY ---- */

/* Which input the cells of a line are: SIZE_MAX where it is none; *count cells of a line. */
static sfm_status find_inputs(size_t **which, size_t *count, csv_line header, const char *file,
                              const sfm_release *release, size_t inputs, sfm_error *error) {
  char cell[CELL_LONGEST];
  *count = csv_count_cells(header);
  *which = malloc((*count + 1) * sizeof **which);
  bool *found = calloc(inputs + 1, sizeof *found);
  sfm_status status = *which && found ? SFM_OK : cli_fail_memory(error);
  for (size_t c = 0; !status && csv_next_cell(&header, cell, sizeof cell); c++) {
    const size_t i = (*which)[c] = machine_find_column(release, cell);
    if (i == SIZE_MAX) continue;
    if (found[i])
      status = cli_misuse(error, "%s has two columns named '%s'; rename one of them", file,
                          sfm_machine_input(release, i));
    found[i] = true;
  }
  for (size_t i = 0; !status && i < inputs; i++)
    if (!found[i])
      status = cli_misuse(
          error,
          "%s has no column '%s' in its first line, which must name the columns of the machine",
          file, sfm_machine_input(release, i));
  free(found);
  return status;
}

static sfm_status read_line(double *cells, csv_line line, const size_t *which, size_t count,
                            const sfm_release *release, const char *where, sfm_error *error) {
  char cell[CELL_LONGEST];
  for (size_t c = 0; c < count && csv_next_cell(&line, cell, sizeof cell); c++) {
    const size_t i = which[c];
    if (i == SIZE_MAX || !*cell) continue;
    if (!machine_cell(&cells[i], release, i, cell))
      return machine_cell_fail(release, i, cell, where, error);
  }
  return SFM_OK;
}

static sfm_status from_csv(machine_points *out, const sfm_release *release, sfm_error *error) {
  size_t offset = 0, room = 0, number = 1, *which = NULL, count = 0;
  char where[300];
  csv_line line;
  if (!csv_next_line(&out->file, &offset, &line))
    return cli_fail(error, SFM_FORMAT,
                    "%s is empty; its first line must name the columns of the machine",
                    out->file.name);
  sfm_status status =
      find_inputs(&which, &count, line, out->file.name, release, out->inputs, error);
  while (!status && csv_next_line(&out->file, &offset, &line)) {
    number++;
    if (line.at == line.end) continue;
    if (out->count == room) {
      room = room ? 2 * room : 1024;
      double *larger = realloc(out->owned, room * out->inputs * sizeof *larger);
      if (!larger) {
        status = cli_fail_memory(error);
        break;
      }
      out->owned = larger;
    }
    double *cells = out->owned + out->count++ * out->inputs;
    for (size_t i = 0; i < out->inputs; i++) cells[i] = NAN;
    snprintf(where, sizeof where, "%.200s, line %zu", out->file.name, number);
    status = read_line(cells, line, which, count, release, where, error);
  }
  free(which);
  out->cells = out->owned;
  return status;
}

/* A number of a column with categories is a place among them. */
static sfm_status from_npy(machine_points *out, sfm_error *error) {
  npy_array array;
  sfm_status status = npy_open(&array, &out->file, error);
  if (status) return status;
  if (array.shape[1] != out->inputs)
    return cli_misuse(error,
                      "%s has %zu numbers per point, but the machine has %zu column%s; its shape "
                      "must be (points, %zu)",
                      out->file.name, array.shape[1], out->inputs, out->inputs == 1 ? "" : "s",
                      out->inputs);
  out->count = array.shape[0];
  return npy_numbers(&out->cells, &out->owned, &array, error);
}

static bool ends_in_npy(const char *path) {
  const size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".npy") == 0;
}

/* All coordinates of sparse rows, as a matrix. */
static sfm_status from_matrix(machine_points *out, size_t dimension, bool gram, sfm_error *error) {
  npy_array array;
  const double *numbers = NULL;
  double *owned = NULL;
  sfm_status status = npy_open(&array, &out->file, error);
  if (!status && array.shape[1] != dimension)
    status = cli_misuse(error,
                        "%s has %zu numbers per point, but the machine has %zu %s%s; its shape "
                        "must be (points, %zu)",
                        out->file.name, array.shape[1], dimension,
                        gram ? "public point" : "coordinate", dimension == 1 ? "" : "s", dimension);
  if (!status) status = npy_numbers(&numbers, &owned, &array, error);
  const size_t count = status ? 0 : array.shape[0], cells = count * dimension;
  out->starts = malloc((count + 1) * sizeof *out->starts);
  out->indices = malloc((cells + 1) * sizeof *out->indices);
  out->numbers = malloc((cells + 1) * sizeof *out->numbers);
  if (!status && (!out->starts || !out->indices || !out->numbers)) status = cli_fail_memory(error);
  for (size_t i = 0; !status && i < cells; i++) {
    out->indices[i] = (uint32_t)(i % dimension);
    out->numbers[i] = numbers[i];
  }
  for (size_t i = 0; !status && i <= count; i++) out->starts[i] = i * dimension;
  out->count = count;
  free(owned);
  return status;
}

sfm_status machine_points_file(machine_points *out, const sfm_release *release, const char *path,
                               sfm_error *error) {
  sfm_machine machine;
  *out = (machine_points){.axes = 1};
  (void)sfm_release_machine(release, &machine);
  out->inputs = machine.input_count;
  if (out->inputs == 0 && !ends_in_npy(path))
    return libsvm_points_read(&out->starts, &out->indices, &out->numbers, &out->count, path,
                              machine.dimension, error);
  sfm_status status = file_load(&out->file, path, error);
  if (!status) status = file_gunzip(&out->file, error);
  if (status) return status;
  if (out->inputs == 0)
    return from_matrix(out, machine.dimension, machine_is_gram(&machine), error);
  return npy_is(&out->file) ? from_npy(out, error) : from_csv(out, release, error);
}

/* ---- grids ---- */

sfm_status machine_points_grid(machine_points *out, const sfm_release *release, const char *text,
                               sfm_error *error) {
  double lower[2], upper[2];
  sfm_machine machine;
  size_t total = 0;
  *out = (machine_points){0};
  (void)sfm_release_machine(release, &machine);
  if (machine_is_gram(&machine)) return machine_gram_fail("--grid", &machine, error);
  const size_t inputs = out->inputs = machine.input_count;
  bool fits = inputs == 1 || inputs == 2;
  for (size_t i = 0; fits && i < inputs; i++) {
    sfm_machine_bounds(release, &lower[i], &upper[i], i);
    fits = isfinite(lower[i]) && isfinite(upper[i]);
  }
  if (!fits)
    return cli_misuse(error, "--grid is for machines of one or two columns of numbers with bounds; "
                             "name the points that you need (--points FILE)");
  sfm_status status = points_grid_counts(out->shape, &total, text, "grid", inputs, error);
  if (status) return status;
  if (total > (size_t)1 << 28)
    return cli_misuse(error, "--grid %s has %zu points, which would take too long", text, total);
  out->owned = malloc(total * inputs * sizeof *out->owned);
  if (!out->owned) return cli_fail_memory(error);
  points_fill_grid(out->owned, out->shape, lower, upper, inputs);
  out->cells = out->owned;
  out->count = total;
  out->axes = (unsigned)inputs;
  return SFM_OK;
}
