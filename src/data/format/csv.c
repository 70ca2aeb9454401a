#include "csv.h"

#include <math.h>
#include <stdlib.h>

#include "base/system/c_locale.h"

_Static_assert(SFMI_LINES_SLACK >= SFMI_DECIMAL_SLACK + 8,
               "words are read from anywhere in a line");

static sfm_status read_header(sfmi_csv *csv, sfm_error *error) {
  const char *name = sfmi_source_name(csv->lines.source);
  csv->lines.lenient = true;
  sfm_status status = sfmi_lines_refill(&csv->lines, error);
  csv->lines.lenient = false;
  if (status) return status;
  if (csv->lines.whole == 0)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s is empty: a CSV file begins with a header line naming its columns", name);
  char *newline = memchr(csv->lines.buffer, '\n', csv->lines.whole);
  csv->lines.offset = (uint64_t)(newline - csv->lines.buffer) + 1;
  if (csv->lines.offset > SFMI_CSV_LINE_MAX)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: the first line is longer than %zu bytes: a CSV file begins with a header "
                     "line naming its columns",
                     name, SFMI_CSV_LINE_MAX);
  return sfmi_csv_header_read(&csv->header, csv->lines.buffer, newline, name, csv->c, error);
}

sfm_status sfmi_csv_open(sfmi_csv **out, sfmi_source *source, size_t block, sfm_error *error) {
  *out = NULL;
  sfmi_csv *csv = sfmi_alloc(1, sizeof *csv);
  if (!csv) return sfmi_fail_memory(error);
  sfm_status status = sfmi_lines_init(&csv->lines, source, block, SFMI_CSV_LINE_MAX, error);
  csv->c = sfmi_c_locale();
  if (!status) status = read_header(csv, error);
  if (!status)
    *out = csv;
  else
    sfmi_csv_close(csv);
  return status;
}

void sfmi_csv_close(sfmi_csv *csv) {
  if (!csv) return;
  sfmi_csv_header_clear(&csv->header);
  sfmi_lines_clear(&csv->lines);
  free(csv);
}

/* Whether a cell may stop at text. */
static inline bool cell_ends(const char *text) {
  return *text == ',' || *text == '\n' || (*text == '\r' && text[1] == '\n');
}

static double cell_number(const sfmi_cell *cell, locale_t c) {
  double value = NAN;
  if (cell->kind == SFMI_CELL_BARE || cell->kind == SFMI_CELL_QUOTED)
    sfmi_decimal_read(&value, cell->text, cell->length, c);
  return value;
}

/* From where a cell of a record stopped, or from its start, to the start of the next; NULL when the
 * record has no more cells. */
static inline char *next_cell(char *at) {
  if (*at == '"') {
    sfmi_cell cell;
    at = sfmi_cell_scan(&cell, at);
  }
  char *stop = sfmi_cell_stop(at);
  return *stop == ',' ? stop + 1 : NULL;
}

/* The number in the cell at text; returns where the cell stops. */
static inline char *number_cell(double *value, char *text, locale_t c) {
  const char *stop = sfmi_decimal_scan_short(value, text);
  if (stop && cell_ends(stop)) return text + (stop - text);
  stop = sfmi_decimal_scan_long(value, text);
  if (stop && cell_ends(stop)) return text + (stop - text);
  stop = sfmi_decimal_scan(value, text, c);
  if (stop && cell_ends(stop)) return text + (stop - text);
  sfmi_cell cell;
  char *end = sfmi_cell_scan(&cell, text);
  *value = cell_number(&cell, c);
  return end;
}

/* What a line says beside its numbers. */
typedef struct line_fields {
  sfmi_cell id;   /* the person's cell; absent where there is none */
  uint32_t group; /* of those categories that were found */
  bool grouped;   /* all were */
} line_fields;

/* A cell that is no number, or not only one; returns where it stops. */
static char *text_cell(double *value, line_fields *said, char *text,
                       const sfmi_field_request *request, locale_t c) {
  sfmi_cell cell;
  char *stop = sfmi_cell_scan(&cell, text);
  *value = cell_number(&cell, c);
  sfmi_cell_unescape(&cell);
  if (request->person) said->id = cell;
  if (!request->category) return stop;
  const uint32_t place = sfmi_category_of_cell(request->category, &cell, c);
  said->grouped = said->grouped && place != SFMI_NO_CATEGORY;
  if (place != SFMI_NO_CATEGORY) said->group += request->stride * place;
  return stop;
}

/* The wanted numbers of the line, into values[slot * SFMI_BATCH_ROWS], and what else it says, into
 * *said.  Returns the line's '\n'; end is where the whole lines end. */
static inline char *take_line(double *restrict values, line_fields *restrict said, char *line,
                              const char *end, const sfmi_field_request *restrict requests,
                              size_t request_count, locale_t c) {
  char *at = line, *stop = line;
  size_t field = 0;
  for (size_t w = 0; w < request_count; w++) {
    for (; at && field < requests[w].field; field++) {
      at = next_cell(at);
      if (at) stop = at;
    }
    double value = NAN;
    if (at && (requests[w].person || requests[w].category)) {
      at = stop = text_cell(&value, said, at, &requests[w], c);
    } else if (at) {
      at = stop = number_cell(&value, at, c);
    } else if (requests[w].category) {
      said->grouped = false;
    }
    if (requests[w].slot != SFMI_NO_SLOT) values[requests[w].slot * SFMI_BATCH_ROWS] = value;
  }
  return *stop == '\n' ? stop : memchr(stop, '\n', (size_t)(end - stop));
}

/* Whole lines from `line` to `end` into rows r, r + 1, ... of the batch; *next is the line after
 * the last that was taken.  Returns the row after the last.  Without persons: a record is then
 * nothing but its numbers. */
static size_t take_lines(char **next, char *line, const char *end, sfmi_batch *batch, size_t r,
                         const sfmi_row_layout *layout, locale_t c) {
  const sfmi_field_request *requests = layout->requests;
  const size_t request_count = layout->request_count;
  double *values = batch->values;
  uint8_t *keep = batch->keep;
  uint32_t *group = batch->group;
  const sfmi_field_request first = requests[0];
  line_fields said;
  for (; r < SFMI_BATCH_ROWS && line < end; r++) {
    said.group = 0;
    said.grouped = true;
    char *newline = request_count == 1
                        ? take_line(values + r, &said, line, end, &first, 1, c)
                        : take_line(values + r, &said, line, end, requests, request_count, c);
    keep[r] = (size_t)(newline - line) <= SFMI_CSV_LINE_MAX && said.grouped;
    if (group) group[r] = said.grouped ? said.group : 0;
    line = newline + 1;
  }
  *next = line;
  return r;
}

/* A bare cell of up to seven bytes that is one of the categories; returns where it stops, or NULL
 * when it is anything else: longer, quoted, with blanks around it, or none of them. */
static inline char *short_cell(uint32_t *place, char *text,
                               sfmi_short_categories short_categories) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t bytes;
  memcpy(&bytes, text, 8);
  const uint64_t hits = sfmi_cell_match(bytes, UINT64_C(0x2c2c2c2c2c2c2c2c)) |
                        sfmi_cell_match(bytes, UINT64_C(0x0a0a0a0a0a0a0a0a));
  unsigned length = hits ? (unsigned)__builtin_ctzll(hits) >> 3 : 0;
  if (length > 1 && text[length] == '\n' && text[length - 1] == '\r') length--;
  if (length == 0) return NULL;
  *place = sfmi_short_category_find(short_categories, bytes & ((UINT64_C(1) << (8 * length)) - 1),
                                    length);
  return *place == SFMI_NO_CATEGORY ? NULL : text + length;
#else
  (void)place;
  (void)text;
  (void)short_categories;
  return NULL;
#endif
}

/* Where a batch's columns of row r stand. */
typedef struct cell_row {
  double *values;
  uint32_t *codes;
  sfmi_text *texts;
  size_t stride;
} cell_row;

/* Whatever is wanted of a cell (of none, where the line ended before it). */
static void take_cell(cell_row row, sfmi_cell *id, sfmi_cell *cell,
                      const sfmi_field_request *request, locale_t c) {
  if (request->slot != SFMI_NO_SLOT) row.values[request->slot * row.stride] = cell_number(cell, c);
  sfmi_cell_unescape(cell);
  if (request->person) *id = *cell;
  if (request->code != SFMI_NO_SLOT)
    row.codes[request->code * row.stride] = sfmi_category_of_cell(request->category, cell, c);
  if (request->text != SFMI_NO_SLOT)
    row.texts[request->text * row.stride] = sfmi_cell_trimmed(cell);
}

/* One cell of a line; returns where it stops.  Numbers alone and categories alone have a faster
 * path. */
static inline char *request_cell(cell_row row, sfmi_cell *id, char *text,
                                 const sfmi_field_request *request, locale_t c) {
  if (request->mode == SFMI_CELL_MODE_NUMBER)
    return number_cell(&row.values[request->slot * row.stride], text, c);
  if (request->mode == SFMI_CELL_MODE_WORD) {
    char *stop =
        short_cell(&row.codes[request->code * row.stride], text, request->short_categories);
    if (stop) return stop;
  }
  if (request->mode == SFMI_CELL_MODE_CODE) {
    double value;
    char *stop = number_cell(&value, text, c);
    row.codes[request->code * row.stride] = sfmi_category_of_number(request->category, value);
    return stop;
  }
  sfmi_cell cell;
  char *stop = sfmi_cell_scan(&cell, text);
  take_cell(row, id, &cell, request, c);
  return stop;
}

/* The wanted cells of the line, and its person's.  Returns the line's '\n'; end is where the whole
 * lines end. */
static inline char *take_cells(cell_row row, sfmi_cell *id, char *line, const char *end,
                               const sfmi_field_request *restrict requests, size_t request_count,
                               locale_t c) {
  char *at = line, *stop = line;
  size_t field = 0;
  for (size_t w = 0; w < request_count; w++) {
    for (; at && field < requests[w].field; field++) {
      at = next_cell(at);
      if (at) stop = at;
    }
    if (at) {
      at = stop = request_cell(row, id, at, &requests[w], c);
    } else {
      sfmi_cell none = {line, 0, SFMI_CELL_ABSENT};
      take_cell(row, id, &none, &requests[w], c);
    }
  }
  return *stop == '\n' ? stop : memchr(stop, '\n', (size_t)(end - stop));
}

static inline cell_row row_of(const sfmi_batch *batch, size_t r) {
  return (cell_row){batch->values + r, batch->codes ? batch->codes + r : NULL,
                    batch->texts ? batch->texts + r : NULL, batch->stride};
}

/* As take_lines, for cells. */
static size_t take_cell_lines(char **next, char *line, const char *end, sfmi_batch *batch, size_t r,
                              const sfmi_row_layout *layout, locale_t c) {
  sfmi_cell id;
  for (; r < batch->stride && line < end; r++) {
    char *newline =
        take_cells(row_of(batch, r), &id, line, end, layout->requests, layout->request_count, c);
    batch->keep[r] = (size_t)(newline - line) <= SFMI_CSV_LINE_MAX;
    line = newline + 1;
  }
  *next = line;
  return r;
}

/* The same with hashes of the records and of their persons. */
static size_t take_hashed_lines(char **next, char *line, const char *end, sfmi_batch *batch,
                                size_t r, const sfmi_row_layout *layout, locale_t c) {
  const sfmi_field_request *requests = layout->requests;
  const size_t count = layout->request_count;
  for (; r < batch->stride && line < end; r++) {
    const size_t length = (size_t)((char *)memchr(line, '\n', (size_t)(end - line)) - line);
    const bool held = length <= SFMI_CSV_LINE_MAX;
    line_fields said = {.id = {line, 0, SFMI_CELL_ABSENT}, .grouped = true};
    /* Of a line too long no more is held for certain. */
    sfmi_row_hash_record(layout->hasher, batch, r, line, held ? length : SFMI_CSV_LINE_MAX + 1);
    if (layout->cells)
      take_cells(row_of(batch, r), &said.id, line, end, requests, count, c);
    else
      take_line(batch->values + r, &said, line, end, requests, count, c);
    if (batch->group) batch->group[r] = said.grouped ? said.group : 0;
    batch->keep[r] = held && said.grouped;
    if (!held) said.id = (sfmi_cell){line, 0, SFMI_CELL_ABSENT};
    if (layout->person) sfmi_row_hash_cell(layout->hasher, batch, r, &said.id, c);
    line += length + 1;
  }
  *next = line;
  return r;
}

static size_t take_any(char **next, char *line, const char *end, sfmi_batch *batch, size_t r,
                       const sfmi_row_layout *layout, locale_t c) {
  if (layout->hasher) return take_hashed_lines(next, line, end, batch, r, layout, c);
  return layout->cells ? take_cell_lines(next, line, end, batch, r, layout, c)
                       : take_lines(next, line, end, batch, r, layout, c);
}

void sfmi_csv_parse(sfmi_batch *batch, char *text, size_t length, const sfmi_row_layout *layout,
                    locale_t c) {
  char *next;
  batch->rows = take_any(&next, text, text + length, batch, 0, layout, c);
}

sfm_status sfmi_csv_fill(sfmi_csv *csv, sfmi_batch *batch, const sfmi_row_layout *layout,
                         sfm_error *error) {
  sfm_status status = SFM_OK;
  size_t r = 0;
  while (!status && r < batch->stride) {
    if (csv->lines.next == csv->lines.whole) {
      if (batch->texts && r > 0) break;
      status = sfmi_lines_refill(&csv->lines, error);
      if (status || csv->lines.next == csv->lines.whole) break;
    }
    char *next, *buffer = csv->lines.buffer;
    r = take_any(&next, buffer + csv->lines.next, buffer + csv->lines.whole, batch, r, layout,
                 csv->c);
    csv->lines.next = (size_t)(next - buffer);
  }
  batch->rows = r;
  return status;
}

sfm_status sfmi_csv_record(sfmi_csv *csv, sfmi_cell *cells, bool *more, bool *held,
                           const sfmi_row_layout *layout, sfm_error *error) {
  if (csv->lines.next == csv->lines.whole) {
    sfm_status status = sfmi_lines_refill(&csv->lines, error);
    if (status) return status;
  }
  *more = csv->lines.next < csv->lines.whole;
  if (!*more) return SFM_OK;
  char *line = csv->lines.buffer + csv->lines.next, *at = line;
  char *newline = memchr(line, '\n', csv->lines.whole - csv->lines.next);
  csv->lines.next = (size_t)(newline - csv->lines.buffer) + 1;
  *held = (size_t)(newline - line) <= SFMI_CSV_LINE_MAX;
  if (!*held) at = NULL;
  size_t field = 0;
  for (size_t w = 0; w < layout->request_count; w++) {
    for (; at && field < layout->requests[w].field; field++) at = next_cell(at);
    cells[w] = (sfmi_cell){line, 0, SFMI_CELL_ABSENT};
    if (at) at = sfmi_cell_scan(&cells[w], at);
  }
  for (size_t w = 0; w < layout->request_count; w++) sfmi_cell_unescape(&cells[w]);
  return SFM_OK;
}

/* The reader. */

static void close_reader(void *csv) {
  sfmi_csv_close(csv);
}

static sfm_status rewind_reader(void *csv, sfm_error *error) {
  return sfmi_lines_rewind(&((sfmi_csv *)csv)->lines, error);
}

static sfm_status count_lines(void *csv, uint64_t *count, sfm_error *error) {
  return sfmi_lines_count(&((sfmi_csv *)csv)->lines, count, error);
}

/* The bytes of a line say all; 1 stands for CSV. */
static void state_facts(const void *csv, uint64_t facts[SFMI_READER_FACTS]) {
  (void)csv;
  facts[0] = 1;
}

static void set_digest(void *csv, sfmi_digest *digest) {
  sfmi_source_digest(((sfmi_csv *)csv)->lines.source, digest);
}

static sfm_status fill_batch(void *csv, sfmi_batch *batch, const sfmi_row_layout *layout,
                             sfm_error *error) {
  return sfmi_csv_fill(csv, batch, layout, error);
}

static sfm_status next_record(void *csv, sfmi_cell *cells, bool *more, bool *held,
                              const sfmi_row_layout *layout, sfm_error *error) {
  return sfmi_csv_record(csv, cells, more, held, layout, error);
}

const sfmi_reader_ops sfmi_csv_reader_ops = {.form = SFMI_CELL_FORM_TEXT,
                                             .close = close_reader,
                                             .rewind = rewind_reader,
                                             .count = count_lines,
                                             .facts = state_facts,
                                             .digest = set_digest,
                                             .fill = fill_batch,
                                             .record = next_record};
