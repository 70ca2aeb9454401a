#include "matrix.h"

#include <math.h>

#include <stdlib.h>
#include <string.h>

#include "base/text/decimal.h"
#include "base/text/npy_header.h"

struct sfmi_matrix {
  sfmi_source *source;     /* NULL: elements in memory, */
  sfmi_matrix_part *parts; /* in these columns */
  size_t part_count;
  sfmi_digest *digest; /* of what is not read from the source in its order; or NULL */
  sfmi_matrix_shape shape;
  size_t stride;       /* bytes of a row */
  size_t chunk_rows;   /* rows the buffer holds */
  uint64_t taken;      /* rows handed on */
  size_t next, loaded; /* rows of the buffer: the next one, and how many there are */
  unsigned char *buffer;
};

/* Reads size bytes; what the source lacks is an error: the header promised it. */
static sfm_status read_fully(sfmi_source *source, unsigned char *buffer, size_t size,
                             sfm_error *error) {
  while (size > 0) {
    size_t got;
    sfm_status status = sfmi_source_read(source, buffer, &got, size, error);
    if (status) return status;
    if (got == 0)
      return sfmi_fail(error, SFM_IO, "%s is shorter than its NPY header says: it was cut short",
                       sfmi_source_name(source));
    buffer += got;
    size -= got;
  }
  return SFM_OK;
}

static void close_reader(void *opaque) {
  sfmi_matrix *matrix = opaque;
  if (!matrix) return;
  free(matrix->parts);
  free(matrix->buffer);
  free(matrix);
}

/* Bytes of a chunk of rows that are gathered element by element. */
#define GATHERED ((size_t)1 << 24)

static sfm_status open_matrix(sfmi_matrix **out, sfmi_matrix start, size_t chunk_rows,
                              sfm_error *error) {
  *out = NULL;
  sfmi_matrix *matrix = sfmi_alloc(1, sizeof *matrix);
  if (!matrix) return sfmi_fail_memory(error);
  *matrix = start;
  if (chunk_rows > matrix->shape.rows) chunk_rows = (size_t)matrix->shape.rows;
  matrix->chunk_rows = chunk_rows ? chunk_rows : 1;
  const bool fits = matrix->chunk_rows <= PTRDIFF_MAX / matrix->stride;
  matrix->buffer = fits ? malloc(matrix->chunk_rows * matrix->stride) : NULL;
  if (!matrix->buffer) {
    close_reader(matrix);
    return sfmi_fail_memory(error);
  }
  *out = matrix;
  return SFM_OK;
}

sfm_status sfmi_matrix_open(sfmi_matrix **out, sfmi_source *source, const sfmi_matrix_shape *shape,
                            size_t block, sfm_error *error) {
  uint64_t size;
  const size_t stride = shape->columns * shape->size;
  const bool packed = !sfmi_source_size(source, &size);
  if (shape->fortran) block = packed ? SIZE_MAX : GATHERED;
  return open_matrix(out, (sfmi_matrix){.source = source, .shape = *shape, .stride = stride},
                     block > stride ? block / stride : 1, error);
}

sfm_status sfmi_matrix_open_strided(sfmi_matrix **out, const sfmi_matrix_part *parts, size_t count,
                                    const sfmi_matrix_shape *shape, sfm_error *error) {
  enum { BLOCK = 1 << 18 };
  const size_t stride = shape->columns * shape->size;
  sfm_status status = open_matrix(out, (sfmi_matrix){.shape = *shape, .stride = stride},
                                  BLOCK > stride ? BLOCK / stride : 1, error);
  if (status) return status;
  (*out)->parts = sfmi_alloc(count, sizeof *parts);
  (*out)->part_count = count;
  if ((*out)->parts) {
    memcpy((*out)->parts, parts, count * sizeof *parts);
    return SFM_OK;
  }
  close_reader(*out);
  *out = NULL;
  return sfmi_fail_memory(error);
}

/* How many elements a record has, and of which type. */
static void state_facts(const void *opaque, uint64_t facts[SFMI_READER_FACTS]) {
  const sfmi_matrix_shape *shape = &((const sfmi_matrix *)opaque)->shape;
  facts[0] = shape->columns;
  facts[1] = (uint64_t)shape->kind;
  facts[2] = shape->size;
  facts[3] = shape->swapped;
}

/* First what makes records of the bytes. */
static void set_digest(void *opaque, sfmi_digest *digest) {
  sfmi_matrix *matrix = opaque;
  const bool in_order = matrix->source && !matrix->shape.fortran;
  uint64_t facts[SFMI_READER_FACTS];
  state_facts(matrix, facts);
  if (digest) sfmi_digest_add(digest, facts, sizeof facts);
  if (in_order) sfmi_source_digest(matrix->source, digest);
  matrix->digest = in_order ? NULL : digest;
}

static sfm_status rewind_reader(void *opaque, sfm_error *error) {
  sfmi_matrix *matrix = opaque;
  matrix->taken = 0;
  matrix->next = matrix->loaded = 0;
  return matrix->source ? sfmi_source_rewind(matrix->source, matrix->shape.data_offset, error)
                        : SFM_OK;
}

/* Elements of one size, one after the other, into every stride-th place. */
static void scatter(unsigned char *to, size_t stride, const unsigned char *from, ptrdiff_t step,
                    size_t size, size_t count) {
  for (size_t i = 0; i < count; i++, to += stride, from += step) memcpy(to, from, size);
}

/* The next rows of a file that has column after column. */
static sfm_status gather_columns(sfmi_matrix *matrix, size_t rows, sfm_error *error) {
  const sfmi_matrix_shape *shape = &matrix->shape;
  unsigned char *column = malloc(rows * shape->size + 1);
  sfm_status status = column ? SFM_OK : sfmi_fail_memory(error);
  const bool whole = rows == shape->rows; /* one column follows the other */
  if (!status && whole) status = sfmi_source_rewind(matrix->source, shape->data_offset, error);
  for (size_t c = 0; !status && c < shape->columns; c++) {
    const uint64_t first = shape->data_offset + (c * shape->rows + matrix->taken) * shape->size;
    if (!whole) status = sfmi_source_rewind(matrix->source, first, error);
    if (!status) status = read_fully(matrix->source, column, rows * shape->size, error);
    if (!status)
      scatter(matrix->buffer + c * shape->size, matrix->stride, column, (ptrdiff_t)shape->size,
              shape->size, rows);
  }
  free(column);
  return status;
}

/* The next rows of one part of an array in memory, into their places in the buffer. */
static void gather_part(const sfmi_matrix *matrix, const sfmi_matrix_part *part, unsigned char *to,
                        size_t rows) {
  const size_t size = matrix->shape.size, width = part->columns * size;
  const unsigned char *row = part->first + (ptrdiff_t)matrix->taken * part->row_step;
  const bool packed = part->column_step == (ptrdiff_t)size && part->columns > 1;
  if (part->columns == matrix->shape.columns && (packed || width == size) &&
      part->row_step == (ptrdiff_t)matrix->stride)
    memcpy(to, row, rows * matrix->stride);
  else if (packed)
    scatter(to, matrix->stride, row, part->row_step, width, rows);
  else
    for (size_t c = 0; c < part->columns; c++)
      scatter(to + c * size, matrix->stride, row + (ptrdiff_t)c * part->column_step, part->row_step,
              size, rows);
}

/* The next rows of an array in memory. */
static void gather_strided(sfmi_matrix *matrix, size_t rows) {
  unsigned char *to = matrix->buffer;
  for (size_t p = 0; p < matrix->part_count; p++) {
    gather_part(matrix, &matrix->parts[p], to, rows);
    to += matrix->parts[p].columns * matrix->shape.size;
  }
}

static sfm_status refill(sfmi_matrix *matrix, sfm_error *error) {
  uint64_t left = matrix->shape.rows - matrix->taken;
  size_t rows = left < matrix->chunk_rows ? (size_t)left : matrix->chunk_rows;
  sfm_status status = SFM_OK;
  matrix->next = 0;
  matrix->loaded = rows;
  if (!matrix->source)
    gather_strided(matrix, rows);
  else if (matrix->shape.fortran)
    status = gather_columns(matrix, rows, error);
  else
    status = read_fully(matrix->source, matrix->buffer, rows * matrix->stride, error);
  if (!status && matrix->digest)
    sfmi_digest_add(matrix->digest, matrix->buffer, rows * matrix->stride);
  return status;
}

static double element_value(const sfmi_matrix_shape *shape, const unsigned char *bytes) {
  return sfmi_npy_element(shape->kind, shape->size, shape->swapped, bytes);
}

/* Adds to the groups of rows [r, r + count) what one column of them says. */
static void take_groups(const sfmi_matrix *matrix, sfmi_batch *batch, size_t r, size_t count,
                        const sfmi_field_request *request, const unsigned char *element) {
  for (size_t i = r; i < r + count; i++, element += matrix->stride) {
    const uint32_t place =
        sfmi_category_of_number(request->category, element_value(&matrix->shape, element));
    if (place == SFMI_NO_CATEGORY)
      batch->keep[i] = 0;
    else
      batch->group[i] += request->stride * place;
  }
}

/* The categories of rows [r, r + count), as codes. */
static void take_codes(const sfmi_matrix *matrix, sfmi_batch *batch, size_t r, size_t count,
                       const sfmi_field_request *request, const unsigned char *element) {
  uint32_t *codes = batch->codes + request->code * batch->stride;
  for (size_t i = r; i < r + count; i++, element += matrix->stride)
    codes[i] = sfmi_category_of_number(request->category, element_value(&matrix->shape, element));
}

/* The numbers of rows [r, r + count), as texts. */
static void take_texts(const sfmi_matrix *matrix, sfmi_batch *batch, size_t r, size_t count,
                       const sfmi_field_request *request, const unsigned char *element) {
  for (size_t i = r; i < r + count; i++, element += matrix->stride) {
    const size_t place = request->text * batch->stride + i;
    const double value = element_value(&matrix->shape, element);
    char *text = batch->printed + SFMI_DECIMAL_TEXT * place;
    const size_t length = isfinite(value) ? sfmi_decimal_print(text, value) : 0;
    batch->texts[place] = (sfmi_text){text, (uint32_t)length};
  }
}

/* What the batch requests of rows [r, r + count) beside their numbers. */
static void take_others(const sfmi_matrix *matrix, sfmi_batch *batch, size_t r, size_t count,
                        const sfmi_field_request *request, const unsigned char *element) {
  if (request->category && batch->group) take_groups(matrix, batch, r, count, request, element);
  if (request->category && batch->codes) take_codes(matrix, batch, r, count, request, element);
  if (batch->texts && request->text != SFMI_NO_SLOT)
    take_texts(matrix, batch, r, count, request, element);
}

/* Whose rows [r, r + count) are.  The number is the id, so that 0 and -0 are one person; NaN is
 * nobody. */
static void take_persons(const sfmi_matrix *matrix, sfmi_batch *batch, size_t r, size_t count,
                         const sfmi_row_hasher *hasher, const unsigned char *element) {
  const bool real = matrix->shape.kind == 'f';
  for (size_t i = r; i < r + count; i++, element += matrix->stride) {
    const double id = real ? element_value(&matrix->shape, element) + 0.0 : 0;
    if (real)
      sfmi_row_hash_person(hasher, batch, i, &id, isnan(id) ? 0 : sizeof id);
    else
      sfmi_row_hash_person(hasher, batch, i, element, matrix->shape.size);
  }
}

/* Rows [r, r + count) of the batch from those at the front of the buffer. */
static void take_rows(sfmi_matrix *matrix, sfmi_batch *batch, size_t r, size_t count,
                      const sfmi_row_layout *layout) {
  const sfmi_field_request *requests = layout->requests;
  const unsigned char *first = matrix->buffer + matrix->next * matrix->stride;
  memset(batch->keep + r, 1, count);
  if (batch->group) memset(batch->group + r, 0, count * sizeof *batch->group);
  for (size_t i = 0; layout->hasher && i < count; i++)
    sfmi_row_hash_record(layout->hasher, batch, r + i, first + i * matrix->stride, matrix->stride);
  for (size_t w = 0; w < layout->request_count; w++) {
    const unsigned char *element = first + requests[w].field * matrix->shape.size;
    if (requests[w].person && layout->hasher)
      take_persons(matrix, batch, r, count, layout->hasher, element);
    take_others(matrix, batch, r, count, &requests[w], element);
    if (requests[w].slot == SFMI_NO_SLOT) continue;
    double *values = batch->values + requests[w].slot * batch->stride + r;
    for (size_t i = 0; i < count; i++, element += matrix->stride)
      values[i] = element_value(&matrix->shape, element);
  }
  matrix->next += count;
  matrix->taken += count;
}

static sfm_status fill_batch(void *opaque, sfmi_batch *batch, const sfmi_row_layout *layout,
                             sfm_error *error) {
  sfmi_matrix *matrix = opaque;
  sfm_status status = SFM_OK;
  size_t r = 0;
  while (!status && r < batch->stride && matrix->taken < matrix->shape.rows) {
    if (matrix->next == matrix->loaded) {
      status = refill(matrix, error);
      if (status) break;
    }
    size_t count = matrix->loaded - matrix->next;
    if (count > batch->stride - r) count = batch->stride - r;
    take_rows(matrix, batch, r, count, layout);
    r += count;
  }
  batch->rows = r;
  return status;
}

static sfm_status count_rows(void *matrix, uint64_t *count, sfm_error *error) {
  (void)error;
  *count = ((const sfmi_matrix *)matrix)->shape.rows;
  return SFM_OK;
}

const sfmi_reader_ops sfmi_matrix_reader_ops = {.form = SFMI_CELL_FORM_NUMBER,
                                                .name = "the array",
                                                .close = close_reader,
                                                .rewind = rewind_reader,
                                                .count = count_rows,
                                                .facts = state_facts,
                                                .digest = set_digest,
                                                .fill = fill_batch};
