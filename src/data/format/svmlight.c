#include "svmlight.h"

#include <math.h>
#include <stdlib.h>

#include "base/system/c_locale.h"
#include "base/text/decimal.h"

_Static_assert(SFMI_LINES_SLACK >= SFMI_DECIMAL_SLACK + 8,
               "words are read from anywhere in a line");

sfm_status sfmi_svmlight_open(sfmi_svmlight **out, sfmi_source *source, size_t dimension,
                              size_t block, sfm_error *error) {
  *out = NULL;
  if (dimension < 1 || dimension > SFMI_SVMLIGHT_DIMENSION_MAX)
    return sfmi_fail(
        error, SFM_INVALID,
        "libsvm text needs its dimension, the highest index that there can be: write "
        "rows.dimension = D, from 1 to %zu. It is public and must not be taken from the rows",
        SFMI_SVMLIGHT_DIMENSION_MAX);
  sfmi_svmlight *text = sfmi_alloc(1, sizeof *text);
  if (!text) return sfmi_fail_memory(error);
  text->dimension = dimension;
  sfm_status status = sfmi_lines_init(&text->lines, source, block, SFMI_SVMLIGHT_LINE_MAX, error);
  text->c = sfmi_c_locale();
  if (!status)
    *out = text;
  else
    sfmi_svmlight_close(text);
  return status;
}

void sfmi_svmlight_close(sfmi_svmlight *text) {
  if (!text) return;
  sfmi_lines_clear(&text->lines);
  free(text);
}

sfm_status sfmi_sparse_init(sfmi_sparse_batch *batch, size_t rows, size_t most, sfm_error *error) {
  static const size_t FIRST = 4096;
  *batch = (sfmi_sparse_batch){.room = FIRST, .most = most};
  batch->keep = sfmi_alloc(rows, sizeof *batch->keep);
  batch->labels = sfmi_alloc(rows, sizeof *batch->labels);
  batch->starts = sfmi_alloc(rows + 1, sizeof *batch->starts);
  batch->indices = sfmi_alloc(FIRST, sizeof *batch->indices);
  batch->values = sfmi_alloc(FIRST, sizeof *batch->values);
  if (batch->keep && batch->labels && batch->starts && batch->indices && batch->values)
    return SFM_OK;
  sfmi_sparse_clear(batch);
  return sfmi_fail_memory(error);
}

void sfmi_sparse_clear(sfmi_sparse_batch *batch) {
  free(batch->keep);
  free(batch->labels);
  free(batch->starts);
  free(batch->indices);
  free(batch->values);
  *batch = (sfmi_sparse_batch){0};
}

/* Has room for so many nonzeros. */
static sfm_status make_room(sfmi_sparse_batch *batch, size_t nonzeros, sfm_error *error) {
  if (nonzeros <= batch->room) return SFM_OK;
  size_t room = 2 * batch->room;
  if (room < nonzeros) room = nonzeros;
  uint32_t *indices = realloc(batch->indices, room * sizeof *indices);
  if (indices) batch->indices = indices;
  double *values = realloc(batch->values, room * sizeof *values);
  if (values) batch->values = values;
  if (!indices || !values) return sfmi_fail_memory(error);
  batch->room = room;
  return SFM_OK;
}

static inline bool is_blank(char byte) {
  return byte == ' ' || byte == '\t';
}

/* Whether a token may stop at text. */
static inline bool token_ends(const char *text) {
  return is_blank(*text) || *text == '\n' || *text == '#' || (*text == '\r' && text[1] == '\n');
}

static inline const char *skip_blanks(const char *text) {
  while (is_blank(*text)) text++;
  return text;
}

/* Whether nothing follows but a comment. */
static inline bool line_ends(const char *text) {
  return *text == '\n' || *text == '#' || (*text == '\r' && text[1] == '\n');
}

/* The token that is a finite number at text: where it stops, or NULL. */
static inline const char *take_number(double *value, const char *text, locale_t c) {
  const char *stop = sfmi_decimal_scan_short(value, text);
  if (stop && token_ends(stop)) return stop;
  stop = sfmi_decimal_scan_long(value, text);
  if (stop && token_ends(stop)) return stop;
  stop = sfmi_decimal_scan(value, text, c);
  return stop && token_ends(stop) && isfinite(*value) ? stop : NULL;
}

/* The digits at text up to a ':', as a number of at most `most`; where they stop, or NULL. */
static inline const char *take_index(size_t *index, const char *text, size_t most) {
  size_t number = 0;
  const char *at = text;
  for (; *at >= '0' && *at <= '9'; at++) {
    number = number * 10 + (size_t)(*at - '0');
    if (number > most) return NULL;
  }
  *index = number;
  return at > text && *at == ':' ? at : NULL;
}

/* Whether a token that take_index does not take is an index that is too large. */
static bool is_beyond(const char *text) {
  const size_t digits = strspn(text, "0123456789");
  return digits > 0 && text[digits] == ':';
}

/* The label and the query of a line: where its coordinates begin, or NULL. */
static const char *take_label(double *label, const char *text, locale_t c) {
  size_t query;
  *label = NAN;
  text = skip_blanks(text);
  const char *stop = take_number(label, text, c);
  if (stop) {
    text = skip_blanks(stop);
  } else {
    *label = NAN;
  }
  if (strncmp(text, "qid:", 4) != 0) return text;
  for (text += 4, query = 0; *text >= '0' && *text <= '9'; text++) query++;
  return query > 0 && token_ends(text) ? skip_blanks(text) : NULL;
}

/* What the line at text, up to its '\n', is: row r of the batch.  *fits becomes false when the
 * record contributes nothing. */
static sfm_status take_line(sfmi_svmlight *text, sfmi_sparse_batch *batch, size_t r, bool *fits,
                            const char *line, sfm_error *error) {
  size_t at = batch->starts[r], index, least = 1;
  const char *stop = take_label(&batch->labels[r], line, text->c);
  *fits = false;
  while (stop && !line_ends(stop)) {
    const char *colon = take_index(&index, stop, text->dimension);
    batch->beyond += !colon && is_beyond(stop);
    if (!colon || index < least) return SFM_OK;
    const sfm_status status = make_room(batch, at + 1, error);
    if (status) return status;
    stop = take_number(&batch->values[at], colon + 1, text->c);
    if (!stop) return SFM_OK;
    batch->indices[at++] = (uint32_t)(index - 1);
    least = index + 1;
    stop = skip_blanks(stop);
  }
  batch->starts[r + 1] = at;
  *fits = stop != NULL;
  return SFM_OK;
}

/* The line goes into the fingerprint. */
static void add_print(sfmi_sparse_batch *batch, const char *line, size_t length) {
  sfmi_row_print print;
  sfmi_batch one = {.prints = &print};
  sfmi_row_hash_record(batch->hasher, &one, 0, line, length);
  sfmi_row_sum_add(&batch->sum, &print);
}

/* The line at hand into row r. */
static sfm_status take_record(sfmi_svmlight *text, sfmi_sparse_batch *batch, size_t r,
                              sfm_error *error) {
  sfmi_lines *lines = &text->lines;
  const char *line = lines->buffer + lines->next;
  const char *newline = memchr(line, '\n', lines->whole - lines->next);
  sfm_status status = SFM_OK;
  bool fits = false;
  lines->next = (size_t)(newline - lines->buffer) + 1;
  const size_t length = (size_t)(newline - line);
  const bool held = length <= SFMI_SVMLIGHT_LINE_MAX;
  /* Of a line too long no more is held for certain. */
  if (batch->hasher) add_print(batch, line, held ? length : SFMI_SVMLIGHT_LINE_MAX + 1);
  if (held) status = take_line(text, batch, r, &fits, line, error);
  batch->keep[r] = fits;
  if (!fits) {
    batch->labels[r] = NAN;
    batch->starts[r + 1] = batch->starts[r];
  }
  return status;
}

sfm_status sfmi_svmlight_fill(sfmi_svmlight *text, sfmi_sparse_batch *batch, size_t rows,
                              sfm_error *error) {
  sfm_status status = SFM_OK;
  size_t r = 0;
  batch->starts[0] = 0;
  batch->beyond = 0;
  batch->sum = (sfmi_row_sum){0};
  while (!status && r < rows && batch->starts[r] < batch->most) {
    if (text->lines.next == text->lines.whole) {
      status = sfmi_lines_refill(&text->lines, error);
      if (status || text->lines.next == text->lines.whole) break;
    }
    status = take_record(text, batch, r++, error);
  }
  batch->rows = r;
  return status;
}

sfm_status sfmi_svmlight_check(const sfmi_svmlight *text, const sfmi_sparse_batch *batch,
                               uint64_t before, const char *name, sfm_error *error) {
  for (size_t r = 0; r < batch->rows; r++)
    if (!batch->keep[r])
      return sfmi_fail(error, SFM_FORMAT,
                       "%.200s: line %llu is not libsvm text, `LABEL INDEX:VALUE ...` with indices "
                       "that ascend from 1 to the dimension, %zu",
                       name, (unsigned long long)(before + r + 1), text->dimension);
  return SFM_OK;
}

/* The reader: its records are taken by sfmi_svmlight_fill. */

static void close_reader(void *sparse) {
  sfmi_svmlight_close(sparse);
}

static sfm_status rewind_reader(void *sparse, sfm_error *error) {
  return sfmi_lines_rewind(&((sfmi_svmlight *)sparse)->lines, error);
}

static sfm_status count_lines(void *sparse, uint64_t *count, sfm_error *error) {
  return sfmi_lines_count(&((sfmi_svmlight *)sparse)->lines, count, error);
}

/* The bytes of a line say all; 3 stands for libsvm text. */
static void state_facts(const void *sparse, uint64_t facts[SFMI_READER_FACTS]) {
  (void)sparse;
  facts[0] = 3;
}

static void set_digest(void *sparse, sfmi_digest *digest) {
  sfmi_source_digest(((sfmi_svmlight *)sparse)->lines.source, digest);
}

const sfmi_reader_ops sfmi_svmlight_reader_ops = {.form = SFMI_CELL_FORM_NUMBER,
                                                  .close = close_reader,
                                                  .rewind = rewind_reader,
                                                  .count = count_lines,
                                                  .facts = state_facts,
                                                  .digest = set_digest};
