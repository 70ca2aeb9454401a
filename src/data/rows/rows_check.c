#include "rows_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "row_tally.h"
#include "rows_state.h"

static bool is_numeric(const sfm_column *column) {
  return column->type == SFM_COLUMN_TYPE_NUMBER || column->type == SFM_COLUMN_TYPE_INTEGER;
}

/* Libsvm text. */

/* What is stated of the labels or of the coordinates; check is NULL when nothing is. */
typedef struct statement {
  sfm_rows_report *report;
  sfm_column_check *check;
  size_t column;
  sfmi_column_domain domain;
} statement;

static sfm_status state(statement *out, sfm_rows_report *report, const sfm_schema *schema,
                        const char *name, sfm_error *error) {
  const sfm_column *column = sfm_schema_find(schema, name);
  if (!column) return SFM_OK;
  if (!is_numeric(column))
    return sfmi_fail(error, SFM_INVALID, "in libsvm text '%s' is a number: state it as one", name);
  out->report = report;
  while (strcmp(report->columns[out->column].name, name) != 0) out->column++;
  out->check = &report->columns[out->column];
  return sfmi_column_domain_init(&out->domain, column, error);
}

static bool tally(const statement *s, double value) {
  return sfmi_row_tally_number(s->report, s->column, &s->domain, value);
}

/* Counts a line that is one, and says whether it still contributes; *beyond: with a value that is
 * clamped. */
static bool tally_line(bool *beyond, const sfmi_sparse_batch *batch, size_t r,
                       const statement *label, const statement *values) {
  const sfm_column_check *check = values->check;
  const uint64_t before = check ? check->below + check->above : 0;
  for (size_t i = batch->starts[r]; check && i < batch->starts[r + 1]; i++)
    tally(values, batch->values[i]);
  *beyond = check && check->below + check->above > before;
  if (!label->check) return true;
  if (!isnan(batch->labels[r])) {
    const uint64_t outside = label->check->below + label->check->above;
    const bool good = tally(label, batch->labels[r]);
    *beyond = *beyond || label->check->below + label->check->above > outside;
    return good;
  }
  label->check->empty++;
  return false;
}

/* Facts about other columns are a mistake. */
static sfm_status refuse_columns(const sfm_rows *rows, const sfm_rows_report *report,
                                 sfm_error *error) {
  size_t field;
  sfm_status status = SFM_OK;
  for (size_t i = 0; !status && i < report->column_count; i++) {
    const char *name = report->columns[i].name;
    if (strcmp(name, "label") != 0 && strcmp(name, "values") != 0)
      status = sfmi_rows_field(rows, &field, name, error);
  }
  return status;
}

static sfm_status check_lines(sfm_rows *rows, sfm_rows_report *report, const sfm_schema *schema,
                              sfm_error *error) {
  statement label = {0}, values = {0};
  const sfmi_sparse_batch *batch = NULL;
  sfm_status status = refuse_columns(rows, report, error);
  if (!status) status = state(&label, report, schema, "label", error);
  if (!status) status = state(&values, report, schema, "values", error);
  if (!status) status = sfmi_rows_begin_sparse(rows, schema, error);
  if (!status) status = sfmi_rows_next_sparse(rows, &batch, error);
  while (!status && batch) {
    report->records += batch->rows;
    report->beyond += batch->beyond;
    for (size_t r = 0; r < batch->rows; r++) {
      bool beyond = false;
      const bool good = batch->keep[r] && tally_line(&beyond, batch, r, &label, &values);
      report->malformed += !batch->keep[r];
      report->zero_rows += !good;
      if (good && beyond) sfmi_row_tally_clamped(report);
    }
    report->malformed -= batch->beyond;
    status = sfmi_rows_next_sparse(rows, &batch, error);
  }
  if (!status) report->unfinished = rows->text && rows->text->rest;
  free(label.domain.codes);
  free(values.domain.codes);
  return status;
}

static sfm_status check_sparse(sfm_rows_report **out, sfm_rows *rows, const sfm_schema *schema,
                               sfm_error *error) {
  const size_t count = sfm_schema_column_count(schema);
  const char **names = sfmi_alloc(count, sizeof *names);
  if (!names) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) names[i] = sfm_schema_column(schema, i)->name;
  sfm_status status = sfmi_row_tally_report(out, names, count, error);
  free(names);
  if (!status) status = check_lines(rows, *out, schema, error);
  if (!status) return SFM_OK;
  sfm_rows_report_destroy(*out);
  *out = NULL;
  return status;
}

/* Tables. */

/* What is stated of every column of a schema. */
typedef struct facts {
  size_t count;
  sfmi_row_tally_column *columns;
  sfmi_column_domain *domains;
  sfmi_category **categories;
} facts;

static void facts_clear(facts *f) {
  for (size_t i = 0; i < f->count; i++) {
    if (f->categories) sfmi_category_destroy(f->categories[i]);
    if (f->domains) free(f->domains[i].codes);
  }
  free(f->categories);
  free(f->domains);
  free(f->columns);
}

static sfm_status add_column(facts *f, size_t i, const sfm_rows *rows, const sfm_column *column,
                             sfm_error *error) {
  sfmi_row_tally_column *out = &f->columns[i];
  const bool text = column->type == SFM_COLUMN_TYPE_STRING && column->category_count == 0;
  if (rows->ops->form == SFMI_CELL_FORM_NUMBER && text)
    return sfmi_fail(error, SFM_INVALID,
                     "column '%.64s' is of type string in the schema, and these rows are numbers",
                     column->name);
  out->name = column->name;
  out->optional = text;
  sfm_status status = SFM_OK;
  if (is_numeric(column) || rows->ops->form == SFMI_CELL_FORM_NUMBER) {
    out->domain = &f->domains[i];
    status = sfmi_column_domain_init(&f->domains[i], column, error);
  }
  if (!status && !is_numeric(column) && !text) {
    status = sfmi_category_create(&f->categories[i], column, rows->ops->form, error);
    out->category = f->categories[i];
  }
  return status ? status : sfmi_rows_field(rows, &out->field, column->name, error);
}

static sfm_status check_table(sfm_rows_report **out, sfm_rows *rows, const sfm_schema *schema,
                              sfm_error *error) {
  const char *person = sfm_schema_person(schema);
  facts f = {.count = sfm_schema_column_count(schema)};
  f.columns = sfmi_alloc(f.count, sizeof *f.columns);
  f.domains = sfmi_alloc(f.count, sizeof *f.domains);
  f.categories = sfmi_alloc(f.count, sizeof *f.categories);
  sfm_status status = f.columns && f.domains && f.categories ? SFM_OK : sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < f.count; i++)
    status = add_column(&f, i, rows, sfm_schema_column(schema, i), error);
  sfmi_row_tally what = {.columns = f.columns,
                         .count = f.count,
                         .person = person != NULL,
                         .limit = sfm_schema_contributions(schema)};
  if (!status && person) status = sfmi_rows_field(rows, &what.person_field, person, error);
  if (person) what.ids = sfmi_person_id_type_of(sfm_schema_find(schema, person));
  if (!status) status = sfmi_row_tally_read(out, rows, &what, error);
  facts_clear(&f);
  return status;
}

sfm_status sfm_rows_check(sfm_rows *rows, sfm_rows_report **report, const sfm_schema *schema,
                          sfm_error *error) {
  *report = NULL;
  return rows->sparse ? check_sparse(report, rows, schema, error)
                      : check_table(report, rows, schema, error);
}

/* What a release reads. */

void sfm_rows_examine(sfm_rows *rows, sfm_rows_report **report) {
  rows->examined = report;
  if (report) *report = NULL;
}

bool sfmi_rows_examined(const sfm_rows *rows) {
  return rows->examined != NULL;
}

/* The columns that a layout reads. */
static void list_columns(sfmi_row_tally_column *columns, sfmi_row_tally *what, const sfm_rows *rows,
                         const sfmi_row_layout *layout) {
  static const sfmi_column_domain any = {.lower = -INFINITY, .upper = INFINITY};
  for (size_t w = 0; w < layout->request_count; w++) {
    const sfmi_field_request *request = &layout->requests[w];
    const bool number = request->slot != SFMI_NO_SLOT;
    if (request->person) {
      what->person = true;
      what->person_field = request->field;
    }
    if (!number && !request->category && request->text == SFMI_NO_SLOT) continue;
    columns[what->count++] =
        (sfmi_row_tally_column){.name = sfm_rows_column_name(rows, request->field),
                                .field = request->field,
                                .domain = !number           ? NULL
                                          : layout->domains ? &layout->domains[request->slot]
                                                            : &any,
                                .category = request->category,
                                .optional = layout->curves};
  }
}

sfm_status sfmi_rows_examine(sfm_rows *rows, sfm_error *error) {
  sfmi_row_layout layout = rows->layout; /* of the release; the tally has its own */
  sfmi_row_tally_column *columns = sfmi_alloc(layout.request_count, sizeof *columns);
  sfmi_row_tally what = {.columns = columns,
                         .drops = layout.outside == SFM_OUTSIDE_DROP,
                         .ids = layout.ids,
                         .limit = layout.curves ? UINT32_MAX : layout.limit};
  rows->layout = (sfmi_row_layout){0};
  if (columns) list_columns(columns, &what, rows, &layout);
  sfm_status status =
      columns ? sfmi_row_tally_read(rows->examined, rows, &what, error) : sfmi_fail_memory(error);
  free(columns);
  sfmi_row_layout_clear(&layout);
  if (status) return status;
  return sfmi_fail(error, SFM_STOPPED,
                   "these rows are examined and not released (sfm_rows_examine)");
}
