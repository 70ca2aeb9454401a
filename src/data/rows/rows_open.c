/* rows_open.c - opening rows: which format they are in, and what their columns are called. */
#include "rows_open.h"

#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/text/npy_header.h"
#include "data/arrow/arrow_reader.h"
#include "data/format/npy.h"
#include "rows_state.h"

/* "0", "1", ... in one block: there may be a million columns. */
static sfm_status number_columns(sfm_rows *rows, size_t count, sfm_error *error) {
  enum { ROOM = 24 };
  rows->numbers = sfmi_alloc(count, ROOM);
  if (!rows->numbers) return sfmi_fail_memory(error);
  for (; rows->name_count < count; rows->name_count++) {
    char *name = rows->numbers + ROOM * rows->name_count + ROOM - 1;
    size_t rest = rows->name_count;
    do *--name = (char)('0' + rest % 10);
    while (rest /= 10);
    rows->names[rows->name_count] = name;
  }
  return SFM_OK;
}

/* So that a column is found at once among many. */
static sfm_status list_fields(sfm_rows *rows, sfm_error *error) {
  for (size_t i = 0; i < sfm_rows_column_count(rows); i++)
    if (!sfmi_string_map_add(&rows->fields, sfm_rows_column_name(rows, i), i))
      return sfmi_fail_memory(error);
  return SFM_OK;
}

/* Copies the names, or numbers the columns when names is NULL. */
static sfm_status name_columns(sfm_rows *rows, const char *const *names, size_t count,
                               sfm_error *error) {
  rows->names = sfmi_alloc(count, sizeof *rows->names);
  if (!rows->names) return sfmi_fail_memory(error);
  if (!names) return number_columns(rows, count, error);
  for (; rows->name_count < count; rows->name_count++) {
    char *copy = sfmi_copy_string(names[rows->name_count]);
    if (!copy) return sfmi_fail_memory(error);
    rows->names[rows->name_count] = copy;
  }
  return list_fields(rows, error);
}

/* Takes over the matrix, which is NULL when opening it failed. */
static sfm_status take_matrix(sfm_rows *rows, sfmi_matrix *matrix, const char *const *names,
                              size_t columns, sfm_status status, sfm_error *error) {
  rows->ops = &sfmi_matrix_reader_ops;
  rows->reader = matrix;
  return status ? status : name_columns(rows, names, columns, error);
}

static sfm_status open_matrix(sfm_rows *rows, const sfmi_matrix_shape *shape,
                              const char *const *names, size_t block, sfm_error *error) {
  sfmi_matrix *matrix;
  const sfm_status status = sfmi_matrix_open(&matrix, rows->source, shape, block, error);
  return take_matrix(rows, matrix, names, shape->columns, status, error);
}

/* *out becomes the rows, unless opening them failed. */
static sfm_status hand_out(sfm_rows **out, sfm_rows *rows, sfm_status status) {
  *out = status ? NULL : rows;
  if (status) sfm_rows_destroy(rows);
  return status;
}

/* A table by its first bytes, and its header. */
static sfm_status open_table(sfm_rows *rows, size_t block, sfm_error *error) {
  char magic[6];
  size_t size = 0, got = 1;
  sfm_status status = SFM_OK;
  while (!status && got > 0 && size < sizeof magic) {
    status = sfmi_source_read(rows->source, magic + size, &got, sizeof magic - size, error);
    if (!status) size += got;
  }
  if (!status) status = sfmi_source_rewind(rows->source, 0, error);
  if (status) return status;
  if (sfmi_npy_begins(magic, size)) {
    sfmi_matrix_shape shape;
    status = sfmi_npy_read(&shape, rows->source, error);
    return status ? status : open_matrix(rows, &shape, NULL, block, error);
  }
  sfmi_csv *csv;
  status = sfmi_csv_open(&csv, rows->source, block, error);
  if (status) return status;
  rows->ops = &sfmi_csv_reader_ops;
  rows->reader = csv;
  rows->header = &csv->header;
  rows->text = &csv->lines;
  return list_fields(rows, error);
}

sfm_status sfm_rows_open(sfm_rows **out, const char *path, sfm_error *error) {
  sfm_rows *rows = sfmi_alloc(1, sizeof *rows);
  sfm_status status = rows ? sfmi_source_open(&rows->source, path, SFMI_PACKING_BY_MAGIC, error)
                           : sfmi_fail_memory(error);
  if (!status) status = open_table(rows, SFMI_CSV_BLOCK, error);
  return hand_out(out, rows, status);
}

sfm_status sfmi_rows_open_memory(sfm_rows **out, const void *bytes, size_t size, size_t block,
                                 sfm_error *error) {
  sfm_rows *rows = sfmi_alloc(1, sizeof *rows);
  sfm_status status =
      rows ? sfmi_source_open_memory(&rows->source, bytes, size, SFMI_PACKING_BY_MAGIC, error)
           : sfmi_fail_memory(error);
  if (!status) status = open_table(rows, block ? block : SFMI_CSV_BLOCK, error);
  return hand_out(out, rows, status);
}

static sfm_status open_sparse(sfm_rows *rows, size_t dimension, size_t block, sfm_error *error) {
  const sfm_status status =
      sfmi_svmlight_open(&rows->sparse, rows->source, dimension, block, error);
  if (status) return status;
  rows->ops = &sfmi_svmlight_reader_ops;
  rows->reader = rows->sparse;
  rows->text = &rows->sparse->lines;
  return SFM_OK;
}

/* Names are public, and say what a file without a header is. */
static bool ends_in(const char *path, const char *ending) {
  const size_t length = strlen(path), short_length = strlen(ending);
  return length > short_length && sfmi_strcasecmp(path + length - short_length, ending) == 0;
}

static bool is_table(const char *path) {
  return ends_in(path, ".csv") || ends_in(path, ".csv.gz") || ends_in(path, ".npy") ||
         ends_in(path, ".npy.gz");
}

static sfmi_packing packing_of(sfm_compression compression, const char *path) {
  if (compression == SFM_COMPRESSION_BY_NAME) return ends_in(path, ".gz") ? SFMI_GZIP : SFMI_PLAIN;
  return compression == SFM_COMPRESSION_GZIP ? SFMI_GZIP : SFMI_PLAIN;
}

sfm_status sfm_rows_open_sparse(sfm_rows **out, const char *path, size_t dimension,
                                sfm_compression compression, sfm_error *error) {
  *out = NULL;
  if (is_table(path))
    return sfmi_fail(error, SFM_INVALID,
                     "%.300s is named like a table, and a dimension is given only for libsvm text "
                     "(LABEL INDEX:VALUE ...): for a table name columns, as in settings.features = "
                     "a,b and settings.label = y; give libsvm text another name",
                     path);
  sfm_rows *rows = sfmi_alloc(1, sizeof *rows);
  sfm_status status =
      rows ? sfmi_source_open(&rows->source, path, packing_of(compression, path), error)
           : sfmi_fail_memory(error);
  if (!status) status = open_sparse(rows, dimension, SFMI_CSV_BLOCK, error);
  return hand_out(out, rows, status);
}

sfm_status sfmi_rows_open_sparse_memory(sfm_rows **out, const void *bytes, size_t size,
                                        size_t dimension, bool gzip, size_t block,
                                        sfm_error *error) {
  sfm_rows *rows = sfmi_alloc(1, sizeof *rows);
  sfm_status status = rows ? sfmi_source_open_memory(&rows->source, bytes, size,
                                                     gzip ? SFMI_GZIP : SFMI_PLAIN, error)
                           : sfmi_fail_memory(error);
  if (!status) status = open_sparse(rows, dimension, block ? block : SFMI_CSV_BLOCK, error);
  return hand_out(out, rows, status);
}

static sfm_status check_array(const sfm_array *array, const char *const *names, sfm_error *error) {
  const bool real = array->kind == 'f', whole = array->kind == 'i' || array->kind == 'u';
  const size_t size = array->size;
  if (array->columns < 1 || array->columns > SFMI_MATRIX_COLUMNS_MAX)
    return sfmi_fail(error, SFM_INVALID, "an array of %zu columns: from 1 to %d can be read",
                     array->columns, SFMI_MATRIX_COLUMNS_MAX);
  if (!(real && (size == 4 || size == 8)) &&
      !(whole && (size == 1 || size == 2 || size == 4 || size == 8)))
    return sfmi_fail(error, SFM_INVALID,
                     "an array of elements of kind %d and %zu bytes: kinds are f (4 or 8 bytes), i "
                     "and u (1, 2, 4 or 8)",
                     array->kind, size);
  if (array->rows > PTRDIFF_MAX / size / array->columns)
    return sfmi_fail(error, SFM_INVALID, "an array of %zu x %zu numbers does not fit in memory",
                     array->rows, array->columns);
  if (!array->first && array->rows > 0)
    return sfmi_fail(error, SFM_INVALID, "an array of %zu rows is NULL", array->rows);
  for (size_t i = 0; names && i < array->columns; i++)
    if (!names[i]) return sfmi_fail(error, SFM_INVALID, "column %zu of the array has no name", i);
  return SFM_OK;
}

/* Whether the matrices are those of one table, which has so many columns. */
static sfm_status check_arrays(size_t *columns, const sfm_array *arrays, size_t count,
                               const char *const *names, sfm_error *error) {
  *columns = 0;
  if (count < 1 || count > SFMI_MATRIX_COLUMNS_MAX)
    return sfmi_fail(error, SFM_INVALID, "%zu arrays side by side: from 1 to %d can be read", count,
                     SFMI_MATRIX_COLUMNS_MAX);
  const sfm_array *first = &arrays[0];
  for (size_t i = 0; i < count; i++) {
    const sfm_array *array = &arrays[i];
    const sfm_status status = check_array(array, names ? names + *columns : NULL, error);
    if (status) return status;
    if (array->rows != first->rows)
      return sfmi_fail(error, SFM_INVALID,
                       "array %zu has %zu rows, and the first one %zu: arrays side by side have "
                       "equally many",
                       i, array->rows, first->rows);
    if (array->kind != first->kind || array->size != first->size ||
        array->swapped != first->swapped)
      return sfmi_fail(error, SFM_INVALID,
                       "array %zu has elements of another type than the first one: convert them",
                       i);
    *columns += array->columns;
    if (*columns > SFMI_MATRIX_COLUMNS_MAX)
      return sfmi_fail(error, SFM_INVALID, "arrays of %zu columns: up to %d can be read", *columns,
                       SFMI_MATRIX_COLUMNS_MAX);
  }
  if (first->rows > PTRDIFF_MAX / first->size / *columns)
    return sfmi_fail(error, SFM_INVALID, "arrays of %zu x %zu numbers do not fit in memory",
                     first->rows, *columns);
  return SFM_OK;
}

sfm_status sfm_rows_from_arrays(sfm_rows **out, const sfm_array *arrays, size_t count,
                                const char *const *names, sfm_error *error) {
  size_t columns;
  *out = NULL;
  sfm_status status = check_arrays(&columns, arrays, count, names, error);
  if (status) return status;
  const sfmi_matrix_shape shape = {.rows = arrays->rows,
                                   .columns = columns,
                                   .kind = arrays->kind,
                                   .size = arrays->size,
                                   .swapped = arrays->swapped && arrays->size > 1};
  sfm_rows *rows = sfmi_alloc(1, sizeof *rows);
  sfmi_matrix_part *parts = sfmi_alloc(count, sizeof *parts);
  if (!rows || !parts) {
    free(rows);
    free(parts);
    return sfmi_fail_memory(error);
  }
  for (size_t i = 0; i < count; i++)
    parts[i] = (sfmi_matrix_part){arrays[i].first, arrays[i].row_step, arrays[i].column_step,
                                  arrays[i].columns};
  sfmi_matrix *matrix;
  status = sfmi_matrix_open_strided(&matrix, parts, count, &shape, error);
  free(parts);
  return hand_out(out, rows, take_matrix(rows, matrix, names, columns, status, error));
}

sfm_status sfm_rows_from_strided(sfm_rows **out, const sfm_array *array, const char *const *names,
                                 sfm_error *error) {
  return sfm_rows_from_arrays(out, array, 1, names, error);
}

sfm_status sfm_rows_from_array(sfm_rows **out, const double *values, size_t count, size_t columns,
                               const char *const *names, sfm_error *error) {
  const size_t step = columns <= SFMI_MATRIX_COLUMNS_MAX ? columns * sizeof *values : 0;
  const sfm_array array = {.first = values,
                           .rows = count,
                           .columns = columns,
                           .row_step = (ptrdiff_t)step,
                           .column_step = sizeof *values,
                           .kind = 'f',
                           .size = sizeof *values};
  return sfm_rows_from_strided(out, &array, names, error);
}

sfm_status sfm_rows_from_arrow_stream(sfm_rows **out, struct ArrowArrayStream *stream,
                                      sfm_arrow_chunks chunks, sfm_error *error) {
  sfmi_arrow_reader *reader;
  const char **names;
  size_t count;
  *out = NULL;
  sfm_status status = sfmi_arrow_reader_open(&reader, &names, &count, stream, chunks, error);
  if (status) return status;
  sfm_rows *rows = sfmi_alloc(1, sizeof *rows);
  if (!rows) {
    sfmi_arrow_reader_ops.close(reader);
    free(names);
    return sfmi_fail_memory(error);
  }
  rows->ops = &sfmi_arrow_reader_ops;
  rows->reader = reader;
  status =
      chunks == SFM_ARROW_CHUNKS_KEEP || chunks == SFM_ARROW_CHUNKS_ONCE
          ? name_columns(rows, names, count, error)
          : sfmi_fail(error, SFM_INVALID, "there is no number %d of sfm_arrow_chunks", (int)chunks);
  free(names);
  return hand_out(out, rows, status);
}
