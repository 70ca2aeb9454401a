#include "unlabelled_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/io/csv_line.h"
#include "cli/io/npy_array.h"
#include "gzip_file.h"
#include "libsvm_points.h"

const cli_option options_public_points[] = {
    {"public", "FILE",
     "tddl: public points without labels at which the machine is fitted: CSV with the features' "
     "names (other columns are ignored), NPY, or with --dimension libsvm text; the points are "
     "published in the release: never take them from the rows"},
    {"public-points", "T",
     "tddl: fit at the first T public points, up to 5000; shuffle a sorted file first",
     "the best number, up to 2000", CLI_COUNT(1, SFM_PUBLIC_MOST)},
    {"noise-shape", "auto|kernel|isotropic",
     "tddl: the noise on the values at the points is shaped like the kernel, or is of one size at "
     "all points; auto: the one with less error, predicted without the rows",
     "auto", CLI_CHOICE(SFM_ENUMERATION_NOISE_SHAPE)},
    {0}};

enum { CELL_LONGEST = 1024 };

void unlabelled_points_clear(unlabelled_points *u) {
  free(u->owned);
  file_clear(&u->file);
  sfm_free(u->starts);
  sfm_free(u->indices);
  sfm_free(u->values);
  *u = (unlabelled_points){0};
}

/* Points beyond these are not looked at. */
static size_t limit(const sfm_train_settings *t) {
  return t->public_points ? t->public_points : SFM_PUBLIC_USUAL;
}

/* The number of a cell, or the place of its category. */
static bool read_cell(double *out, const sfm_column *column, const char *text) {
  static const char *const booleans[] = {"false", "true"};
  const bool boolean = column && column->type == SFM_COLUMN_TYPE_BOOLEAN && !column->category_count;
  const size_t count = boolean ? 2 : column ? column->category_count : 0;
  const char *const *categories = boolean ? booleans : column ? column->categories : NULL;
  if (count == 0) return text_number(out, text) && isfinite(*out);
  for (size_t k = 0; k < count; k++)
    if (strcmp(categories[k], text) == 0) {
      *out = (double)k;
      return true;
    }
  return false;
}

static sfm_status find_columns(long *which, csv_line header, const char *file,
                               const sfm_train_settings *t, sfm_error *error) {
  for (size_t i = 0; i < t->feature_count; i++) {
    which[i] = csv_find(header, t->features[i]);
    if (which[i] < 0)
      return cli_misuse(
          error, "%.200s has no column '%.80s' in its first line, which must name the features",
          file, t->features[i]);
  }
  return SFM_OK;
}

/* A point's cells: `cells` of the line are those that `which` says. */
static sfm_status read_point(double *point, csv_line line, const size_t *feature_of, size_t cells,
                             const sfm_train_settings *t, const char *where, sfm_error *error) {
  char cell[CELL_LONGEST];
  for (size_t i = 0; i < t->feature_count; i++) point[i] = NAN;
  for (size_t c = 0; c < cells && csv_next_cell(&line, cell, sizeof cell); c++) {
    const size_t i = feature_of[c];
    if (i == SIZE_MAX) continue;
    if (!read_cell(&point[i], sfm_schema_find(t->context.schema, t->features[i]), cell))
      return cli_misuse(error,
                        "%s: %s%.80s%s of '%.80s' is not a %s: public points have a value in every "
                        "feature; leave out the line",
                        where, *cell ? "'" : "", *cell ? cell : "an empty cell", *cell ? "'" : "",
                        t->features[i],
                        sfm_schema_find(t->context.schema, t->features[i]) &&
                                sfm_schema_find(t->context.schema, t->features[i])->category_count
                            ? "declared category"
                            : "number");
  }
  for (size_t i = 0; i < t->feature_count; i++)
    if (isnan(point[i]))
      return cli_misuse(error,
                        "%s has no cell of '%.80s': public points have a value in every feature",
                        where, t->features[i]);
  return SFM_OK;
}

/* Which feature a cell of a line is; SIZE_MAX: none. */
static size_t *invert(const long *which, size_t features, size_t *cells) {
  *cells = 0;
  for (size_t i = 0; i < features; i++)
    if ((size_t)which[i] >= *cells) *cells = (size_t)which[i] + 1;
  size_t *of = malloc((*cells + 1) * sizeof *of);
  for (size_t c = 0; of && c < *cells; c++) of[c] = SIZE_MAX;
  for (size_t i = 0; of && i < features; i++) of[which[i]] = i;
  return of;
}

static sfm_status read_lines(unlabelled_points *u, sfm_train_settings *t, const size_t *feature_of,
                             size_t cells, size_t offset, sfm_error *error) {
  const size_t most = limit(t);
  size_t room = 0, number = 1;
  char where[300];
  csv_line line;
  sfm_status status = SFM_OK;
  while (!status && t->public_count < most && csv_next_line(&u->file, &offset, &line)) {
    number++;
    if (line.at == line.end) continue;
    if (t->public_count == room) {
      room = room ? 2 * room : 256;
      double *larger = realloc(u->owned, room * t->feature_count * sizeof *larger);
      if (!larger) return cli_fail_memory(error);
      u->owned = larger;
    }
    snprintf(where, sizeof where, "%.200s, line %zu", u->file.name, number);
    status = read_point(u->owned + t->public_count++ * t->feature_count, line, feature_of, cells, t,
                        where, error);
  }
  t->public_cells = u->owned;
  return status;
}

static sfm_status from_csv(unlabelled_points *u, sfm_train_settings *t, sfm_error *error) {
  size_t offset = 0, cells = 0, *feature_of = NULL;
  csv_line header;
  if (!csv_next_line(&u->file, &offset, &header))
    return cli_fail(error, SFM_FORMAT, "%.200s is empty; its first line must name the features",
                    u->file.name);
  long *which = malloc(t->feature_count * sizeof *which);
  sfm_status status =
      which ? find_columns(which, header, u->file.name, t, error) : cli_fail_memory(error);
  if (!status) {
    feature_of = invert(which, t->feature_count, &cells);
    status =
        feature_of ? read_lines(u, t, feature_of, cells, offset, error) : cli_fail_memory(error);
  }
  free(feature_of);
  free(which);
  return status;
}

static sfm_status from_npy(unlabelled_points *u, sfm_train_settings *t, sfm_error *error) {
  npy_array array;
  sfm_status status = npy_open(&array, &u->file, error);
  if (status) return status;
  if (array.shape[1] != t->feature_count)
    return cli_misuse(error,
                      "%.200s has %zu numbers per point, but there are %zu features; its shape "
                      "must be (points, %zu)",
                      u->file.name, array.shape[1], t->feature_count, t->feature_count);
  status = npy_numbers(&t->public_cells, &u->owned, &array, error);
  t->public_count = array.shape[0] < limit(t) ? array.shape[0] : limit(t);
  for (size_t i = 0; !status && i < t->public_count * t->feature_count; i++)
    if (!isfinite(t->public_cells[i]))
      return cli_misuse(
          error,
          "%.200s: point %zu has no number of '%.80s': public points have a value in every feature",
          u->file.name, i / t->feature_count + 1, t->features[i % t->feature_count]);
  return status;
}

sfm_status unlabelled_points_read(unlabelled_points *u, sfm_train_settings *t, const char *path,
                                  size_t dimension, sfm_error *error) {
  sfm_status status;
  *u = (unlabelled_points){0};
  if (strcmp(path, "-") == 0)
    return cli_misuse(error, "--public is a file: standard input is for rows");
  if (!t->features) {
    status = libsvm_points_read(&u->starts, &u->indices, &u->values, &t->public_count, path,
                                dimension, error);
    t->public_starts = u->starts;
    t->public_indices = u->indices;
    t->public_values = u->values;
    if (t->public_count > limit(t)) t->public_count = limit(t);
  } else {
    status = file_load(&u->file, path, error);
    if (!status) status = file_gunzip(&u->file, error);
    if (!status) status = npy_is(&u->file) ? from_npy(u, t, error) : from_csv(u, t, error);
  }
  if (!status && t->public_count == 0) return cli_misuse(error, "%.200s has no points", path);
  return status;
}
