#include "points.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "npy_array.h"

static sfm_status one_point(double *out, const char *text, size_t dimension, sfm_error *error) {
  double *numbers;
  size_t count;
  sfm_status status = text_numbers(&numbers, &count, text, "at", error);
  if (status) return status;
  if (count != dimension)
    status = cli_misuse(error,
                        "--at: '%s' has %zu number%s, but there %s %zu variable%s; write one "
                        "number per variable, and semicolons between points: --at '1,2;3,4'",
                        text, count, count == 1 ? "" : "s", dimension == 1 ? "is" : "are",
                        dimension, dimension == 1 ? "" : "s");
  else
    memcpy(out, numbers, dimension * sizeof *out);
  free(numbers);
  return status;
}

sfm_status points_from_text(points *out, const char *text, size_t dimension, sfm_error *error) {
  text_list list;
  *out = (points){0};
  sfm_status status =
      text_split(&list, text, dimension == 1 && !strchr(text, ';') ? ',' : ';', error);
  if (status) return status;
  out->owned = malloc(list.count * dimension * sizeof *out->owned);
  if (!out->owned) status = cli_fail_memory(error);
  for (size_t i = 0; !status && i < list.count; i++)
    status = one_point(out->owned + i * dimension, list.items[i], dimension, error);
  out->at = out->owned;
  out->count = list.count;
  text_list_clear(&list);
  return status;
}

static sfm_status from_npy(points *out, size_t dimension, sfm_error *error) {
  npy_array array;
  sfm_status status = npy_open(&array, &out->file, error);
  if (status) return status;
  if (array.shape[1] != dimension)
    return cli_misuse(error,
                      "%s has %zu numbers per point, but there %s %zu variable%s; its shape must "
                      "be (points, %zu)",
                      out->file.name, array.shape[1], dimension == 1 ? "is" : "are", dimension,
                      dimension == 1 ? "" : "s", dimension);
  out->count = array.shape[0];
  return npy_numbers(&out->at, &out->owned, &array, error);
}

sfm_status points_find_columns(long *places, csv_line header, const char *file,
                               const char *const *names, size_t dimension, sfm_error *error) {
  for (size_t a = 0; a < dimension; a++) {
    places[a] = csv_find(header, names[a]);
    if (places[a] < 0)
      return cli_misuse(error,
                        "%s has no column '%s' in its first line, which must name the variables",
                        file, names[a]);
  }
  return SFM_OK;
}

bool points_read_line(double *point, csv_line line, const long *places, size_t dimension) {
  char cell[64];
  size_t found = 0;
  for (long i = 0; found < dimension && csv_next_cell(&line, cell, sizeof cell); i++)
    for (size_t a = 0; a < dimension; a++)
      if (places[a] == i) {
        if (!text_number(&point[a], cell)) return false;
        found++;
      }
  return found == dimension;
}

static sfm_status from_csv(points *out, const char *const *columns, size_t dimension,
                           sfm_error *error) {
  size_t offset = 0, capacity = 0, number = 1;
  long places[SFM_MAX_DIMENSION];
  csv_line line;
  if (!csv_next_line(&out->file, &offset, &line))
    return cli_fail(error, SFM_FORMAT, "%s is empty; its first line must name the variables",
                    out->file.name);
  sfm_status status = points_find_columns(places, line, out->file.name, columns, dimension, error);
  while (!status && csv_next_line(&out->file, &offset, &line)) {
    number++;
    if (out->count == capacity) {
      capacity = capacity ? 2 * capacity : 1024;
      double *larger = realloc(out->owned, capacity * dimension * sizeof *larger);
      if (!larger) return cli_fail_memory(error);
      out->owned = larger;
    }
    if (line.at == line.end) continue;
    if (!points_read_line(out->owned + out->count * dimension, line, places, dimension))
      return cli_fail(error, SFM_FORMAT, "%s, line %zu: a coordinate is missing or not a number",
                      out->file.name, number);
    out->count++;
  }
  out->at = out->owned;
  return status;
}

sfm_status points_from_file(points *out, const char *path, const char *const *columns,
                            size_t dimension, sfm_error *error) {
  *out = (points){0};
  sfm_status status = file_load(&out->file, path, error);
  if (status) return status;
  return npy_is(&out->file) ? from_npy(out, dimension, error)
                            : from_csv(out, columns, dimension, error);
}

void points_clear(points *p) {
  free(p->owned);
  file_clear(&p->file);
  *p = (points){0};
}

sfm_status points_grid_counts(size_t *counts, size_t *total, const char *text, const char *option,
                              size_t dimension, sfm_error *error) {
  text_list list;
  sfm_status status = text_split(&list, text, 'x', error);
  if (status) return status;
  if (list.count != 1 && list.count != dimension)
    status = cli_misuse(error,
                        "--%s %s has %zu numbers for %zu variable%s; write one number for all, or "
                        "one per variable with x between them (101x51)",
                        option, text, list.count, dimension, dimension == 1 ? "" : "s");
  *total = 1;
  for (size_t a = 0; !status && a < dimension; a++) {
    uint64_t count = 0;
    const char *item = list.items[list.count == 1 ? 0 : a];
    if (!text_count(&count, item) || count < 2)
      status = cli_misuse(
          error,
          "--%s: '%s' is not a whole number of at least 2 points; write for example --%s 101",
          option, item, option);
    else if (count > SIZE_MAX / sizeof(double) / (dimension + 3) / *total)
      status = cli_misuse(error, "--%s %s has more points than memory can hold", option, text);
    else
      *total *= counts[a] = (size_t)count;
  }
  text_list_clear(&list);
  return status;
}

void points_fill_grid(double *out, const size_t *counts, const double *lower, const double *upper,
                      size_t dimension) {
  size_t total = 1;
  for (size_t a = 0; a < dimension; a++) total *= counts[a];
  for (size_t i = 0; i < total; i++) {
    size_t rest = i;
    for (size_t a = dimension; a-- > 0; rest /= counts[a]) {
      const size_t k = rest % counts[a], last = counts[a] - 1;
      out[i * dimension + a] =
          k == last ? upper[a] : lower[a] + (upper[a] - lower[a]) * ((double)k / (double)last);
    }
  }
}
