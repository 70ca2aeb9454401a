#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/text/nearest_word.h"
#include "data/format/csv_header.h"
#include "row_persons.h"
#include "rows_check.h"
#include "rows_state.h"

#define LISTED_MAX 20 /* column names in a message */

void sfmi_rows_end(sfm_rows *rows) {
  sfmi_read_ahead_destroy(rows->ahead); /* first: it uses the layout */
  sfmi_row_layout_clear(&rows->layout);
  sfmi_persons_destroy(rows->persons);
  sfmi_arena_clear(&rows->columns);
  rows->ahead = NULL;
  rows->persons = NULL;
  rows->batch = (sfmi_batch){0};
  sfmi_sparse_clear(&rows->sparse_batch);
  rows->reading = rows->begun = false;
  sodium_memzero(&rows->hasher, sizeof rows->hasher);
  if (rows->reader) rows->ops->digest(rows->reader, NULL);
}

void sfm_rows_destroy(sfm_rows *rows) {
  if (!rows) return;
  sfmi_rows_end(rows);
  if (rows->reader) rows->ops->close(rows->reader);
  sfmi_source_close(rows->source);
  for (size_t i = 0; !rows->numbers && i < rows->name_count; i++) free(rows->names[i]);
  free(rows->names);
  free(rows->numbers);
  sfmi_string_map_clear(&rows->fields);
  sodium_memzero(&rows->keys, sizeof rows->keys);
  free(rows);
}

size_t sfm_rows_column_count(const sfm_rows *rows) {
  return rows->header ? rows->header->count : rows->name_count;
}

const char *sfm_rows_column_name(const sfm_rows *rows, size_t i) {
  if (i >= sfm_rows_column_count(rows)) return NULL;
  return rows->header ? rows->header->names[i] : rows->names[i];
}

sfm_status sfm_rows_count(sfm_rows *rows, uint64_t *count, sfm_error *error) {
  sfmi_rows_end(rows);
  if (!rows->counted) {
    const sfm_status status = rows->ops->count(rows->reader, &rows->records, error);
    if (status) return status;
    rows->counted = true;
  }
  *count = rows->records;
  return SFM_OK;
}

const char *sfmi_rows_name(const sfm_rows *rows) {
  return rows->source ? sfmi_source_name(rows->source) : rows->ops->name;
}

static sfm_status fail_sparse(const sfm_rows *rows, sfm_error *error) {
  return sfmi_fail(error, SFM_INVALID,
                   "%.200s is read as libsvm text (rows.dimension), which has no columns: leave "
                   "out settings.features, settings.label and whatever else names one, or leave "
                   "out rows.dimension to read CSV or NPY",
                   sfmi_rows_name(rows));
}

/* The column that was probably meant. */
static bool find_nearest(char *out, size_t size, const sfm_rows *rows, const char *name) {
  const size_t count = sfm_rows_column_count(rows);
  const char **names = sfmi_alloc(count, sizeof *names);
  if (!names) return false;
  for (size_t i = 0; i < count; i++) names[i] = sfm_rows_column_name(rows, i);
  const char *nearest = sfmi_nearest_word(name, names, count);
  if (nearest) sfmi_printable_name(out, size, nearest);
  free(names);
  return nearest != NULL;
}

static sfm_status fail_unknown(const sfm_rows *rows, const char *name, sfm_error *error) {
  char wanted[64], list[700], nearest[64];
  size_t used = 0, count = sfm_rows_column_count(rows);
  sfmi_printable_name(wanted, sizeof wanted, name);
  const char *only = count == 1 ? sfm_rows_column_name(rows, 0) : "";
  if (rows->header && strpbrk(only, ";\t"))
    return sfmi_fail(error, SFM_INVALID,
                     "%.200s has no column '%s': its first line has %s and no comma; save the rows "
                     "with commas between the cells",
                     sfmi_rows_name(rows), wanted, strchr(only, ';') ? "semicolons" : "tabs");
  if (rows->header && rows->header->doubtful)
    return sfmi_fail(
        error, SFM_INVALID,
        "%.200s has no column '%s'. Its first line does not read like column names, so it may be "
        "a row and is not shown here: the first line must name the columns, separated by commas",
        sfmi_rows_name(rows), wanted);
  for (size_t i = 0; i < count && i < LISTED_MAX; i++) {
    char shown[33];
    sfmi_printable_name(shown, sizeof shown, sfm_rows_column_name(rows, i));
    used += (size_t)sfmi_snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", shown);
  }
  if (count > LISTED_MAX)
    sfmi_snprintf(list + used, sizeof list - used, " and %zu more", count - LISTED_MAX);
  if (find_nearest(nearest, sizeof nearest, rows, name))
    return sfmi_fail(error, SFM_INVALID,
                     "%.200s has no column '%s'; did you mean '%s'? Its columns are: %s",
                     sfmi_rows_name(rows), wanted, nearest, list);
  return sfmi_fail(error, SFM_INVALID, "%.200s has no column '%s'; its columns are: %s",
                   sfmi_rows_name(rows), wanted, list);
}

/* The column that is called by its number. */
static bool find_number(const sfm_rows *rows, size_t *field, const char *name) {
  size_t number = 0;
  for (const char *at = name; *at; at++) {
    if (*at < '0' || *at > '9' || number > rows->name_count) return false;
    number = number * 10 + (size_t)(*at - '0');
  }
  *field = number;
  return number < rows->name_count && strcmp(rows->names[number], name) == 0;
}

sfm_status sfmi_rows_field(const sfm_rows *rows, size_t *field, const char *name,
                           sfm_error *error) {
  if (rows->sparse) return fail_sparse(rows, error);
  if (rows->numbers)
    return find_number(rows, field, name) ? SFM_OK : fail_unknown(rows, name, error);
  const sfmi_string_slot *found = sfmi_string_map_find(&rows->fields, name);
  if (!found) return fail_unknown(rows, name, error);
  *field = found->place;
  if (found->times == 1) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "%.200s has %zu columns named '%.64s'; rename them so that one can be chosen",
                   sfmi_rows_name(rows), found->times, name);
}

/* The schema's column behind a name of the selection: there, numeric and bounded. */
static sfm_status select_column(const sfm_rows *rows, const sfm_column **column,
                                const sfm_schema *schema, const char *name, sfm_error *error) {
  size_t field;
  sfm_status status = sfmi_rows_field(rows, &field, name, error);
  if (status) return status;
  *column = sfm_schema_find(schema, name);
  if (*column && (*column)->type != SFM_COLUMN_TYPE_NUMBER &&
      (*column)->type != SFM_COLUMN_TYPE_INTEGER)
    return sfmi_fail(error, SFM_INVALID,
                     "column '%.64s' is of type %s in the schema, and numbers are needed here: a "
                     "column of texts has categories, which a table counts and groups are made "
                     "of",
                     name, sfm_column_type_name((*column)->type));
  if (*column && (*column)->has_bounds) return SFM_OK;
  return sfmi_fail(
      error, SFM_INVALID,
      "column '%.64s' has no bounds: state the range its values can have, with schema.bounds "
      "or as minimum and maximum in a schema file. Bounds are public and must come from "
      "knowledge of the subject (an age is 0:120), never from the rows: the smallest and largest "
      "value found there belong to someone. Values beyond them are clamped",
      name);
}

/* The columns that make groups, if there are any. */
static sfm_status add_groups(const sfm_rows *rows, sfmi_row_layout *layout,
                             const sfmi_selection *selection, const char *const *by,
                             size_t by_count, sfm_error *error) {
  if (by_count == 0) return SFM_OK;
  const sfm_column **columns = sfmi_alloc(by_count, sizeof *columns);
  sfm_status status = columns ? SFM_OK : sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < by_count; i++)
    status = sfmi_category_select(&columns[i], selection->schema, by, i, selection->columns,
                                  selection->count, error);
  if (status)
    sfmi_row_layout_clear(layout);
  else
    status = sfmi_row_layout_add_groups(layout, rows, columns, by_count, error);
  free(columns);
  return status;
}

sfm_status sfmi_rows_begin(sfm_rows *rows, const sfmi_selection *selection, sfm_error *error) {
  return sfmi_rows_begin_by(rows, selection, NULL, 0, error);
}

sfm_status sfmi_rows_begin_by(sfm_rows *rows, const sfmi_selection *selection,
                              const char *const *by, size_t by_count, sfm_error *error) {
  if (rows->partial) return SFM_OK; /* its columns were looked at when rows were added */
  if (selection->count == 0) return sfmi_fail(error, SFM_INVALID, "no column is selected");
  const sfm_column **columns = sfmi_alloc(selection->count, sizeof *columns);
  if (!columns) return sfmi_fail_memory(error);
  sfm_status status = SFM_OK;
  for (size_t i = 0; !status && i < selection->count; i++) {
    const char *name = selection->columns[i];
    for (size_t j = 0; !status && j < i; j++)
      if (strcmp(name, selection->columns[j]) == 0)
        status = sfmi_fail(error, SFM_INVALID, "column '%.64s' is selected twice", name);
    if (!status) status = select_column(rows, &columns[i], selection->schema, name, error);
  }
  sfmi_row_layout layout;
  if (!status)
    status = sfmi_row_layout_init(&layout, rows, selection->schema, columns, selection->count,
                                  selection->outside, error);
  if (!status) status = add_groups(rows, &layout, selection, by, by_count, error);
  if (!status) status = sfmi_rows_start(rows, &layout, error);
  free(columns);
  return status;
}

/* The fields of the curves' values, in order. */
static sfm_status select_curves(const sfm_rows *rows, size_t *fields,
                                const sfmi_curve_selection *selection, sfm_error *error) {
  const size_t there = sfm_rows_column_count(rows);
  if (!selection->columns &&
      (selection->first >= there || selection->count > there - selection->first))
    return sfmi_fail(
        error, SFM_INVALID,
        "%.200s has %zu columns, and columns %zu to %zu are asked for (the first one is column 1)",
        sfmi_rows_name(rows), there, selection->first + 1, selection->first + selection->count);
  for (size_t i = 0; i < selection->count; i++) {
    fields[i] = selection->first + i;
    if (!selection->columns) continue;
    sfm_status status = sfmi_rows_field(rows, &fields[i], selection->columns[i], error);
    if (status) return status;
    for (size_t j = 0; j < i; j++)
      if (fields[i] == fields[j])
        return sfmi_fail(error, SFM_INVALID, "column '%.64s' is selected twice",
                         selection->columns[i]);
  }
  return SFM_OK;
}

sfm_status sfmi_rows_begin_curves(sfm_rows *rows, const sfmi_curve_selection *selection,
                                  sfm_error *error) {
  if (rows->partial) return SFM_OK;
  if (selection->count == 0) return sfmi_fail(error, SFM_INVALID, "no column is selected");
  size_t *fields = sfmi_alloc(selection->count, sizeof *fields);
  if (!fields) return sfmi_fail_memory(error);
  sfmi_row_layout layout;
  sfm_status status = select_curves(rows, fields, selection, error);
  if (!status)
    status = sfmi_row_layout_init_curves(&layout, rows, selection->schema, fields, selection->count,
                                         error);
  if (!status) status = sfmi_rows_start(rows, &layout, error);
  free(fields);
  return status;
}

/* What is hashed of records, under which keys. */
static void set_hasher(sfm_rows *rows) {
  sfmi_row_layout *layout = &rows->layout;
  uint64_t facts[SFMI_READER_FACTS] = {0};
  rows->hasher = (sfmi_row_hasher){.prints = rows->keyed && !rows->keys.ordered,
                                   .persons = layout->person,
                                   .orders = layout->person && !layout->curves,
                                   .ids = layout->ids};
  if (!rows->person_key) randombytes_buf(rows->keys.persons, sizeof rows->keys.persons);
  rows->person_key = true;
  rows->ops->facts(rows->reader, facts);
  sfmi_row_hasher_set_keys(&rows->hasher, &rows->keys, facts);
  layout->hasher = rows->hasher.prints || layout->person ? &rows->hasher : NULL;
}

/* From here on records are read, and go into the fingerprint. */
static void start_reading(sfm_rows *rows) {
  rows->reading = true;
  rows->sum = (sfmi_row_sum){0};
  rows->read = 0;
  if (!rows->keyed || !rows->keys.ordered) return;
  sfmi_digest_start(&rows->digest, rows->keys.fingerprint);
  rows->ops->digest(rows->reader, &rows->digest);
}

static sfm_status fail_partial(sfm_error *error) {
  return sfmi_fail(error, SFM_INVALID,
                   "these rows stand for partial sums and have no records: only the release with "
                   "the settings of the partial can use them");
}

static sfm_status fail_once(const sfm_rows *rows, sfm_error *error) {
  return sfmi_fail(error, SFM_INVALID,
                   "with schema.person rows are read twice, and %.200s can be read once: open it "
                   "with SFM_ARROW_CHUNKS_KEEP",
                   sfmi_rows_name(rows));
}

sfm_status sfmi_rows_start(sfm_rows *rows, sfmi_row_layout *layout, sfm_error *error) {
  sfmi_rows_end(rows);
  rows->layout = *layout;
  const bool chosen = layout->person && !layout->curves;
  sfm_status status = rows->partial       ? fail_partial(error)
                      : rows->sparse      ? fail_sparse(rows, error)
                      : sodium_init() < 0 ? sfmi_fail(error, SFM_INTERNAL, "libsodium is missing")
                                          : SFM_OK;
  if (!status && chosen && rows->ops->once && rows->ops->once(rows->reader))
    status = fail_once(rows, error);
  if (!status) set_hasher(rows);
  if (!status && !sfmi_batch_make(&rows->batch, &rows->columns, &rows->layout, rows->ops->form))
    status = sfmi_fail_memory(error);
  if (!status) status = rows->ops->rewind(rows->reader, error);
  if (status) {
    sfmi_rows_end(rows);
    return status;
  }
  start_reading(rows);
  return SFM_OK;
}

sfm_status sfmi_rows_begin_sparse(sfm_rows *rows, const sfm_schema *schema, sfm_error *error) {
  sfmi_rows_end(rows);
  if (!rows->sparse)
    return sfmi_fail(error, SFM_INVALID,
                     "%.200s has columns: name those that are read with settings.features and "
                     "settings.label; for libsvm text write rows.dimension",
                     sfmi_rows_name(rows));
  if (schema && sfm_schema_person(schema))
    return sfmi_fail(error, SFM_INVALID,
                     "libsvm text has no columns, so that none can name a person: leave out "
                     "schema.person '%.64s', or write the rows as CSV",
                     sfm_schema_person(schema));
  sfm_status status =
      sfmi_sparse_init(&rows->sparse_batch, SFMI_BATCH_ROWS, SFMI_SPARSE_NONZEROS, error);
  if (!status) status = rows->ops->rewind(rows->reader, error);
  if (status) {
    sfmi_rows_end(rows);
    return status;
  }
  set_hasher(rows);
  rows->sparse_batch.hasher = rows->layout.hasher;
  start_reading(rows);
  return SFM_OK;
}

void sfmi_rows_set_public(sfm_rows *rows) {
  if (!rows->text) return; /* the number of others does not depend on a last line */
  rows->text->lenient = true;
  rows->counted = false;
}

size_t sfmi_rows_dimension(const sfm_rows *rows) {
  return rows->sparse ? rows->sparse->dimension : 0;
}

void sfmi_rows_set_threads(sfm_rows *rows, size_t threads) {
  rows->shared = true;
  rows->threads = threads;
  if (rows->text) rows->text->threads = threads;
}

const sfm_partial *sfmi_rows_partial(const sfm_rows *rows) {
  return rows->partial;
}

bool sfmi_rows_are_values(const sfm_rows *rows) {
  return rows->ops->form == SFMI_CELL_FORM_VALUE;
}

void sfmi_rows_seal(sfm_rows *rows, bool sealed) {
  rows->sealed = sealed;
}

void sfmi_rows_set_keys(sfm_rows *rows, const sfmi_row_keys *keys) {
  rows->keyed = rows->person_key = keys != NULL;
  sodium_memzero(&rows->keys, sizeof rows->keys);
  if (keys) rows->keys = *keys;
}

void sfmi_rows_set_seed(sfm_rows *rows, uint64_t seed) {
  rows->keyed = false;
  rows->person_key = true;
  rows->keys = (sfmi_row_keys){.persons = {0}};
  memcpy(rows->keys.persons, &seed, sizeof seed);
}

void sfmi_rows_set_part(sfm_rows *rows, uint64_t part, uint64_t parts) {
  rows->part = part;
  rows->parts = parts;
}

void sfmi_rows_fingerprint(sfm_rows *rows, uint8_t fingerprint[SFMI_DIGEST_BYTES]) {
  if (rows->keys.ordered)
    sfmi_digest_end(&rows->digest, fingerprint);
  else
    sfmi_row_sum_fingerprint(&rows->sum, &rows->keys, fingerprint);
}

sfmi_row_sum sfmi_rows_sum(const sfm_rows *rows) {
  return rows->sum;
}

uint64_t sfmi_rows_read(const sfm_rows *rows) {
  return rows->read;
}

static sfm_status fill(sfm_rows *rows, sfmi_batch *batch, const sfmi_row_layout *layout,
                       sfm_error *error) {
  batch->failed = false;
  const sfm_status status = rows->ops->fill(rows->reader, batch, layout, error);
  return !status && batch->failed ? sfmi_fail_memory(error) : status;
}

sfm_status sfmi_rows_fill(sfm_rows *rows, sfm_error *error) {
  return fill(rows, &rows->batch, &rows->layout, error);
}

/* Several threads read lines of which each is nothing but its cells: texts stand in the buffer. */
static bool may_read_ahead(const sfm_rows *rows, const sfmi_row_layout *layout) {
  return rows->header && rows->shared && rows->threads != 1 && !layout->texts &&
         sfmi_read_ahead_fits(layout);
}

sfm_status sfmi_rows_take(sfm_rows *rows, const sfmi_batch **taken, sfmi_batch *batch,
                          const sfmi_row_layout *layout, sfmi_read_ahead **ahead,
                          sfm_error *error) {
  sfm_status status = SFM_OK;
  *taken = NULL;
  if (!*ahead && !batch->rows && may_read_ahead(rows, layout))
    status = sfmi_read_ahead_create(ahead, rows->reader, layout, rows->threads, error);
  if (status) return status;
  if (*ahead) return sfmi_read_ahead_next(*ahead, taken, error);
  status = fill(rows, batch, layout, error);
  if (status || batch->rows == 0) return status;
  sfmi_row_layout_apply(layout, batch);
  *taken = batch;
  return SFM_OK;
}

static sfm_status fail_unread(const sfm_rows *rows, sfm_error *error) {
  if (rows->partial) return fail_partial(error);
  if (rows->sealed)
    return sfmi_fail(error, SFM_INTERNAL, "a record was asked for before the charge was made");
  return sfmi_fail(error, SFM_INVALID, "the rows are not being read: begin before asking for more");
}

/* Before the first record: which records of persons are kept, which all of them decide. */
static sfm_status choose_records(sfm_rows *rows, sfm_error *error) {
  if (rows->begun || !rows->layout.person) return SFM_OK;
  sfm_status status = sfmi_row_persons_create(rows, error);
  if (!status && !rows->layout.curves) status = rows->ops->rewind(rows->reader, error);
  if (!status) start_reading(rows);
  return status;
}

/* What a batch adds to the sum of the reading, where no person decides it. */
static void add_batch(sfm_rows *rows, const sfmi_batch *batch) {
  for (size_t r = 0; batch->prints && r < batch->rows; r++)
    sfmi_row_sum_add(&rows->sum, &batch->prints[r]);
  if (!batch->prints) rows->sum.count += batch->rows;
}

sfm_status sfmi_rows_next(sfm_rows *rows, const sfmi_batch **batch, sfm_error *error) {
  *batch = NULL;
  if (rows->sealed || !rows->reading || rows->sparse) return fail_unread(rows, error);
  if (rows->examined) return sfmi_rows_examine(rows, error);
  sfm_status status = choose_records(rows, error);
  rows->begun = true;
  if (!status)
    status = sfmi_rows_take(rows, batch, &rows->batch, &rows->layout, &rows->ahead, error);
  if (!status && *batch) rows->read += (*batch)->rows;
  if (!status && *batch && rows->layout.person)
    status = sfmi_row_persons_apply(rows, *batch, error);
  else if (!status && *batch)
    add_batch(rows, *batch);
  if (status) {
    *batch = NULL;
    sfmi_rows_end(rows);
  }
  return status;
}

sfm_status sfmi_rows_next_sparse(sfm_rows *rows, const sfmi_sparse_batch **batch,
                                 sfm_error *error) {
  *batch = NULL;
  if (rows->sealed || !rows->reading || !rows->sparse) return fail_unread(rows, error);
  const sfm_status status =
      sfmi_svmlight_fill(rows->sparse, &rows->sparse_batch, SFMI_BATCH_ROWS, error);
  if (status)
    sfmi_rows_end(rows);
  else if (rows->sparse_batch.rows > 0)
    *batch = &rows->sparse_batch;
  if (!status && rows->sparse_batch.hasher)
    sfmi_row_sum_merge(&rows->sum, &rows->sparse_batch.sum);
  else if (!status)
    rows->sum.count += rows->sparse_batch.rows;
  return status;
}

sfm_status sfmi_rows_check_sparse(sfm_rows *rows, sfm_error *error) {
  const sfmi_sparse_batch *batch = NULL;
  uint64_t before = 0;
  sfm_status status = sfmi_rows_begin_sparse(rows, NULL, error);
  if (!status) status = sfmi_rows_next_sparse(rows, &batch, error);
  while (!status && batch) {
    status = sfmi_svmlight_check(rows->sparse, batch, before, sfmi_rows_name(rows), error);
    before += batch->rows;
    if (!status) status = sfmi_rows_next_sparse(rows, &batch, error);
  }
  return status;
}
