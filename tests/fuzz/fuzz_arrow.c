/* fuzz_arrow.c - Arrow streams of any types, lengths, offsets, buffers and dictionaries.
 *
 * The interface states no sizes of buffers, so the producer here keeps what cannot be noticed: a
 * buffer is as long as the length and offset of its array need, and offsets of texts stay within
 * their bytes.  All else comes from the input: formats, lengths too short or negative, missing
 * buffers and children, offsets that go backwards, views and places in dictionaries that point
 * nowhere, chunks that fail. */
#include <errno.h>
#include <string.h>

#include "data/rows/cell_columns.h"
#include "data/rows/rows.h"
#include "base/system/c_locale.h"
#include "data/arrow/arrow_type.h"
#include "promise.h"
#include "sfumato/arrow.h"
#include "../row_keys_fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COLUMNS = 3, ROWS_MAX = 40, BLOCKS = 12 };

static const char *const formats[] = {
    "n",   "b",      "c",       "C",           "s",        "S",         "i",   "I",   "l",
    "L",   "e",      "f",       "g",           "u",        "U",         "z",   "Z",   "vu",
    "vz",  "d:20,3", "d:38,-2", "d:70,30,256", "d:9,2,32", "d:18,0,64", "w:3", "w:0", "tdD",
    "tdm", "tss:",   "tsm:UTC", "tsu:",        "tsn:",     "tts",       "+l",  "+s",  "?"};

typedef struct producer {
  const uint8_t *data;
  size_t size;
  const char *columns[COLUMNS], *entries[COLUMNS];
  size_t chunks;
} producer;

static int live; /* streams, schemas and arrays not released */

static uint8_t byte(producer *p) {
  if (p->size == 0) return 0;
  p->size--;
  return *p->data++;
}

/* Mostly 0; an odd number now and then. */
static int64_t odd(producer *p) {
  static const int64_t numbers[] = {-1, 1, 7, INT64_MAX, INT64_MIN, 1 << 20, -40};
  const uint8_t b = byte(p);
  return b < 240 ? 0 : numbers[b % 7];
}

typedef struct memory {
  void *blocks[BLOCKS];
  size_t count;
} memory;

static void *keep(memory *m, size_t size) {
  void *block = calloc(1, size ? size : 1);
  PROMISE(block && m->count < BLOCKS);
  return m->blocks[m->count++] = block;
}

static void *fill(memory *m, producer *p, size_t size) {
  uint8_t *block = keep(m, size);
  for (size_t i = 0; i < size && p->size; i++) block[i] = byte(p);
  return block;
}

static void end_memory(memory *m) {
  for (size_t i = 0; i < m->count; i++) free(m->blocks[i]);
  free(m);
  live--;
}

/* What was handed out, however its fields were spoilt. */
typedef struct held {
  memory memory;
  struct ArrowArray *children[COLUMNS];
  struct ArrowArray *dictionary;
} held;

static void release_array(struct ArrowArray *array) {
  held *h = array->private_data;
  PROMISE(array->release);
  for (size_t i = 0; i < COLUMNS; i++)
    if (h->children[i] && h->children[i]->release) h->children[i]->release(h->children[i]);
  if (h->dictionary && h->dictionary->release) h->dictionary->release(h->dictionary);
  array->release = NULL;
  end_memory(&h->memory);
}

static held *begin_array(struct ArrowArray *array, size_t buffers) {
  held *h = calloc(1, sizeof *h);
  PROMISE(h);
  *array = (struct ArrowArray){
      .n_buffers = (int64_t)buffers, .release = release_array, .private_data = h};
  array->buffers = keep(&h->memory, buffers * sizeof *array->buffers);
  live++;
  return h;
}

static void put_texts(held *h, struct ArrowArray *array, producer *p, size_t width, size_t count) {
  enum { BYTES = 64 };
  array->buffers[2] = fill(&h->memory, p, BYTES);
  uint8_t *offsets = keep(&h->memory, (count + 1) * width);
  int64_t at = 0;
  for (size_t i = 0; i <= count; i++) {
    const int8_t step = (int8_t)byte(p);
    at = step == 127 ? -5 : at + step % 16;
    if (at > BYTES) at = BYTES;
    memcpy(offsets + i * width, &at, width);
  }
  array->buffers[1] = offsets;
}

static void put_views(held *h, struct ArrowArray *array, producer *p, size_t count) {
  enum { BYTES = 64 };
  int64_t *sizes = keep(&h->memory, sizeof *sizes);
  *sizes = BYTES - byte(p) % 3;
  array->buffers[1] = fill(&h->memory, p, 16 * count);
  array->buffers[2] = fill(&h->memory, p, BYTES);
  array->buffers[3] = sizes;
  for (size_t i = 0; i < count; i++) { /* sizes that texts can have, often */
    uint8_t *view = (uint8_t *)h->memory.blocks[h->memory.count - 2] + 16 * i;
    if (view[3] < 200) view[1] = view[2] = view[3] = 0;
    if (view[11] < 200) view[8] = view[9] = view[10] = view[11] = 0;
    if (view[15] < 200) view[13] = view[14] = view[15] = 0;
  }
}

/* count elements, and what else the input wants. */
static void put_array(struct ArrowArray *array, producer *p, const char *format, size_t count) {
  const sfmi_arrow_type type = sfmi_arrow_type_of(format);
  const bool view = type.kind == SFMI_ARROW_VIEW;
  held *h = begin_array(array, 4);
  array->n_buffers = view ? 4 : sfmi_arrow_type_buffers(&type);
  array->offset = byte(p) % 4;
  array->length = (int64_t)count;
  array->null_count = odd(p);
  const size_t all = (size_t)array->offset + count;
  if (type.kind != SFMI_ARROW_EMPTY && byte(p) % 2)
    array->buffers[0] = fill(&h->memory, p, (all + 7) / 8);
  if (type.kind == SFMI_ARROW_TEXT)
    put_texts(h, array, p, type.width, all);
  else if (view)
    put_views(h, array, p, all);
  else if (type.kind != SFMI_ARROW_EMPTY)
    array->buffers[1] =
        fill(&h->memory, p, type.kind == SFMI_ARROW_BOOLEAN ? (all + 7) / 8 : all * type.width);
  const int64_t shorter = odd(p);
  if (shorter < 0) array->length += shorter < -100 ? INT64_MIN : shorter;
  const int64_t fewer = odd(p);
  if (fewer) array->n_buffers -= 1 + (fewer & 1);
  const uint8_t lost = byte(p);
  if (lost >= 250) array->buffers[lost % 2 + 1] = NULL;
}

static int next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  producer *p = stream->private_data;
  const uint8_t what = byte(p);
  memset(out, 0, sizeof *out);
  if (what >= 252) return EIO;
  if (p->size == 0 || p->chunks-- == 0) return 0;
  const size_t count = what % ROWS_MAX, skip = byte(p) % 4;
  held *h = begin_array(out, 1);
  out->length = (int64_t)count;
  out->offset = (int64_t)skip;
  out->null_count = odd(p);
  out->n_children = COLUMNS;
  out->children = keep(&h->memory, COLUMNS * sizeof *out->children);
  struct ArrowArray *children = keep(&h->memory, COLUMNS * sizeof *children);
  if (byte(p) % 4 == 0) out->buffers[0] = fill(&h->memory, p, (skip + count + 7) / 8);
  for (size_t i = 0; i < COLUMNS; i++) {
    put_array(&children[i], p, p->columns[i], skip + count);
    out->children[i] = h->children[i] = &children[i];
    if (!p->entries[i]) continue;
    held *child = children[i].private_data;
    child->dictionary = keep(&child->memory, sizeof *child->dictionary);
    put_array(child->dictionary, p, p->entries[i], byte(p) % 8);
    if (byte(p) < 250) children[i].dictionary = child->dictionary;
  }
  const int64_t shorter = odd(p), other = odd(p);
  if (shorter < 0) out->length += shorter < -100 ? INT64_MIN : shorter;
  if (other < 0) out->offset = other;
  if (other > 0) out->n_children = other;
  if (byte(p) == 255) out->children[byte(p) % COLUMNS] = NULL;
  return 0;
}

static void release_schema(struct ArrowSchema *schema) {
  PROMISE(schema->release);
  schema->release = NULL;
  end_memory(schema->private_data);
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  static const char *const names[] = {"a", "b", "c"};
  producer *p = stream->private_data;
  memory *m = calloc(1, sizeof *m);
  PROMISE(m);
  live++;
  struct ArrowSchema *parts = keep(m, 2 * COLUMNS * sizeof *parts),
                     **children = keep(m, COLUMNS * sizeof *children);
  for (size_t i = 0; i < COLUMNS; i++) {
    parts[i] = (struct ArrowSchema){.format = p->columns[i], .name = names[i]};
    parts[COLUMNS + i] = (struct ArrowSchema){.format = p->entries[i]};
    if (p->entries[i]) parts[i].dictionary = &parts[COLUMNS + i];
    children[i] = &parts[i];
  }
  *out = (struct ArrowSchema){.format = "+s",
                              .n_children = COLUMNS,
                              .children = children,
                              .release = release_schema,
                              .private_data = m};
  return 0;
}

static void release_stream(struct ArrowArrayStream *stream) {
  PROMISE(stream->release);
  stream->release = NULL;
  live--;
}

/* Reads all cells, and says how much that was. */
static uint64_t read_all(sfm_rows *rows, const sfm_schema *schema, bool *whole) {
  static const char *const words[] = {"7", "true", "x", "2026-01-31"};
  static const sfmi_cell_column columns[] = {
      {"a", SFMI_USE_NUMBER, NULL, 0},    {"a", SFMI_USE_TEXT, NULL, 0},
      {"b", SFMI_USE_CATEGORY, words, 4}, {"b", SFMI_USE_NUMBER, NULL, 0},
      {"c", SFMI_USE_TEXT, NULL, 0},      {"c", SFMI_USE_CATEGORY, words, 4}};
  static const uint8_t key[SFMI_DIGEST_BYTES] = {9};
  const sfmi_batch *batch = NULL;
  sfm_error error = {0};
  uint64_t hash = 1;
  set_keys(rows, key, false);
  *whole = false;
  if (sfmi_rows_begin_cells(rows, schema, columns, 6, &error)) return 0;
  for (;;) {
    if (sfmi_rows_next(rows, &batch, &error)) return 0;
    if (!batch) break;
    for (size_t r = 0; r < batch->rows; r++)
      for (size_t k = 0; k < 2; k++) {
        const sfmi_text *text = &batch->texts[k * batch->stride + r];
        PROMISE(batch->codes[k * batch->stride + r] < 4 ||
                batch->codes[k * batch->stride + r] == SFMI_NO_CATEGORY);
        for (size_t i = 0; i < text->length; i++) hash = hash * 31 + (uint8_t)text->text[i];
        hash = hash * 31 + batch->keep[r];
      }
  }
  uint8_t print[SFMI_DIGEST_BYTES];
  sfmi_rows_fingerprint(rows, print);
  *whole = true;
  return hash * 31 + print[0];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  producer p = {.data = data, .size = size, .chunks = 6};
  const bool once = byte(&p) % 2, person = byte(&p) % 2;
  for (size_t i = 0; i < COLUMNS; i++) {
    const uint8_t format = byte(&p), entry = byte(&p);
    p.columns[i] = formats[format % (sizeof formats / sizeof *formats)];
    p.entries[i] = entry % 3 ? NULL : formats[entry / 3 % (sizeof formats / sizeof *formats)];
  }
  live = 1;
  struct ArrowArrayStream stream = {
      .get_schema = get_schema, .get_next = next, .release = release_stream, .private_data = &p};
  sfm_error error = {0};
  sfm_rows *rows;
  sfm_schema *schema;
  if (sfm_schema_create(&schema, &error)) return 0;
  if (person) PROMISE(!sfm_schema_set_person(schema, "c", &error));
  if (!sfm_rows_from_arrow_stream(&rows, &stream,
                                  once ? SFM_ARROW_CHUNKS_ONCE : SFM_ARROW_CHUNKS_KEEP, &error)) {
    bool whole, again;
    uint64_t count = 0;
    const uint64_t hash = read_all(rows, schema, &whole);
    if (whole && !once) {
      PROMISE(read_all(rows, schema, &again) == hash && again);
      PROMISE(!sfm_rows_count(rows, &count, &error));
    }
  }
  PROMISE(!stream.release);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  PROMISE(live == 0);
  return 0;
}
