#include "data/reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_locale.h"
#include "data/number.h"
#include "data/origin.h"

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

sfm_status sfmi_domain_make(sfmi_domain *domain, const sfm_column *column, sfm_error *error) {
  domain->lower = column->has_bounds ? column->lower : -INFINITY;
  domain->upper = column->has_bounds ? column->upper : INFINITY;
  domain->integer = column->type == SFM_INTEGER;
  bool numeric = column->type == SFM_NUMBER || column->type == SFM_INTEGER;
  if (!numeric || column->category_count == 0) return SFM_OK;
  sfm_status status = SFM_OK;
  locale_t c = sfmi_c_locale();
  domain->codes = sfmi_alloc(column->category_count, sizeof *domain->codes);
  if (!domain->codes) status = sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < column->category_count; i++) {
    char text[64 + SFMI_NUMBER_SLACK] = {0};
    size_t length = strlen(column->categories[i]);
    if (length >= 64) continue; /* longer than any number in a schema */
    memcpy(text, column->categories[i], length);
    if (sfmi_number_read(&domain->codes[domain->code_count], text, length, c)) domain->code_count++;
  }
  if (!status) qsort(domain->codes, domain->code_count, sizeof *domain->codes, compare_doubles);
  return status;
}

static int compare_wants(const void *a, const void *b) {
  size_t x = ((const sfmi_want *)a)->field, y = ((const sfmi_want *)b)->field;
  return (x > y) - (x < y);
}

void sfmi_plan_sort(sfmi_plan *plan) {
  qsort(plan->wants, plan->want_count, sizeof *plan->wants, compare_wants);
}

sfm_status sfmi_plan_add_person(sfmi_plan *plan, const sfm_rows *rows, const sfm_schema *schema,
                                sfm_error *error) {
  const char *name = sfm_schema_person(schema);
  size_t field;
  if (!name) return SFM_OK;
  sfm_status status = sfmi_table_field(rows, &field, name, error);
  if (status) return status;
  plan->person = true;
  plan->ids = sfmi_person_id_type_of(sfm_schema_find(schema, name));
  for (size_t i = 0; i < plan->want_count; i++) {
    if (plan->wants[i].field != field) continue;
    plan->wants[i].person = true;
    return SFM_OK;
  }
  plan->wants[plan->want_count++] = (sfmi_want){.field = field,
                                                .slot = SFMI_NO_SLOT,
                                                .person = true,
                                                .code = SFMI_NO_SLOT,
                                                .text = SFMI_NO_SLOT};
  return SFM_OK;
}

sfm_status sfmi_plan_make(sfmi_plan *plan, const sfm_rows *rows, const sfm_schema *schema,
                          const sfm_column *const *columns, size_t count, sfm_outside outside,
                          sfm_error *error) {
  sfm_status status = SFM_OK;
  *plan = (sfmi_plan){.limit = sfm_schema_contributions(schema), .outside = outside};
  plan->wants = sfmi_alloc(count + 1, sizeof *plan->wants);
  plan->domains = sfmi_alloc(count, sizeof *plan->domains);
  if (!plan->wants || !plan->domains) status = sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < count; i++) {
    size_t field = 0;
    plan->slots = i + 1;
    status = sfmi_table_field(rows, &field, columns[i]->name, error);
    if (!status) status = sfmi_domain_make(&plan->domains[i], columns[i], error);
    plan->wants[plan->want_count++] = (sfmi_want){.field = field, .slot = i};
  }
  if (!status) status = sfmi_plan_add_person(plan, rows, schema, error);
  if (status) {
    sfmi_plan_clear(plan);
    return status;
  }
  sfmi_plan_sort(plan);
  return SFM_OK;
}

/* The want of a field: one that is there, or a new one. */
static sfmi_want *want_field(sfmi_plan *plan, size_t field) {
  for (size_t i = 0; i < plan->want_count; i++)
    if (plan->wants[i].field == field) return &plan->wants[i];
  plan->wants[plan->want_count] = (sfmi_want){.field = field, .slot = SFMI_NO_SLOT};
  return &plan->wants[plan->want_count++];
}

sfm_status sfmi_plan_add_by(sfmi_plan *plan, const sfm_rows *rows, const sfm_column *const *columns,
                            size_t count, sfm_error *error) {
  sfm_status status = SFM_OK;
  uint64_t stride = 1;
  sfmi_want *wants = realloc(plan->wants, (plan->want_count + count) * sizeof *wants);
  if (wants) plan->wants = wants;
  plan->by = sfmi_alloc(count, sizeof *plan->by);
  if (!wants || !plan->by) status = sfmi_fail_memory(error);
  for (size_t i = count; !status && i-- > 0;) {
    size_t field = 0, categories;
    sfmi_column_categories(columns[i], &categories);
    status = sfmi_table_field(rows, &field, columns[i]->name, error);
    if (!status)
      status = sfmi_category_create(&plan->by[plan->by_count], columns[i], rows->matrix, error);
    if (status) break;
    sfmi_want *want = want_field(plan, field);
    want->category = plan->by[plan->by_count++];
    want->stride = (uint32_t)stride;
    stride *= categories;
    if (stride > UINT32_MAX)
      status = sfmi_fail(error, SFM_INVALID, "the categories make more than %lu groups",
                         (unsigned long)UINT32_MAX);
  }
  if (status)
    sfmi_plan_clear(plan);
  else
    sfmi_plan_sort(plan);
  return status;
}

sfm_status sfmi_plan_make_curves(sfmi_plan *plan, const sfm_rows *rows, const sfm_schema *schema,
                                 const size_t *fields, size_t count, sfm_error *error) {
  const char *person = sfm_schema_person(schema);
  *plan = (sfmi_plan){.slots = count, .curves = true};
  plan->wants = sfmi_alloc(count + 1, sizeof *plan->wants);
  if (!plan->wants) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++)
    plan->wants[plan->want_count++] = (sfmi_want){.field = fields[i], .slot = i};
  sfm_status status = sfmi_plan_add_person(plan, rows, schema, error);
  if (!status && person && plan->want_count == count)
    status = sfmi_fail(error, SFM_INVALID,
                       "the person column '%.64s' is among the columns of the curves; an id is no "
                       "value of a curve: leave it out of --columns",
                       person);
  if (status) {
    sfmi_plan_clear(plan);
    return status;
  }
  sfmi_plan_sort(plan);
  return SFM_OK;
}

void sfmi_plan_clear(sfmi_plan *plan) {
  for (size_t i = 0; plan->domains && i < plan->slots; i++) free(plan->domains[i].codes);
  for (size_t i = 0; i < plan->by_count; i++) sfmi_category_destroy(plan->by[i]);
  free(plan->by);
  free(plan->domains);
  free(plan->wants);
  *plan = (sfmi_plan){0};
}

bool sfmi_domain_admits(const sfmi_domain *domain, double value) {
  if (!isfinite(value)) return false;
  if (domain->integer && value != trunc(value)) return false;
  if (!domain->codes) return true;
  return bsearch(&value, domain->codes, domain->code_count, sizeof value, compare_doubles) != NULL;
}

/* One column.  Comparisons are written so that NaN is outside of everything. */
static void apply_domain(const sfmi_domain *domain, double *values, uint8_t *keep, size_t rows,
                         bool drop) {
  const double lower = domain->lower, upper = domain->upper;
  for (size_t r = 0; r < rows; r++) {
    double value = values[r];
    bool inside = value >= lower && value <= upper;
    bool finite = fabs(value) <= 0x1.fffffffffffffp1023;
    double clamped = value > lower ? value : lower;
    values[r] = clamped < upper ? clamped : upper;
    keep[r] &= (uint8_t)(drop ? inside & finite : finite);
  }
}

static void apply_holes(double *values, size_t rows) {
  for (size_t r = 0; r < rows; r++)
    if (!isfinite(values[r])) values[r] = NAN;
}

/* A cell that holds no number of its column is NaN; nothing else changes. */
static void apply_cells(const sfmi_domain *domain, double *values, size_t rows) {
  apply_holes(values, rows);
  if (!domain->integer && !domain->codes) return;
  for (size_t r = 0; r < rows; r++)
    if (!sfmi_domain_admits(domain, values[r])) values[r] = NAN;
}

void sfmi_plan_apply(const sfmi_plan *plan, sfmi_batch *batch) {
  for (size_t s = 0; plan->cells && s < plan->slots; s++)
    apply_cells(&plan->domains[s], batch->values + s * batch->stride, batch->rows);
  if (plan->cells) return;
  for (size_t s = 0; plan->curves && s < plan->slots; s++)
    apply_holes(batch->values + s * SFMI_BATCH_ROWS, batch->rows);
  if (plan->curves) return;
  for (size_t s = 0; s < plan->slots; s++) {
    const sfmi_domain *domain = &plan->domains[s];
    double *values = batch->values + s * SFMI_BATCH_ROWS;
    if (domain->integer || domain->codes)
      for (size_t r = 0; r < batch->rows; r++)
        if (!sfmi_domain_admits(domain, values[r])) values[r] = NAN;
    apply_domain(domain, values, batch->keep, batch->rows, plan->outside == SFM_DROP);
  }
}
