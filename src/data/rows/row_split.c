#include "row_split.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/system/c_locale.h"
#include "base/system/file.h"
#include "base/system/progress.h"
#include "rows_state.h"

enum { FILES_OPEN = 100 };

typedef struct splitter {
  sfm_rows *rows;
  const sfm_context *context;
  const char *pattern;
  uint64_t parts, first; /* of the pass: files are those of parts first, first + 1, ... from 0 */
  size_t open;
  sfmi_file files[FILES_OPEN];
  char *header; /* with its line end */
  size_t header_length;
  sfmi_field_request request;
  sfmi_row_hasher hasher;
  sfmi_row_layout layout;
  sfmi_batch batch;
  sfmi_arena columns;
  char *copy; /* of the lines of a batch */
  size_t room;
  locale_t c;
  uint64_t done; /* records that were read */
} splitter;

/* The path of part k, from 0; to be freed. */
static char *path_of(const splitter *s, uint64_t k) {
  const char *mark = strchr(s->pattern, '%');
  char *path;
  const int length = sfmi_asprintf(&path, "%.*s%llu%s", (int)(mark - s->pattern), s->pattern,
                                   (unsigned long long)k + 1, mark + 1);
  return length < 0 ? NULL : path;
}

/* ---- what is hashed ---- */

static sfm_status check_rows(const sfm_rows *rows, const sfm_schema *schema, sfm_error *error) {
  if (!rows->header)
    return sfmi_fail(error, SFM_INVALID,
                     "%.200s is no CSV: only a CSV file can be divided by person",
                     sfmi_rows_name(rows));
  if (!sfm_schema_person(schema))
    return sfmi_fail(error, SFM_INVALID,
                     "schema.person is missing: the column that names the person of each record, "
                     "by which records are divided");
  return SFM_OK;
}

/* Ids, and nothing else. */
static sfm_status request_ids(splitter *s, const sfmi_row_keys *keys, sfm_error *error) {
  const sfm_schema *schema = s->context->schema;
  const char *person = sfm_schema_person(schema);
  uint64_t facts[SFMI_READER_FACTS] = {0};
  size_t field;
  const sfm_status status = sfmi_rows_field(s->rows, &field, person, error);
  if (status) return status;
  s->request = sfmi_row_layout_request(field);
  s->request.person = true;
  s->hasher = (sfmi_row_hasher){.persons = true,
                                .ids = sfmi_person_id_type_of(sfm_schema_find(schema, person))};
  s->rows->ops->facts(s->rows->reader, facts);
  sfmi_row_hasher_set_keys(&s->hasher, keys, facts);
  s->layout = (sfmi_row_layout){.requests = &s->request,
                                .request_count = 1,
                                .person = true,
                                .ids = s->hasher.ids,
                                .hasher = &s->hasher,
                                .cells = true};
  return sfmi_batch_make(&s->batch, &s->columns, &s->layout, SFMI_CELL_FORM_TEXT)
             ? SFM_OK
             : sfmi_fail_memory(error);
}

static sfm_status read_header(splitter *s, sfm_error *error) {
  const size_t length = (size_t)s->rows->text->offset;
  size_t got = 1;
  s->header = malloc(length + 1);
  sfm_status status =
      s->header ? sfmi_source_rewind(s->rows->source, 0, error) : sfmi_fail_memory(error);
  while (!status && got > 0 && s->header_length < length) {
    status = sfmi_source_read(s->rows->source, s->header + s->header_length, &got,
                              length - s->header_length, error);
    if (!status) s->header_length += got;
  }
  /* Of a header line that lacks it. */
  if (!status && s->header_length < length) s->header[s->header_length++] = '\n';
  return status;
}

/* ---- a pass ---- */

static sfm_status open_files(splitter *s, sfm_error *error) {
  const uint64_t left = s->parts - s->first;
  sfm_status status = SFM_OK;
  for (s->open = 0; !status && s->open < FILES_OPEN && s->open < left; s->open += !status) {
    char *path = path_of(s, s->first + s->open);
    status = path ? sfmi_file_begin_private(&s->files[s->open], path, "file", error)
                  : sfmi_fail_memory(error);
    free(path);
    if (!status) fwrite(s->header, 1, s->header_length, s->files[s->open].stream);
  }
  return status;
}

/* Hashes the ids in `length` bytes of lines. */
static sfm_status hash_lines(splitter *s, const char *lines, size_t length, sfm_error *error) {
  if (length + SFMI_LINES_SLACK > s->room) {
    free(s->copy);
    s->room = length + SFMI_LINES_SLACK;
    s->copy = malloc(s->room);
    if (!s->copy) return sfmi_fail_memory(error);
  }
  memcpy(s->copy, lines, length);
  memset(s->copy + length, 0, SFMI_LINES_SLACK);
  sfmi_csv_parse(&s->batch, s->copy, length, &s->layout, s->c);
  return s->batch.failed ? sfmi_fail_memory(error) : SFM_OK;
}

static void write_lines(splitter *s, const char *lines, const char *end) {
  for (size_t r = 0; r < s->batch.rows; r++) {
    const char *next = (const char *)memchr(lines, '\n', (size_t)(end - lines)) + 1;
    const uint64_t part = sfmi_row_hash_part(&s->batch.owner[r], s->parts);
    if (part >= s->first && part - s->first < s->open)
      fwrite(lines, 1, (size_t)(next - lines), s->files[part - s->first].stream);
    lines = next;
  }
}

/* The lines that the buffer has. */
static sfm_status divide_lines(splitter *s, sfmi_lines *lines, sfm_error *error) {
  sfm_status status = SFM_OK;
  while (!status && lines->next < lines->whole) {
    const char *text = lines->buffer + lines->next;
    size_t found;
    const size_t length =
        sfmi_lines_measure(text, lines->whole - lines->next, s->batch.stride, &found);
    status = hash_lines(s, text, length, error);
    if (!status) write_lines(s, text, text + length);
    lines->next += length;
    s->done += found;
  }
  return status;
}

static sfm_status divide(splitter *s, sfm_error *error) {
  sfmi_lines *lines = s->rows->text;
  sfm_status status = sfmi_lines_rewind(lines, error);
  while (!status) {
    status = sfmi_lines_refill(lines, error);
    if (status || lines->next == lines->whole) break;
    status = divide_lines(s, lines, error);
    if (!status)
      status = sfmi_progress(s->context,
                             (sfm_progress){.stage = SFM_STAGE_READING, .done = s->done}, error);
  }
  return status;
}

/* Files get their names; *made counts them. */
static sfm_status name_files(splitter *s, uint64_t *made, sfm_error *error) {
  for (size_t i = 0; i < s->open; i++) {
    const sfm_status status = sfmi_file_commit(&s->files[i], error);
    if (status) return status;
    ++*made;
  }
  return SFM_OK;
}

static void remove_files(const splitter *s, uint64_t made) {
  for (uint64_t k = 0; k < made; k++) {
    char *path = path_of(s, k);
    if (path) unlink(path);
    free(path);
  }
}

static sfm_status make_files(splitter *s, sfm_error *error) {
  uint64_t made = 0;
  sfm_status status = SFM_OK;
  for (s->first = 0; !status && s->first < s->parts; s->first += s->open) {
    status = open_files(s, error);
    if (!status) status = divide(s, error);
    if (!status) status = name_files(s, &made, error);
    for (size_t i = 0; status && i < s->open; i++) sfmi_file_abandon(&s->files[i]);
  }
  if (status) remove_files(s, made);
  return status;
}

sfm_status sfmi_row_split(sfm_rows *rows, const sfm_context *context, const sfmi_row_keys *keys,
                          const char *pattern, uint64_t parts, sfm_error *error) {
  sfm_status status = check_rows(rows, context->schema, error);
  if (status) return status;
  splitter *s = sfmi_alloc(1, sizeof *s);
  if (!s) return sfmi_fail_memory(error);
  *s = (splitter){
      .rows = rows, .context = context, .pattern = pattern, .parts = parts, .c = sfmi_c_locale()};
  sfmi_rows_end(rows);
  status = request_ids(s, keys, error);
  if (!status) status = read_header(s, error);
  if (!status) status = make_files(s, error);
  sfmi_arena_clear(&s->columns);
  free(s->header);
  free(s->copy);
  sfmi_wipe_free(s, 1, sizeof *s);
  return status;
}
