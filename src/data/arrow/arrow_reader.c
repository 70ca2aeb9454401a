#include "arrow_reader.h"

#include <stdlib.h>
#include <string.h>

#include "arrow_column.h"
#include "base/system/c_locale.h"
#include "data/format/csv_cell.h"
#include "data/format/matrix.h"

struct sfmi_arrow_reader {
  struct ArrowArrayStream stream; /* release is NULL once it has ended, or failed */
  struct ArrowSchema schema;
  sfm_arrow_chunks mode;
  bool failed; /* the stream did */
  bool taken;  /* a chunk was */
  size_t column_count;
  sfmi_arrow_type *types;       /* of each column, */
  sfmi_arrow_type *entry_types; /* and of its dictionary */
  struct ArrowArray *chunks;    /* those that are held */
  size_t chunk_count, capacity;
  size_t at;                                 /* the chunk under way, */
  int64_t next;                              /* its next row, */
  int64_t rows;                              /* and how many it has; 0: none is under way */
  sfmi_arrow_column *columns, *dictionaries; /* of the chunk under way */
  char *rooms;                               /* for the cells of a record */
  size_t room_count;
  char *record; /* the bytes of one, to be hashed */
  size_t record_room;
  sfmi_digest *digest;
  locale_t c;
};

static void release_stream(sfmi_arrow_reader *reader) {
  if (reader->stream.release) reader->stream.release(&reader->stream);
  reader->stream.release = NULL;
}

static void release_chunks(sfmi_arrow_reader *reader) {
  for (size_t i = 0; i < reader->chunk_count; i++)
    if (reader->chunks[i].release) reader->chunks[i].release(&reader->chunks[i]);
  reader->chunk_count = 0;
}

static void close_reader(void *opaque) {
  sfmi_arrow_reader *reader = opaque;
  if (!reader) return;
  release_chunks(reader);
  if (reader->schema.release) reader->schema.release(&reader->schema);
  release_stream(reader);
  free(reader->chunks);
  free(reader->types);
  free(reader->entry_types);
  free(reader->columns);
  free(reader->dictionaries);
  free(reader->rooms);
  sfmi_wipe_free(reader->record, 1, reader->record_room);
  free(reader);
}

static sfm_status fail_schema(const char *what, sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT,
                   "the Arrow stream is not one of record batches: its schema %s", what);
}

static sfm_status fail_format(const struct ArrowSchema *column, sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT,
                   "column '%.64s' of the Arrow stream has the format '%.32s'%s, which cannot be "
                   "read: leave it out, or decode it first",
                   column->name ? column->name : "", column->format,
                   column->dictionary ? " with a dictionary" : "");
}

/* A column that is a dictionary has the type of its places, and that of its entries. */
static sfm_status take_type(sfmi_arrow_reader *reader, size_t i, sfm_error *error) {
  const struct ArrowSchema *column = reader->schema.children[i];
  if (!column || !column->format) return fail_schema("has a column without a format", error);
  reader->types[i] = sfmi_arrow_type_of(column->format);
  if (reader->types[i].kind == SFMI_ARROW_UNKNOWN) return fail_format(column, error);
  if (!column->dictionary) return SFM_OK;
  const sfmi_arrow_kind kind = reader->types[i].kind;
  if (kind != SFMI_ARROW_INTEGER && kind != SFMI_ARROW_UNSIGNED)
    return fail_schema("has a dictionary whose places are no integers", error);
  reader->entry_types[i] = sfmi_arrow_type_of(column->dictionary->format);
  const bool known =
      !column->dictionary->dictionary && reader->entry_types[i].kind != SFMI_ARROW_UNKNOWN;
  return known ? SFM_OK : fail_format(column, error);
}

static sfm_status take_schema(sfmi_arrow_reader *reader, sfm_error *error) {
  if (reader->stream.get_schema(&reader->stream, &reader->schema)) {
    reader->schema.release = NULL;
    return sfmi_fail(error, SFM_IO, "the Arrow stream failed before it gave its schema");
  }
  const struct ArrowSchema *schema = &reader->schema;
  if (!schema->release) return fail_schema("was released already", error);
  if (!schema->format || strcmp(schema->format, "+s") != 0)
    return fail_schema("is no struct of columns", error);
  if (schema->n_children < 1 || schema->n_children > SFMI_MATRIX_COLUMNS_MAX || !schema->children)
    return fail_schema("has no columns, or more than a million", error);
  const size_t count = reader->column_count = (size_t)schema->n_children;
  reader->types = sfmi_alloc(count, sizeof *reader->types);
  reader->entry_types = sfmi_alloc(count, sizeof *reader->entry_types);
  reader->columns = sfmi_alloc(count, sizeof *reader->columns);
  reader->dictionaries = sfmi_alloc(count, sizeof *reader->dictionaries);
  if (!reader->types || !reader->entry_types || !reader->columns || !reader->dictionaries)
    return sfmi_fail_memory(error);
  sfm_status status = SFM_OK;
  for (size_t i = 0; !status && i < count; i++) status = take_type(reader, i, error);
  return status;
}

static const char *name_of(const sfmi_arrow_reader *reader, size_t i) {
  const char *name = reader->schema.children[i]->name;
  return name ? name : "";
}

sfm_status sfmi_arrow_reader_open(sfmi_arrow_reader **out, const char ***names, size_t *count,
                                  struct ArrowArrayStream *stream, sfm_arrow_chunks chunks,
                                  sfm_error *error) {
  struct ArrowArrayStream moved = *stream;
  stream->release = NULL;
  *out = NULL;
  *names = NULL;
  sfmi_arrow_reader *reader = sfmi_alloc(1, sizeof *reader);
  if (!reader) {
    if (moved.release) moved.release(&moved);
    return sfmi_fail_memory(error);
  }
  reader->stream = moved;
  reader->mode = chunks;
  reader->c = sfmi_c_locale();
  sfm_status status = SFM_OK;
  if (!moved.release || !moved.get_schema || !moved.get_next)
    status =
        sfmi_fail(error, SFM_INVALID, "the Arrow stream was released already, or lacks functions");
  if (!status) status = take_schema(reader, error);
  *count = reader->column_count;
  if (!status) *names = sfmi_alloc(*count, sizeof **names);
  if (!status && !*names) status = sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < *count; i++) (*names)[i] = name_of(reader, i);
  if (status)
    close_reader(reader);
  else
    *out = reader;
  return status;
}

/* The columns of a chunk, whose rows are its elements from its offset on. */
static sfm_status look_at(sfmi_arrow_reader *reader, const struct ArrowArray *chunk,
                          sfm_error *error) {
  const bool holes = chunk->null_count != 0 && chunk->n_buffers > 0 && chunk->buffers;
  sfm_status status = SFM_OK;
  for (size_t i = 0; !status && i < reader->column_count; i++) {
    const struct ArrowArray *array = chunk->children[i];
    const sfmi_arrow_column *entries = NULL;
    if (reader->schema.children[i]->dictionary) {
      const struct ArrowArray *dictionary = array ? array->dictionary : NULL;
      status = sfmi_arrow_column_init(&reader->dictionaries[i], &reader->entry_types[i], dictionary,
                                      0, dictionary ? dictionary->length : 0, NULL,
                                      name_of(reader, i), error);
      entries = &reader->dictionaries[i];
    }
    if (!status)
      status = sfmi_arrow_column_init(&reader->columns[i], &reader->types[i], array, chunk->offset,
                                      chunk->length, entries, name_of(reader, i), error);
    reader->columns[i].row_validity = holes ? chunk->buffers[0] : NULL;
    reader->columns[i].row_offset = chunk->offset;
  }
  return status;
}

static sfm_status check_chunk(const sfmi_arrow_reader *reader, const struct ArrowArray *chunk,
                              sfm_error *error) {
  if (chunk->length < 0 || chunk->offset < 0 || chunk->length > INT64_MAX / 64 ||
      chunk->offset > INT64_MAX / 64 || (size_t)chunk->n_children != reader->column_count ||
      !chunk->children)
    return sfmi_fail(error, SFM_FORMAT,
                     "the Arrow stream gave a malformed chunk: its length, or the number of its "
                     "columns, is not that of a record batch of the stream");
  return SFM_OK;
}

/* Takes one more chunk from the stream, behind those that are held; *more is false at its end. */
static sfm_status take_chunk(sfmi_arrow_reader *reader, bool *more, sfm_error *error) {
  *more = false;
  if (reader->failed)
    return sfmi_fail(error, SFM_IO, "the Arrow stream failed, and cannot be read on; open another");
  if (!reader->stream.release) return SFM_OK;
  if (reader->chunk_count == reader->capacity) {
    const size_t capacity = reader->capacity ? 2 * reader->capacity : 16;
    struct ArrowArray *larger = realloc(reader->chunks, capacity * sizeof *larger);
    if (!larger) return sfmi_fail_memory(error);
    reader->chunks = larger;
    reader->capacity = capacity;
  }
  struct ArrowArray *chunk = &reader->chunks[reader->chunk_count];
  memset(chunk, 0, sizeof *chunk);
  const int code = reader->stream.get_next(&reader->stream, chunk);
  if (code) {
    reader->failed = true;
    release_stream(reader);
    return sfmi_fail(error, SFM_IO,
                     "the Arrow stream failed while it was read (error %d of its producer, whose "
                     "message is not shown here, as it may quote a record)",
                     code);
  }
  if (!chunk->release) {
    release_stream(reader);
    return SFM_OK;
  }
  reader->chunk_count++;
  reader->taken = true;
  const sfm_status status = check_chunk(reader, chunk, error);
  if (status) reader->failed = true;
  *more = !status;
  return status;
}

/* Has a chunk with rows under way, unless there are none left. */
static sfm_status next_chunk(sfmi_arrow_reader *reader, bool *more, sfm_error *error) {
  for (;;) {
    const bool begun = reader->rows > 0 || reader->next > 0;
    size_t at = reader->at + begun;
    reader->rows = reader->next = 0;
    if (reader->mode == SFM_ARROW_CHUNKS_ONCE) {
      release_chunks(reader);
      at = 0;
    }
    *more = at < reader->chunk_count;
    sfm_status status = *more ? SFM_OK : take_chunk(reader, more, error);
    reader->at = at;
    if (status || !*more) return status;
    const struct ArrowArray *chunk = &reader->chunks[at];
    if (chunk->length == 0) {
      reader->next = 1; /* so that it counts as begun */
      continue;
    }
    status = look_at(reader, chunk, error);
    if (!status) reader->rows = chunk->length;
    return status;
  }
}

static sfm_status rewind_reader(void *opaque, sfm_error *error) {
  sfmi_arrow_reader *reader = opaque;
  if (reader->mode == SFM_ARROW_CHUNKS_ONCE && reader->taken)
    return sfmi_fail(error, SFM_INVALID,
                     "these rows of an Arrow stream can be read once, and were: open them with "
                     "SFM_ARROW_CHUNKS_KEEP, or make another stream");
  reader->at = 0;
  reader->next = reader->rows = 0;
  return SFM_OK;
}

static sfm_status count_rows(void *opaque, uint64_t *count, sfm_error *error) {
  sfmi_arrow_reader *reader = opaque;
  if (reader->mode == SFM_ARROW_CHUNKS_ONCE)
    return sfmi_fail(error, SFM_INVALID,
                     "the rows of an Arrow stream that is read once cannot be counted before: use "
                     "schema.neighbours = add-remove, where their number is private, or open them "
                     "with SFM_ARROW_CHUNKS_KEEP");
  bool more = true;
  sfm_status status = SFM_OK;
  while (!status && more) status = take_chunk(reader, &more, error);
  *count = 0;
  for (size_t i = 0; i < reader->chunk_count; i++) *count += (uint64_t)reader->chunks[i].length;
  return status;
}

/* How many cells a record has; 2 stands for values. */
static void state_facts(const void *opaque, uint64_t facts[SFMI_READER_FACTS]) {
  facts[0] = 2;
  facts[1] = ((const sfmi_arrow_reader *)opaque)->column_count;
}

static bool is_read_once(const void *opaque) {
  return ((const sfmi_arrow_reader *)opaque)->mode == SFM_ARROW_CHUNKS_ONCE;
}

/* First how many cells a record has. */
static void set_digest(void *opaque, sfmi_digest *digest) {
  sfmi_arrow_reader *reader = opaque;
  const uint64_t columns = reader->column_count;
  reader->digest = digest;
  if (digest) sfmi_digest_add(digest, &columns, sizeof columns);
}

/* All cells of the next count rows: their lengths and texts, which are the same for the same
 * values. */
static void digest_rows(const sfmi_arrow_reader *reader, size_t count) {
  char room[SFMI_FRAME_ROOM];
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < reader->column_count; i++) {
      sfmi_cell cell;
      sfmi_arrow_column_cell(&cell, &reader->columns[i], reader->next + (int64_t)k, room,
                             reader->c);
      const uint64_t length = cell.kind == SFMI_CELL_VALUE ? cell.length : UINT64_MAX;
      sfmi_digest_add(reader->digest, &length, sizeof length);
      if (cell.kind == SFMI_CELL_VALUE) sfmi_digest_add(reader->digest, cell.text, cell.length);
    }
}

/* The bytes of a record: the lengths and texts of its cells. */
static sfm_status write_record(sfmi_arrow_reader *reader, size_t *length, size_t k,
                               sfm_error *error) {
  char room[SFMI_FRAME_ROOM];
  *length = 0;
  for (size_t i = 0; i < reader->column_count; i++) {
    sfmi_cell cell;
    sfmi_arrow_column_cell(&cell, &reader->columns[i], reader->next + (int64_t)k, room, reader->c);
    const bool there = cell.kind == SFMI_CELL_VALUE;
    const uint64_t size = there ? cell.length : UINT64_MAX;
    const size_t needed = *length + sizeof size + (there ? cell.length : 0);
    if (needed > reader->record_room) {
      char *larger = realloc(reader->record, 2 * needed);
      if (!larger) return sfmi_fail_memory(error);
      reader->record = larger;
      reader->record_room = 2 * needed;
    }
    memcpy(reader->record + *length, &size, sizeof size);
    if (there) memcpy(reader->record + *length + sizeof size, cell.text, cell.length);
    *length = needed;
  }
  return SFM_OK;
}

/* Hashes the next count rows, which become rows r, r + 1, ... of the batch. */
static sfm_status hash_rows(sfmi_arrow_reader *reader, sfmi_batch *batch, size_t r, size_t count,
                            const sfmi_row_hasher *hasher, sfm_error *error) {
  sfm_status status = SFM_OK;
  if (!hasher->prints && !hasher->orders) return SFM_OK;
  for (size_t k = 0; !status && k < count; k++) {
    size_t length;
    status = write_record(reader, &length, k, error);
    if (!status) sfmi_row_hash_record(hasher, batch, r + k, reader->record, length);
  }
  return status;
}

/* Whose the next count rows are, which become rows r, r + 1, ... of the batch. */
static void take_persons(const sfmi_arrow_reader *reader, sfmi_batch *batch, size_t r, size_t count,
                         const sfmi_field_request *request, const sfmi_row_hasher *hasher) {
  char room[SFMI_FRAME_ROOM];
  for (size_t k = 0; k < count; k++) {
    sfmi_cell cell;
    sfmi_arrow_column_cell(&cell, &reader->columns[request->field], reader->next + (int64_t)k, room,
                           reader->c);
    sfmi_row_hash_cell(hasher, batch, r + k, &cell, reader->c);
  }
}

/* What the batch requests of the next count rows beside their numbers. */
static void take_others(const sfmi_arrow_reader *reader, sfmi_batch *batch, size_t r, size_t count,
                        const sfmi_field_request *request) {
  const bool grouped = request->category && batch->group,
             coded = request->category && batch->codes && request->code != SFMI_NO_SLOT,
             told = batch->texts && request->text != SFMI_NO_SLOT;
  char own[SFMI_FRAME_ROOM];
  if (!grouped && !coded && !told) return;
  for (size_t i = r; i < r + count; i++) {
    sfmi_cell cell;
    const size_t place = told ? request->text * batch->stride + i : 0;
    sfmi_arrow_column_cell(&cell, &reader->columns[request->field], reader->next + (int64_t)(i - r),
                           told ? batch->printed + SFMI_FRAME_ROOM * place : own, reader->c);
    if (told) batch->texts[place] = sfmi_cell_trimmed(&cell);
    if (!grouped && !coded) continue;
    const uint32_t code = sfmi_category_of_cell(request->category, &cell, reader->c);
    if (coded) batch->codes[request->code * batch->stride + i] = code;
    if (grouped && code == SFMI_NO_CATEGORY)
      batch->keep[i] = 0;
    else if (grouped)
      batch->group[i] += request->stride * code;
  }
}

static sfm_status take_rows(sfmi_arrow_reader *reader, sfmi_batch *batch, size_t r, size_t count,
                            const sfmi_row_layout *layout, sfm_error *error) {
  const sfmi_field_request *requests = layout->requests;
  if (reader->digest) digest_rows(reader, count);
  memset(batch->keep + r, 1, count);
  if (batch->group) memset(batch->group + r, 0, count * sizeof *batch->group);
  if (layout->hasher) {
    const sfm_status status = hash_rows(reader, batch, r, count, layout->hasher, error);
    if (status) return status;
  }
  for (size_t w = 0; w < layout->request_count; w++) {
    if (requests[w].slot != SFMI_NO_SLOT)
      sfmi_arrow_column_numbers(batch->values + requests[w].slot * batch->stride + r,
                                &reader->columns[requests[w].field], reader->next, count,
                                reader->c);
    if (requests[w].person && layout->hasher)
      take_persons(reader, batch, r, count, &requests[w], layout->hasher);
    take_others(reader, batch, r, count, &requests[w]);
  }
  reader->next += (int64_t)count;
  return SFM_OK;
}

static sfm_status fill_batch(void *opaque, sfmi_batch *batch, const sfmi_row_layout *layout,
                             sfm_error *error) {
  sfmi_arrow_reader *reader = opaque;
  sfm_status status = SFM_OK;
  size_t r = 0;
  while (!status && r < batch->stride) {
    if (reader->next == reader->rows) {
      bool more;
      if (batch->texts && r > 0) break; /* texts stand in the chunk */
      status = next_chunk(reader, &more, error);
      if (status || !more) break;
    }
    const uint64_t left = (uint64_t)(reader->rows - reader->next);
    const size_t count = left < batch->stride - r ? (size_t)left : batch->stride - r;
    status = take_rows(reader, batch, r, count, layout, error);
    r += count;
  }
  batch->rows = r;
  return status;
}

static sfm_status next_record(void *opaque, sfmi_cell *cells, bool *more, bool *held,
                              const sfmi_row_layout *layout, sfm_error *error) {
  sfmi_arrow_reader *reader = opaque;
  *more = *held = true;
  if (reader->next == reader->rows) {
    const sfm_status status = next_chunk(reader, more, error);
    if (status || !*more) return status;
  }
  if (layout->request_count > reader->room_count) {
    char *rooms = realloc(reader->rooms, layout->request_count * SFMI_FRAME_ROOM);
    if (!rooms) return sfmi_fail_memory(error);
    reader->rooms = rooms;
    reader->room_count = layout->request_count;
  }
  for (size_t w = 0; w < layout->request_count; w++)
    sfmi_arrow_column_cell(&cells[w], &reader->columns[layout->requests[w].field], reader->next,
                           reader->rooms + SFMI_FRAME_ROOM * w, reader->c);
  reader->next++;
  return SFM_OK;
}

const sfmi_reader_ops sfmi_arrow_reader_ops = {.form = SFMI_CELL_FORM_VALUE,
                                               .name = "the Arrow stream",
                                               .close = close_reader,
                                               .rewind = rewind_reader,
                                               .count = count_rows,
                                               .facts = state_facts,
                                               .once = is_read_once,
                                               .digest = set_digest,
                                               .fill = fill_batch,
                                               .record = next_record};
