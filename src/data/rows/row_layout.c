#include "row_layout.h"

#include <math.h>
#include <stdlib.h>

#include "base/system/c_locale.h"
#include "base/text/decimal.h"
#include "data/schema/schema.h"
#include "rows_state.h"

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

sfm_status sfmi_column_domain_init(sfmi_column_domain *domain, const sfm_column *column,
                                   sfm_error *error) {
  domain->lower = column->has_bounds ? column->lower : -INFINITY;
  domain->upper = column->has_bounds ? column->upper : INFINITY;
  domain->integer = column->type == SFM_COLUMN_TYPE_INTEGER;
  bool numeric = column->type == SFM_COLUMN_TYPE_NUMBER || column->type == SFM_COLUMN_TYPE_INTEGER;
  if (!numeric || column->category_count == 0) return SFM_OK;
  sfm_status status = SFM_OK;
  locale_t c = sfmi_c_locale();
  domain->codes = sfmi_alloc(column->category_count, sizeof *domain->codes);
  if (!domain->codes) status = sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < column->category_count; i++)
    if (sfmi_decimal_parse(&domain->codes[domain->code_count], column->categories[i], c))
      domain->code_count++;
  if (!status) qsort(domain->codes, domain->code_count, sizeof *domain->codes, compare_doubles);
  return status;
}

static int compare_requests(const void *a, const void *b) {
  size_t x = ((const sfmi_field_request *)a)->field, y = ((const sfmi_field_request *)b)->field;
  return (x > y) - (x < y);
}

sfm_status sfmi_row_layout_finish(sfmi_row_layout *layout, sfm_status status) {
  if (status)
    sfmi_row_layout_clear(layout);
  else
    qsort(layout->requests, layout->request_count, sizeof *layout->requests, compare_requests);
  return status;
}

sfmi_field_request sfmi_row_layout_request(size_t field) {
  return (sfmi_field_request){
      .field = field, .slot = SFMI_NO_SLOT, .code = SFMI_NO_SLOT, .text = SFMI_NO_SLOT};
}

/* The request of a field: one that is there, or a new one. */
static sfmi_field_request *request_field(sfmi_row_layout *layout, size_t field) {
  for (size_t i = 0; i < layout->request_count; i++)
    if (layout->requests[i].field == field) return &layout->requests[i];
  layout->requests[layout->request_count] = sfmi_row_layout_request(field);
  return &layout->requests[layout->request_count++];
}

sfm_status sfmi_row_layout_add_person(sfmi_row_layout *layout, const sfm_rows *rows,
                                      const sfm_schema *schema, sfm_error *error) {
  const char *name = sfm_schema_person(schema);
  size_t field;
  if (!name) return SFM_OK;
  sfm_status status = sfmi_rows_field(rows, &field, name, error);
  if (status) return status;
  layout->person = true;
  layout->ids = sfmi_person_id_type_of(sfm_schema_find(schema, name));
  request_field(layout, field)->person = true;
  return SFM_OK;
}

sfm_status sfmi_row_layout_init(sfmi_row_layout *layout, const sfm_rows *rows,
                                const sfm_schema *schema, const sfm_column *const *columns,
                                size_t count, sfm_outside outside, sfm_error *error) {
  sfm_status status = SFM_OK;
  *layout = (sfmi_row_layout){.limit = sfm_schema_contributions(schema), .outside = outside};
  layout->requests = sfmi_alloc(count + 1, sizeof *layout->requests);
  layout->domains = sfmi_alloc(count, sizeof *layout->domains);
  if (!layout->requests || !layout->domains) status = sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < count; i++) {
    size_t field = 0;
    layout->slots = i + 1;
    status = sfmi_rows_field(rows, &field, columns[i]->name, error);
    if (!status) status = sfmi_column_domain_init(&layout->domains[i], columns[i], error);
    layout->requests[layout->request_count++] = (sfmi_field_request){.field = field, .slot = i};
  }
  if (!status) status = sfmi_row_layout_add_person(layout, rows, schema, error);
  return sfmi_row_layout_finish(layout, status);
}

sfm_status sfmi_row_layout_add_groups(sfmi_row_layout *layout, const sfm_rows *rows,
                                      const sfm_column *const *columns, size_t count,
                                      sfm_error *error) {
  sfm_status status = SFM_OK;
  uint64_t stride = 1;
  sfmi_field_request *requests =
      realloc(layout->requests, (layout->request_count + count) * sizeof *requests);
  if (requests) layout->requests = requests;
  layout->by = sfmi_alloc(count, sizeof *layout->by);
  if (!requests || !layout->by) status = sfmi_fail_memory(error);
  for (size_t i = count; !status && i-- > 0;) {
    size_t field = 0, categories;
    sfmi_column_categories(columns[i], &categories);
    status = sfmi_rows_field(rows, &field, columns[i]->name, error);
    if (!status)
      status =
          sfmi_category_create(&layout->by[layout->by_count], columns[i], rows->ops->form, error);
    if (status) break;
    sfmi_field_request *request = request_field(layout, field);
    request->category = layout->by[layout->by_count++];
    request->stride = (uint32_t)stride;
    stride *= categories;
    if (stride > UINT32_MAX)
      status = sfmi_fail(error, SFM_INVALID, "the categories make more than %lu groups",
                         (unsigned long)UINT32_MAX);
  }
  return sfmi_row_layout_finish(layout, status);
}

sfm_status sfmi_row_layout_init_curves(sfmi_row_layout *layout, const sfm_rows *rows,
                                       const sfm_schema *schema, const size_t *fields, size_t count,
                                       sfm_error *error) {
  const char *person = sfm_schema_person(schema);
  *layout = (sfmi_row_layout){.slots = count, .curves = true};
  layout->requests = sfmi_alloc(count + 1, sizeof *layout->requests);
  if (!layout->requests) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++)
    layout->requests[layout->request_count++] = (sfmi_field_request){.field = fields[i], .slot = i};
  sfm_status status = sfmi_row_layout_add_person(layout, rows, schema, error);
  if (!status && person && layout->request_count == count)
    status = sfmi_fail(error, SFM_INVALID,
                       "the person column '%.64s' is among the columns of the curves; an id is no "
                       "value of a curve: leave it out of settings.columns",
                       person);
  return sfmi_row_layout_finish(layout, status);
}

void sfmi_row_layout_clear(sfmi_row_layout *layout) {
  for (size_t i = 0; layout->domains && i < layout->slots; i++) free(layout->domains[i].codes);
  for (size_t i = 0; i < layout->by_count; i++) sfmi_category_destroy(layout->by[i]);
  free(layout->by);
  free(layout->domains);
  free(layout->requests);
  *layout = (sfmi_row_layout){0};
}

/* How many rows a batch of the layout has room for: wide ones have fewer, and at least 32. */
static size_t stride_of(const sfmi_row_layout *layout) {
  size_t rows = SFMI_BATCH_ROWS;
  const size_t columns = layout->cells ? layout->slots + layout->codes + layout->texts : 0;
  while (rows > 32 && columns * rows > (size_t)SFMI_BATCH_COLUMNS * SFMI_BATCH_ROWS) rows /= 2;
  return rows;
}

bool sfmi_batch_make(sfmi_batch *batch, sfmi_arena *arena, const sfmi_row_layout *layout,
                     sfmi_cell_form form) {
  const size_t stride = stride_of(layout), texts = layout->texts;
  const sfmi_row_hasher *hasher = layout->hasher;
  const bool persons = layout->curves && layout->person,
             groups = layout->by_count && !layout->cells;
  *batch = (sfmi_batch){.columns = layout->slots, .stride = stride};
  batch->values = sfmi_arena_get(arena, layout->slots ? layout->slots : 1, stride * sizeof(double));
  batch->keep = sfmi_arena_get(arena, 1, stride);
  if (persons) batch->person = sfmi_arena_get(arena, 1, stride * sizeof *batch->person);
  if (groups) batch->group = sfmi_arena_get(arena, 1, stride * sizeof *batch->group);
  if (layout->codes)
    batch->codes = sfmi_arena_get(arena, layout->codes, stride * sizeof *batch->codes);
  if (texts) batch->texts = sfmi_arena_get(arena, texts, stride * sizeof *batch->texts);
  if (texts && form != SFMI_CELL_FORM_TEXT)
    batch->printed = sfmi_arena_get(arena, texts, stride * SFMI_DECIMAL_TEXT);
  if (hasher && hasher->persons)
    batch->owner = sfmi_arena_get(arena, 1, stride * sizeof *batch->owner);
  if (hasher && hasher->orders)
    batch->order = sfmi_arena_get(arena, 1, stride * sizeof *batch->order);
  if (hasher && hasher->prints)
    batch->prints = sfmi_arena_get(arena, 1, stride * sizeof *batch->prints);
  return !arena->failed;
}

bool sfmi_column_domain_admits(const sfmi_column_domain *domain, double value) {
  if (!isfinite(value)) return false;
  if (domain->integer && value != trunc(value)) return false;
  if (!domain->codes) return true;
  return bsearch(&value, domain->codes, domain->code_count, sizeof value, compare_doubles) != NULL;
}

/* One column.  Comparisons are written so that NaN is outside of everything. */
static void apply_domain(const sfmi_column_domain *domain, double *values, uint8_t *keep,
                         size_t rows, bool drop) {
  const double lower = domain->lower, upper = domain->upper, most = 0x1.fffffffffffffp1023;
  /* Where nothing is dropped, which is usual, keep stays as it is: this loop is of vectors. */
  const double first = drop && lower > -most ? lower : -most,
               last = drop && upper < most ? upper : most;
  int64_t inside = 0; /* as wide as a double */
  for (size_t r = 0; r < rows; r++) inside += values[r] >= first && values[r] <= last ? 1 : 0;
  for (size_t r = 0; inside < (int64_t)rows && r < rows; r++)
    keep[r] &= (uint8_t)((values[r] >= first) & (values[r] <= last));
  for (size_t r = 0; r < rows; r++) {
    const double value = values[r], clamped = value > lower ? value : lower;
    values[r] = clamped < upper ? clamped : upper;
  }
}

static void apply_holes(double *values, size_t rows) {
  for (size_t r = 0; r < rows; r++)
    if (!isfinite(values[r])) values[r] = NAN;
}

/* A cell that holds no number of its column is NaN; nothing else changes. */
static void apply_cells(const sfmi_column_domain *domain, double *values, size_t rows) {
  apply_holes(values, rows);
  if (!domain->integer && !domain->codes) return;
  for (size_t r = 0; r < rows; r++)
    if (!sfmi_column_domain_admits(domain, values[r])) values[r] = NAN;
}

void sfmi_row_layout_apply(const sfmi_row_layout *layout, sfmi_batch *batch) {
  for (size_t s = 0; layout->cells && s < layout->slots; s++)
    apply_cells(&layout->domains[s], batch->values + s * batch->stride, batch->rows);
  if (layout->cells) return;
  for (size_t s = 0; layout->curves && s < layout->slots; s++)
    apply_holes(batch->values + s * SFMI_BATCH_ROWS, batch->rows);
  if (layout->curves) return;
  for (size_t s = 0; s < layout->slots; s++) {
    const sfmi_column_domain *domain = &layout->domains[s];
    double *values = batch->values + s * SFMI_BATCH_ROWS;
    if (domain->integer || domain->codes)
      for (size_t r = 0; r < batch->rows; r++)
        if (!sfmi_column_domain_admits(domain, values[r])) values[r] = NAN;
    apply_domain(domain, values, batch->keep, batch->rows, layout->outside == SFM_OUTSIDE_DROP);
  }
}
