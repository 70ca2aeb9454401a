#include "histogram_counts.h"

#include <stdlib.h>
#include <string.h>

#include "data/rows/cell_columns.h"
#include "estimators/tables/table_cells.h"
#include "mechanisms/core/request_json.h"
#include "mechanisms/core/rows_pass.h"

_Static_assert(SFMI_TEXT_MAX == SFMI_UNDECLARED_BYTES, "texts are as long as a release may hold");
_Static_assert(SFMI_TABLE_AXES_MAX == SFMI_FACTORS_MAX, "an axis for every factor");

sfm_status sfmi_histogram_noise_law(sfmi_noise_law *law, const sfmi_design_table *table_design,
                                    sfm_error *error) {
  return table_design->method == SFMI_TABLE_NORMAL
             ? sfmi_harden_normal(law, table_design->sensitivity, table_design->rate, error)
             : sfmi_harden_laplace(law, table_design->sensitivity, table_design->rate, error);
}

/* Rows. */

/* How a factor's cells are read, and how they become codes. */
static void set_axis(sfmi_cell_column *column, sfmi_table_axis *axis, const sfmi_factor *factor) {
  *column = (sfmi_cell_column){.name = factor->name,
                               .use = factor->labels ? SFMI_USE_CATEGORY
                                      : factor->size ? SFMI_USE_NUMBER
                                                     : SFMI_USE_TEXT};
  *axis = (sfmi_table_axis){.kind = factor->labels ? SFMI_TABLE_AXIS_CATEGORIES
                                    : factor->size ? SFMI_TABLE_AXIS_BINS
                                                   : SFMI_TABLE_AXIS_TEXTS,
                            .size = factor->size,
                            .lower = factor->lower,
                            .upper = factor->upper,
                            .labels = (const char *const *)factor->labels};
}

/* Where rows go, and room for what they are on the way. */
typedef struct sink {
  const sfmi_cells *cells;
  sfmi_table_cells *table_cells;
  sfmi_histogram_counts *to;
  uint64_t *keys;
  char *tuple;
} sink;

static sfm_status add_tuples(const sink *s, const sfmi_batch *batch, sfm_error *error) {
  sfm_status status = SFM_OK;
  for (size_t r = 0; !status && r < batch->rows; r++) {
    const size_t length = sfmi_table_cells_tuple(s->table_cells, s->tuple, r);
    if (length)
      status = sfmi_undeclared_cells_add(&s->to->undeclared, s->tuple, (uint32_t)length, error);
  }
  return status;
}

static sfm_status add_batch(const sink *s, const sfmi_batch *batch, sfm_error *error) {
  sfmi_table_cells_load(s->table_cells, batch);
  if (s->tuple) return add_tuples(s, batch, error);
  if (s->to->counts) {
    sfmi_table_cells_count(s->table_cells, s->to->counts, s->cells->margins, s->cells->starts,
                           s->cells->margin_count);
    return SFM_OK;
  }
  sfmi_table_cells_keys(s->table_cells, s->keys, s->cells->margins[0]);
  return sfmi_occupied_cells_add(&s->to->occupied, s->keys, batch->rows, error);
}

static sfm_status read_batches(const sink *s, sfm_rows *rows,
                               const sfm_histogram_settings *settings, sfm_error *error) {
  const sfmi_batch *batch = NULL;
  sfmi_rows_pass pass = {rows, &settings->context, 0, 0};
  sfm_status status = SFM_OK;
  while (sfmi_rows_pass_next(&pass, &batch, &status, error)) status = add_batch(s, batch, error);
  return status;
}

/* Room by the form of the table. */
static sfm_status make_room(sink *s, sfmi_method method, sfm_error *error) {
  const sfmi_cells *cells = s->cells;
  bool there;
  if (method == SFMI_TABLE_UNDECLARED) {
    there = (s->tuple = sfmi_alloc(SFMI_TUPLE_MAX, 1)) != NULL;
  } else if (method == SFMI_TABLE_SPARSE) {
    there = (s->keys = sfmi_alloc(SFMI_BATCH_ROWS, sizeof *s->keys)) != NULL;
  } else {
    s->to->length = cells->starts[cells->margin_count];
    there = (s->to->counts = sfmi_alloc(s->to->length, sizeof *s->to->counts)) != NULL;
  }
  return there ? SFM_OK : sfmi_fail_memory(error);
}

static sfmi_method method_of(const sfmi_cells *cells, const sfm_histogram_settings *settings) {
  return settings->form == SFM_HISTOGRAM_UNDECLARED ? SFMI_TABLE_UNDECLARED
         : cells->starts                            ? SFMI_TABLE_LAPLACE
                                                    : SFMI_TABLE_SPARSE;
}

_Static_assert(SFMI_FACTORS_MAX <= SFMI_BATCH_COLUMNS, "columns are SFMI_BATCH_ROWS apart");

sfm_status sfmi_histogram_counts_check(const sfmi_cells *cells, sfm_rows *rows,
                                       const sfm_histogram_settings *settings, sfm_error *error) {
  sfmi_cell_column columns[SFMI_FACTORS_MAX];
  sfmi_table_axis unused;
  for (size_t i = 0; i < cells->count; i++) set_axis(&columns[i], &unused, &cells->factors[i]);
  return sfmi_rows_begin_cells(rows, settings->context.schema, columns, cells->count, error);
}

sfm_status sfmi_histogram_counts_read(sfmi_histogram_counts *cell_counts, const sfmi_cells *cells,
                                      sfm_rows *rows, const sfm_histogram_settings *settings,
                                      sfm_error *error) {
  sfmi_cell_column unused;
  sfmi_table_axis axes[SFMI_FACTORS_MAX];
  sink s = {.cells = cells, .to = cell_counts};
  *cell_counts = (sfmi_histogram_counts){0};
  for (size_t i = 0; i < cells->count; i++) set_axis(&unused, &axes[i], &cells->factors[i]);
  cell_counts->method = method_of(cells, settings);
  sfm_status status = rows ? sfmi_histogram_counts_check(cells, rows, settings, error) : SFM_OK;
  if (!status)
    status = sfmi_table_cells_create(&s.table_cells, axes, cells->count, settings->outside, error);
  if (!status) status = make_room(&s, cell_counts->method, error);
  if (!status && rows) status = read_batches(&s, rows, settings, error);
  if (!status) status = sfmi_occupied_cells_finish(&cell_counts->occupied, error);
  if (!status) sfmi_undeclared_cells_sort(&cell_counts->undeclared);
  sfmi_table_cells_destroy(s.table_cells);
  sfmi_wipe_free(s.keys, SFMI_BATCH_ROWS, sizeof *s.keys);
  sfmi_wipe_free(s.tuple, SFMI_TUPLE_MAX, 1);
  return status;
}

/* Texts in their order, one after the other. */
static sfm_status texts_to_sums(sfmi_sums *sums, const sfmi_undeclared_cells *found,
                                sfm_error *error) {
  size_t used = 0;
  const sfm_status status = sfmi_sums_init(sums, SFMI_SUMS_TEXTS, found->count, error);
  if (status) return status;
  sums->bytes = sfmi_alloc(found->used, 1);
  if (!sums->bytes) return sfmi_fail_memory(error);
  for (size_t e = 0; e < found->count; e++) {
    const sfmi_undeclared_cell *entry = &found->entries[e];
    memcpy(sums->bytes + used, found->bytes + entry->offset, entry->length);
    used += entry->length;
    sums->keys[e] = used;
    sums->counts[e] = entry->count;
  }
  return SFM_OK;
}

sfm_status sfmi_histogram_counts_to_sums(sfmi_sums *sums, sfmi_histogram_counts *cell_counts,
                                         sfm_error *error) {
  sfmi_occupied_cells *occupied = &cell_counts->occupied;
  if (cell_counts->method == SFMI_TABLE_UNDECLARED)
    return texts_to_sums(sums, &cell_counts->undeclared, error);
  if (cell_counts->method == SFMI_TABLE_SPARSE) {
    const sfm_status status = sfmi_sums_init(sums, SFMI_SUMS_CELLS, occupied->count, error);
    if (status) return status;
    if (occupied->count) memcpy(sums->keys, occupied->keys, occupied->count * sizeof *sums->keys);
    if (occupied->count)
      memcpy(sums->counts, occupied->counts, occupied->count * sizeof *sums->counts);
    return SFM_OK;
  }
  *sums = (sfmi_sums){
      .form = SFMI_SUMS_COUNTS, .count = cell_counts->length, .counts = cell_counts->counts};
  cell_counts->counts = NULL;
  return SFM_OK;
}

/* Entries without slots: none is added any more. */
static sfm_status texts_from_sums(sfmi_undeclared_cells *found, sfmi_sums *sums, sfm_error *error) {
  size_t begin = 0;
  *found = (sfmi_undeclared_cells){.entries = sfmi_alloc(sums->count, sizeof *found->entries),
                                   .room = sums->count};
  if (!found->entries) return sfmi_fail_memory(error);
  for (size_t e = 0; e < sums->count; begin = (size_t)sums->keys[e++])
    found->entries[found->count++] = (sfmi_undeclared_cell){
        .offset = begin, .length = (uint32_t)(sums->keys[e] - begin), .count = sums->counts[e]};
  found->bytes = sums->bytes;
  found->used = found->bytes_room = begin;
  sums->bytes = NULL;
  return SFM_OK;
}

sfm_status sfmi_histogram_counts_from_sums(sfmi_histogram_counts *cell_counts, sfmi_sums *sums,
                                           sfm_error *error) {
  *cell_counts = (sfmi_histogram_counts){0};
  if (sums->form == SFMI_SUMS_TEXTS) return texts_from_sums(&cell_counts->undeclared, sums, error);
  if (sums->form == SFMI_SUMS_CELLS) {
    cell_counts->occupied = (sfmi_occupied_cells){
        .keys = sums->keys, .counts = sums->counts, .count = sums->count, .room = sums->count};
    sums->keys = NULL;
  } else {
    cell_counts->counts = sums->counts;
    cell_counts->length = sums->count;
  }
  sums->counts = NULL;
  return SFM_OK;
}

bool sfmi_histogram_sums_fit(const sfmi_sums *sums, uint64_t size, size_t columns) {
  if (sums->form == SFMI_SUMS_CELLS) return !sums->count || sums->keys[sums->count - 1] < size;
  size_t begin = 0;
  for (size_t e = 0; sums->form == SFMI_SUMS_TEXTS && e < sums->count; e++) {
    const size_t end = (size_t)sums->keys[e];
    if (!sfmi_table_tuple_holds(sums->bytes + begin, end - begin, columns)) return false;
    begin = end;
  }
  return true;
}

void sfmi_histogram_counts_clear(sfmi_histogram_counts *cell_counts) {
  sfmi_wipe_free(cell_counts->counts, cell_counts->length, sizeof *cell_counts->counts);
  sfmi_occupied_cells_clear(&cell_counts->occupied);
  sfmi_undeclared_cells_clear(&cell_counts->undeclared);
  *cell_counts = (sfmi_histogram_counts){0};
}

/* Noise. */

void sfmi_histogram_noise_dense(sfmi_hardener *hardener, int64_t *released, const uint64_t *counts,
                                size_t length, bool exact, uint64_t exact_to) {
  sfmi_hardener_add_counts(hardener, released, counts, length);
  for (size_t i = 0; exact && i < length; i++)
    if (counts[i] <= exact_to) released[i] = (int64_t)counts[i];
}

void sfmi_cell_list_clear(sfmi_cell_list *list) {
  free(list->keys);
  free(list->values);
  *list = (sfmi_cell_list){0};
}

static sfm_status make_cell_list(sfmi_cell_list *list, size_t room, sfm_error *error) {
  *list = (sfmi_cell_list){.keys = sfmi_alloc(room, sizeof *list->keys),
                           .values = sfmi_alloc(room, sizeof *list->values)};
  if (list->keys && list->values) return SFM_OK;
  sfmi_cell_list_clear(list);
  return sfmi_fail_memory(error);
}

static void append(sfmi_cell_list *list, uint64_t key, int64_t value) {
  list->keys[list->count] = key;
  list->values[list->count++] = value;
}

/* Both lists in the order of their cells.  empty: cells that passed, by their places among the
 * empty ones; the e-th empty cell is e + the number of occupied ones before it. */
static void merge(sfmi_cell_list *out, const uint64_t *keys, const int64_t *noisy, size_t occupied,
                  int64_t tau, const sfmi_cell_list *empty) {
  size_t o = 0;
  for (size_t e = 0; e < empty->count; e++) {
    for (; o < occupied && keys[o] <= empty->keys[e] + o; o++)
      if (noisy[o] > tau) append(out, keys[o], noisy[o]);
    append(out, empty->keys[e] + o, empty->values[e]);
  }
  for (; o < occupied; o++)
    if (noisy[o] > tau) append(out, keys[o], noisy[o]);
}

sfm_status sfmi_histogram_noise_sparse(sfmi_hardener *hardener, sfmi_cell_list *out,
                                       const uint64_t *keys, const uint64_t *counts,
                                       size_t occupied, uint64_t size, int64_t tau,
                                       sfm_error *error) {
  sfmi_cell_list empty = {0};
  int64_t *noisy = sfmi_alloc(occupied, sizeof *noisy);
  *out = (sfmi_cell_list){0};
  if (!noisy) return sfmi_fail_memory(error);
  sfmi_hardener_add_counts(hardener, noisy, counts, occupied);
  sfm_status status = sfmi_hardener_zeros_above(hardener, &empty.keys, &empty.values, &empty.count,
                                                size - occupied, tau, error);
  if (!status) status = make_cell_list(out, occupied + empty.count, error);
  if (!status) merge(out, keys, noisy, occupied, tau, &empty);
  sfmi_cell_list_clear(&empty);
  sfmi_wipe_free(noisy, occupied, sizeof *noisy);
  return status;
}

sfm_status sfmi_histogram_noise_undeclared(sfmi_hardener *hardener, sfmi_cell_list *out,
                                           const uint64_t *counts, size_t count, int64_t tau,
                                           sfm_error *error) {
  int64_t *noisy = sfmi_alloc(count, sizeof *noisy);
  *out = (sfmi_cell_list){0};
  sfm_status status = noisy ? make_cell_list(out, count, error) : sfmi_fail_memory(error);
  if (!status) {
    sfmi_hardener_add_counts(hardener, noisy, counts, count);
    for (size_t i = 0; i < count; i++)
      if (noisy[i] > tau) append(out, i, noisy[i]);
  }
  sfmi_wipe_free(noisy, count, sizeof *noisy);
  return status;
}

/* What an entry needs, in the order in which entries are kept. */
typedef struct need {
  int64_t value;
  uint64_t size;
} need;

static int descending(const void *a, const void *b) {
  const int64_t x = ((const need *)a)->value, y = ((const need *)b)->value;
  return (x < y) - (x > y);
}

/* How many of the needs, from the first on, there is room for. */
static size_t fitting(const need *needs, size_t count, size_t most, uint64_t room) {
  size_t fit = 0;
  for (; fit < count && fit < most && needs[fit].size <= room; fit++) room -= needs[fit].size;
  return fit;
}

sfm_status sfmi_cell_list_cap(sfmi_cell_list *list, int64_t *tau, size_t most,
                              const uint64_t *sizes, uint64_t room, sfm_error *error) {
  if (!sizes && list->count <= most) return SFM_OK;
  need *needs = sfmi_alloc(list->count, sizeof *needs);
  if (!needs) return sfmi_fail_memory(error);
  for (size_t i = 0; i < list->count; i++) needs[i] = (need){list->values[i], sizes ? sizes[i] : 0};
  size_t fit = fitting(needs, list->count, most, room), kept = 0;
  if (fit < list->count) {
    qsort(needs, list->count, sizeof *needs, descending);
    fit = fitting(needs, list->count, most, room);
    *tau = needs[fit].value; /* those strictly above it are among the ones that fit */
  }
  free(needs);
  for (size_t i = 0; i < list->count; i++) {
    if (list->values[i] <= *tau) continue;
    list->keys[kept] = list->keys[i];
    list->values[kept++] = list->values[i];
  }
  list->count = kept;
  return SFM_OK;
}

/* What is asked for, and of how many. */

/* A column with all that decides which of its values count, and where. */
static json_t *column_json(const sfmi_factor *factor, const sfm_schema *schema) {
  const sfm_column *stated = sfm_schema_find(schema, factor->name);
  json_t *column = json_pack("{s:s, s:s}", "column", factor->name, "type",
                             stated ? sfm_column_type_name(stated->type) : "string");
  if (factor->labels) {
    json_object_set_new(column, "categories",
                        sfmi_request_list(factor->labels, (size_t)factor->size));
    return column;
  }
  if (factor->size == 0) return column;
  sfmi_request_number(column, "lower", factor->lower);
  sfmi_request_number(column, "upper", factor->upper);
  sfmi_request_count(column, "bins", factor->size);
  json_t *values = sfmi_request_values(stated); /* the only ones that count, if there are any */
  if (values) json_object_set_new(column, "values", values);
  return column;
}

json_t *sfmi_histogram_columns_json(const sfmi_cells *cells, const sfm_schema *schema) {
  json_t *columns = json_array();
  for (size_t i = 0; i < cells->count; i++)
    json_array_append_new(columns, column_json(&cells->factors[i], schema));
  return columns;
}
