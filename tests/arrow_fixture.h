/* arrow_fixture.h - a producer of Arrow streams for tests: a table of texts, stored as any type,
 * cut into chunks, with offsets, and buffers of no byte too many. */
#ifndef TESTS_ARROW_FIXTURE_H
#define TESTS_ARROW_FIXTURE_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/text/frame_value.h"
#include "data/arrow/arrow_type.h"
#include "sfumato/arrow.h"

typedef struct arrow_cells {
  const char *name, *format;
  const char *entries;      /* format of the dictionary's entries; NULL: there is none */
  const char *const *cells; /* NULL: a null; a text that the type cannot hold is one too */
} arrow_cells;

typedef struct arrow_table {
  const arrow_cells *columns;
  size_t count, rows;
  size_t chunk;    /* rows of a chunk; 0: all in one */
  size_t pad;      /* elements before those that count, of arrays and of the batch */
  size_t fails_at; /* so many chunks before the stream fails, and one more; 0: it does not */
  size_t given;    /* so many chunks were */
  size_t at;
  bool hide; /* every third row is null as a whole */
  void (*spoil)(struct ArrowArray *batch, void *spoil_data); /* changes a chunk; or NULL */
  void *spoil_data;
} arrow_table;

/* Streams, schemas and arrays that were handed out and not released; a second release aborts. */
static int arrow_live;

/* Memory of one array, with its children. */
typedef struct arrow_memory {
  void *blocks[24];
  size_t count;
} arrow_memory;

static inline void *arrow_keep(arrow_memory *memory, size_t size) {
  void *block = calloc(1, size ? size : 1);
  if (!block || memory->count == 24) abort();
  memory->blocks[memory->count++] = block;
  return block;
}

static inline void arrow_release_array(struct ArrowArray *array) {
  arrow_memory *memory = array->private_data;
  if (!array->release) abort();
  for (int64_t i = 0; i < array->n_children; i++)
    if (array->children[i] && array->children[i]->release)
      array->children[i]->release(array->children[i]);
  if (array->dictionary && array->dictionary->release)
    array->dictionary->release(array->dictionary);
  for (size_t i = 0; i < memory->count; i++) free(memory->blocks[i]);
  free(memory);
  array->release = NULL;
  arrow_live--;
}

static inline void arrow_release_schema(struct ArrowSchema *schema) {
  arrow_memory *memory = schema->private_data;
  if (!schema->release) abort();
  for (int64_t i = 0; i < schema->n_children; i++)
    if (schema->children[i]->release) schema->children[i]->release(schema->children[i]);
  if (schema->dictionary && schema->dictionary->release)
    schema->dictionary->release(schema->dictionary);
  for (size_t i = 0; i < memory->count; i++) free(memory->blocks[i]);
  free(memory);
  schema->release = NULL;
  arrow_live--;
}

static inline arrow_memory *arrow_begin_array(struct ArrowArray *array, size_t buffers) {
  arrow_memory *memory = calloc(1, sizeof *memory);
  if (!memory) abort();
  *array = (struct ArrowArray){.null_count = -1,
                               .n_buffers = (int64_t)buffers,
                               .release = arrow_release_array,
                               .private_data = memory};
  array->buffers = arrow_keep(memory, buffers * sizeof *array->buffers);
  arrow_live++;
  return memory;
}

/* An integer that a decimal text is, times 10^scale, in so many bytes; false where it is none. */
static inline bool arrow_store_decimal(uint8_t *at, size_t width, const char *text, int scale) {
  char digits[200];
  size_t count = 0;
  int behind = 0;
  bool point = false;
  const bool negative = *text == '-';
  for (const char *c = text + negative; *c; c++) {
    if (*c == '.') {
      point = true;
    } else if (*c >= '0' && *c <= '9' && count < 150) {
      digits[count++] = *c;
      behind += point;
    } else {
      return false;
    }
  }
  for (; behind < scale; behind++) digits[count++] = '0';
  for (; behind > scale; behind--)
    if (count && digits[--count] != '0') return false;
  memset(at, 0, width);
  for (size_t i = 0; i < count; i++) {
    unsigned carry = (unsigned)(digits[i] - '0');
    for (size_t k = 0; k < width; k++) {
      carry += 10u * at[k];
      at[k] = (uint8_t)carry;
      carry >>= 8;
    }
  }
  for (size_t k = 0, carry = 1; negative && k < width; k++) {
    carry += (uint8_t)~at[k];
    at[k] = (uint8_t)carry;
    carry >>= 8;
  }
  return true;
}

static inline bool arrow_store_half(uint8_t *at, double value) {
  int exponent;
  const double fraction = frexp(fabs(value), &exponent);
  const uint16_t bits = (uint16_t)((value < 0) << 15 | (value == 0 ? 0 : (exponent + 14) << 10) |
                                   (value == 0 ? 0 : (int)((2 * fraction - 1) * 1024)));
  memcpy(at, &bits, 2);
  return value == 0 ||
         (exponent > -14 && exponent < 16 && 2048 * fraction == trunc(2048 * fraction));
}

/* One element of a type of fixed width; false where the text is none. */
static inline bool arrow_store(uint8_t *at, const sfmi_arrow_type *type, const char *text) {
  const double number = sfmi_frame_text_number(text, strlen(text), strlen(text), sfmi_c_locale());
  const int64_t whole = isfinite(number) && fabs(number) < 9e18 ? (int64_t)number : 0;
  switch (type->kind) {
  case SFMI_ARROW_INTEGER:
  case SFMI_ARROW_UNSIGNED: {
    const double most = ldexp(1, (int)(8 * type->width) - (type->kind == SFMI_ARROW_INTEGER));
    memcpy(at, &whole, type->width);
    return number == trunc(number) && number < most &&
           number >= (type->kind == SFMI_ARROW_INTEGER ? -most : 0);
  }
  case SFMI_ARROW_FLOAT: {
    const float single = (float)number;
    if (isnan(number)) return false;
    if (type->width == 2) return arrow_store_half(at, number);
    if (type->width == 4) memcpy(at, &single, 4);
    if (type->width == 8) memcpy(at, &number, 8);
    return type->width == 8 || (double)single == number;
  }
  case SFMI_ARROW_DECIMAL:
    return arrow_store_decimal(at, type->width, text, type->scale);
  case SFMI_ARROW_INSTANT: {
    const int64_t units = type->each_unit ? whole / type->each_unit : whole * type->in_second;
    memcpy(at, &units, type->width);
    return text[0] && text[4] == '-' && (!type->each_unit || whole % type->each_unit == 0);
  }
  case SFMI_ARROW_TIME: {
    const int64_t units = whole * type->in_second;
    memcpy(at, &units, type->width);
    return text[0] && text[2] == ':';
  }
  default:
    memset(at, 'x', type->width);
    return false;
  }
}

static inline void arrow_set_bit(uint8_t *bits, size_t i, bool on) {
  bits[i / 8] = (uint8_t)((bits[i / 8] & ~(1 << i % 8)) | on << i % 8);
}

/* Texts behind each other, with offsets or as views. */
static inline void arrow_put_texts(struct ArrowArray *array, arrow_memory *memory,
                                   const sfmi_arrow_type *type, const char *const *cells,
                                   size_t count, size_t pad) {
  size_t total = 0, used = 0;
  for (size_t i = 0; i < count; i++) total += cells[i] ? strlen(cells[i]) : 0;
  char *bytes = arrow_keep(memory, total);
  const bool view = type->kind == SFMI_ARROW_VIEW;
  const size_t width = view ? 16 : type->width;
  uint8_t *data = arrow_keep(memory, (pad + count + !view) * width);
  for (size_t i = 0; i < pad + count; i++) {
    const char *text = i < pad ? NULL : cells[i - pad];
    const size_t length = text ? strlen(text) : 0;
    const int32_t size = (int32_t)length, start = (int32_t)used;
    if (length) memcpy(bytes + used, text, length);
    if (view && length > 12) {
      memcpy(data + 16 * i + 4, text, 4);
      memcpy(data + 16 * i + 12, &start, 4);
    } else if (view && length) {
      memcpy(data + 16 * i + 4, text, length);
    }
    if (view) memcpy(data + 16 * i, &size, 4);
    used += length;
    const int64_t end = (int64_t)used;
    if (!view) memcpy(data + (i + 1) * width, &end, width);
  }
  array->buffers[1] = data;
  array->buffers[2] = bytes;
  if (!view) return;
  int64_t *sizes = arrow_keep(memory, sizeof *sizes);
  *sizes = (int64_t)total;
  array->buffers[3] = sizes;
}

static inline bool arrow_is_text(const sfmi_arrow_type *type) {
  return type->kind == SFMI_ARROW_TEXT || type->kind == SFMI_ARROW_VIEW;
}

/* So many cells as an array of that format. */
static inline void arrow_put(struct ArrowArray *array, const char *format, const char *const *cells,
                             size_t count, size_t pad) {
  const sfmi_arrow_type type = sfmi_arrow_type_of(format);
  arrow_memory *memory = arrow_begin_array(array, type.kind == SFMI_ARROW_VIEW ? 4 : 3);
  uint8_t *validity = arrow_keep(memory, (pad + count + 7) / 8);
  array->n_buffers = type.kind == SFMI_ARROW_VIEW ? 4 : sfmi_arrow_type_buffers(&type);
  array->length = (int64_t)count;
  array->offset = (int64_t)pad;
  array->buffers[0] = validity;
  for (size_t i = 0; i < count; i++) arrow_set_bit(validity, pad + i, cells[i] != NULL);
  if (arrow_is_text(&type)) {
    arrow_put_texts(array, memory, &type, cells, count, pad);
  } else if (type.kind == SFMI_ARROW_BOOLEAN) {
    uint8_t *bits = arrow_keep(memory, (pad + count + 7) / 8);
    for (size_t i = 0; i < count; i++) {
      const char *text = cells[i] ? cells[i] : "";
      arrow_set_bit(bits, pad + i, *text == 't' || *text == 'T');
      if (!strchr("tTfF", *text) || !*text) arrow_set_bit(validity, pad + i, false);
    }
    array->buffers[1] = bits;
  } else if (type.kind != SFMI_ARROW_EMPTY) {
    uint8_t *data = arrow_keep(memory, (pad + count) * type.width);
    for (size_t i = 0; i < count; i++)
      if (cells[i] && !arrow_store(data + (pad + i) * type.width, &type, cells[i]))
        arrow_set_bit(validity, pad + i, false);
    array->buffers[1] = data;
  }
}

/* The same through a dictionary, which has a null, every text once, and one that nobody has. */
static inline void arrow_put_coded(struct ArrowArray *array, const arrow_cells *column,
                                   const char *const *cells, size_t count, size_t pad) {
  const char **entries = calloc(count + 2, sizeof *entries);
  const char **places = calloc(count + 1, sizeof *places);
  char(*texts)[24] = calloc(count + 1, sizeof *texts);
  if (!entries || !places || !texts) abort();
  size_t used = 1;
  for (size_t i = 0; i < count; i++) {
    size_t k = 1;
    if (!cells[i]) continue;
    while (k < used && strcmp(entries[k], cells[i]) != 0) k++;
    if (k == used) entries[used++] = cells[i];
    snprintf(texts[i], sizeof *texts, "%zu", k);
    places[i] = texts[i];
  }
  entries[used++] = "nobody";
  arrow_put(array, column->format, places, count, pad);
  array->dictionary = arrow_keep(array->private_data, sizeof *array->dictionary);
  arrow_put(array->dictionary, column->entries, entries, used, pad);
  free(entries);
  free(places);
  free(texts);
}

static inline int arrow_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  arrow_table *table = stream->private_data;
  if (table->fails_at && ++table->given >= table->fails_at) return EIO;
  if (table->at == table->rows) {
    memset(out, 0, sizeof *out);
    return 0;
  }
  const size_t left = table->rows - table->at,
               count = table->chunk && table->chunk < left ? table->chunk : left;
  const size_t pad = table->pad;
  arrow_memory *memory = arrow_begin_array(out, 1);
  uint8_t *validity = arrow_keep(memory, (pad + count + 7) / 8);
  for (size_t i = 0; i < count; i++)
    arrow_set_bit(validity, pad + i, !table->hide || (table->at + i) % 3 != 2);
  out->buffers[0] = table->hide ? validity : NULL;
  out->length = (int64_t)count;
  out->offset = (int64_t)pad;
  out->n_children = (int64_t)table->count;
  out->children = arrow_keep(memory, table->count * sizeof *out->children);
  struct ArrowArray *children = arrow_keep(memory, table->count * sizeof *children);
  for (size_t i = 0; i < table->count; i++) {
    const arrow_cells *column = &table->columns[i];
    const char **cells = calloc(pad + count, sizeof *cells);
    if (!cells) abort();
    memcpy(cells + pad, column->cells + table->at, count * sizeof *cells);
    out->children[i] = &children[i];
    if (column->entries)
      arrow_put_coded(&children[i], column, cells, pad + count, pad);
    else
      arrow_put(&children[i], column->format, cells, pad + count, pad);
    free(cells);
  }
  table->at += count;
  if (table->spoil) table->spoil(out, table->spoil_data);
  return 0;
}

static inline void arrow_begin_schema(struct ArrowSchema *schema, const char *format,
                                      const char *name) {
  arrow_memory *memory = calloc(1, sizeof *memory);
  if (!memory) abort();
  *schema = (struct ArrowSchema){
      .format = format, .name = name, .release = arrow_release_schema, .private_data = memory};
  arrow_live++;
}

static inline int arrow_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  const arrow_table *table = stream->private_data;
  arrow_begin_schema(out, "+s", "");
  out->n_children = (int64_t)table->count;
  out->children = arrow_keep(out->private_data, table->count * sizeof *out->children);
  for (size_t i = 0; i < table->count; i++) {
    struct ArrowSchema *child = arrow_keep(out->private_data, sizeof *child);
    arrow_begin_schema(child, table->columns[i].format, table->columns[i].name);
    out->children[i] = child;
    if (!table->columns[i].entries) continue;
    child->dictionary = arrow_keep(child->private_data, sizeof *child->dictionary);
    arrow_begin_schema(child->dictionary, table->columns[i].entries, NULL);
  }
  return 0;
}

static inline const char *arrow_error(struct ArrowArrayStream *stream) {
  (void)stream;
  return "could not convert the cell 'secret' to a number";
}

static inline void arrow_release_stream(struct ArrowArrayStream *stream) {
  if (!stream->release) abort();
  stream->release = NULL;
  arrow_live--;
}

/* A stream of the table (borrowed), from its first row on. */
static inline struct ArrowArrayStream arrow_stream(arrow_table *table) {
  table->at = table->given = 0;
  arrow_live++;
  return (struct ArrowArrayStream){.get_schema = arrow_schema,
                                   .get_next = arrow_next,
                                   .get_last_error = arrow_error,
                                   .release = arrow_release_stream,
                                   .private_data = table};
}

#endif
