/* rows_check.c - the owner's dry run: what a reading would clamp, drop or not understand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "rows_state.h"

typedef struct dry_run {
  sfm_rows *rows;
  const sfm_column **columns;
  sfmi_category **categories; /* one per column; NULL for those that are numbers or any text */
  sfm_rows_report *report;
  sfmi_cell *cells; /* one per request */
} dry_run;

static bool is_numeric(const sfm_column *column) {
  return column->type == SFM_COLUMN_TYPE_NUMBER || column->type == SFM_COLUMN_TYPE_INTEGER;
}

/* Each of these counts one value and says whether its row still contributes. */
static bool tally_number(sfm_column_check *check, const sfmi_column_domain *domain, double value) {
  const bool good = sfmi_column_domain_admits(domain, value),
             coded = domain->codes && isfinite(value);
  check->undeclared += !good && coded;
  check->unreadable += !good && !coded;
  check->below += good && value < domain->lower;
  check->above += good && value > domain->upper;
  return good;
}

/* category is NULL when the column has no list of texts. */
static bool tally_cell(sfm_column_check *check, const sfm_column *column,
                       const sfmi_column_domain *domain, const sfmi_category *category,
                       const sfmi_cell *cell, locale_t c) {
  bool broken = cell->kind == SFMI_CELL_BROKEN;
  if (cell->length == 0 && !broken) {
    check->empty++;
    return column->type == SFM_COLUMN_TYPE_STRING && column->category_count == 0;
  }
  if (is_numeric(column)) {
    double value = cell->kind == SFMI_CELL_VALUE ? cell->number : NAN;
    if (!broken && cell->kind != SFMI_CELL_VALUE)
      sfmi_decimal_read(&value, cell->text, cell->length, c);
    return tally_number(check, domain, value);
  }
  check->unreadable += broken;
  if (broken || !category) return !broken;
  const bool good = sfmi_category_of_cell(category, cell, c) != SFMI_NO_CATEGORY;
  check->undeclared += !good;
  return good;
}

/* Counts the record of a person; *within says whether it is one of at most `limit`. */
static sfm_status tally_person(const dry_run *run, const sfmi_row_hash *owner, bool *within,
                               sfm_error *error) {
  uint32_t before;
  *within = false;
  if (sfmi_row_hash_is_zero(owner)) {
    run->report->unidentified++;
    return SFM_OK;
  }
  const sfm_status status = sfmi_persons_count(run->rows->persons, &before, owner, error);
  *within = before < run->rows->layout.limit;
  return status;
}

/* The same by the cell of the id. */
static sfm_status tally_id(const dry_run *run, const sfmi_cell *cell, bool *within,
                           sfm_error *error) {
  sfmi_row_hash owner;
  sfmi_batch one = {.owner = &owner};
  sfmi_row_hash_cell(&run->rows->hasher, &one, 0, cell, sfmi_c_locale());
  return one.failed ? sfmi_fail_memory(error) : tally_person(run, &owner, within, error);
}

static sfm_status check_cells(const dry_run *run, sfm_error *error) {
  sfm_rows *rows = run->rows;
  const sfmi_row_layout *layout = &rows->layout;
  locale_t c = sfmi_c_locale();
  for (;;) {
    bool more, held, contributes;
    sfm_status status = rows->ops->record(rows->reader, run->cells, &more, &held, layout, error);
    if (status || !more) return status;
    run->report->records++;
    contributes = held;
    for (size_t w = 0; w < layout->request_count; w++) {
      const sfmi_field_request *request = &layout->requests[w];
      bool good = true;
      if (request->slot != SFMI_NO_SLOT && held)
        good = tally_cell(&run->report->columns[request->slot], run->columns[request->slot],
                          &layout->domains[request->slot], run->categories[request->slot],
                          &run->cells[w], c);
      else if (request->slot != SFMI_NO_SLOT)
        run->report->columns[request->slot].unreadable++;
      contributes &= good;
      if (!request->person || !held) continue;
      status = tally_id(run, &run->cells[w], &good, error);
      if (status) return status;
      contributes &= good;
    }
    run->report->zero_rows += !contributes;
  }
}

static sfm_status check_matrix(const dry_run *run, sfm_error *error) {
  sfm_rows *rows = run->rows;
  const sfmi_batch *batch = &rows->batch;
  for (;;) {
    sfm_status status = sfmi_rows_fill(rows, error);
    if (status || batch->rows == 0) return status;
    run->report->records += batch->rows;
    for (size_t r = 0; r < batch->rows; r++) {
      bool contributes = batch->keep[r];
      for (size_t s = 0; s < batch->columns; s++) {
        double value = batch->values[s * SFMI_BATCH_ROWS + r];
        const bool stray = run->categories[s] && isfinite(value) &&
                           sfmi_category_of_number(run->categories[s], value) == SFMI_NO_CATEGORY;
        run->report->columns[s].undeclared += stray;
        contributes &= !stray;
        if (!stray)
          contributes &= tally_number(&run->report->columns[s], &rows->layout.domains[s], value);
      }
      bool within = true;
      if (batch->owner) status = tally_person(run, &batch->owner[r], &within, error);
      if (status) return status;
      contributes &= within;
      run->report->zero_rows += !contributes;
    }
  }
}

/* A report on every column of the schema. */
static sfm_status make_report(dry_run *run, const sfm_schema *schema, sfm_error *error) {
  const size_t count = sfm_schema_column_count(schema);
  run->report = sfmi_alloc(1, sizeof *run->report);
  if (!run->report) return sfmi_fail_memory(error);
  run->report->columns = sfmi_alloc(count, sizeof *run->report->columns);
  if (!run->report->columns) return sfmi_fail_memory(error);
  run->report->column_count = count;
  for (size_t i = 0; i < count; i++)
    run->report->columns[i].name = sfm_schema_column(schema, i)->name;
  return SFM_OK;
}

/* Libsvm text. */

/* What is stated of the labels or of the coordinates; check is NULL when nothing is. */
typedef struct statement {
  sfm_column_check *check;
  sfmi_column_domain domain;
} statement;

static sfm_status state(statement *out, const dry_run *run, const sfm_schema *schema,
                        const char *name, sfm_error *error) {
  const sfm_column *column = sfm_schema_find(schema, name);
  if (!column) return SFM_OK;
  if (!is_numeric(column))
    return sfmi_fail(error, SFM_INVALID, "in libsvm text '%s' is a number: state it as one", name);
  for (size_t i = 0; i < run->report->column_count; i++)
    if (run->report->columns[i].name == column->name) out->check = &run->report->columns[i];
  return sfmi_column_domain_init(&out->domain, column, error);
}

/* Counts a line that is one, and says whether it still contributes. */
static bool tally_line(const sfmi_sparse_batch *batch, size_t r, statement *label,
                       statement *values) {
  for (size_t i = batch->starts[r]; values->check && i < batch->starts[r + 1]; i++)
    tally_number(values->check, &values->domain, batch->values[i]);
  if (!label->check) return true;
  if (!isnan(batch->labels[r])) return tally_number(label->check, &label->domain, batch->labels[r]);
  label->check->empty++;
  return false;
}

/* Facts about other columns are a mistake. */
static sfm_status refuse_columns(const dry_run *run, sfm_error *error) {
  size_t field;
  sfm_status status = SFM_OK;
  for (size_t i = 0; !status && i < run->report->column_count; i++) {
    const char *name = run->report->columns[i].name;
    if (strcmp(name, "label") != 0 && strcmp(name, "values") != 0)
      status = sfmi_rows_field(run->rows, &field, name, error);
  }
  return status;
}

static sfm_status check_sparse(dry_run *run, const sfm_schema *schema, sfm_error *error) {
  statement label = {0}, values = {0};
  const sfmi_sparse_batch *batch = NULL;
  sfm_rows_report *report = run->report;
  sfm_status status = refuse_columns(run, error);
  if (!status) status = state(&label, run, schema, "label", error);
  if (!status) status = state(&values, run, schema, "values", error);
  if (!status) status = sfmi_rows_begin_sparse(run->rows, schema, error);
  if (!status) status = sfmi_rows_next_sparse(run->rows, &batch, error);
  while (!status && batch) {
    report->records += batch->rows;
    report->beyond += batch->beyond;
    for (size_t r = 0; r < batch->rows; r++) {
      report->malformed += !batch->keep[r];
      report->zero_rows += !(batch->keep[r] && tally_line(batch, r, &label, &values));
    }
    report->malformed -= batch->beyond;
    status = sfmi_rows_next_sparse(run->rows, &batch, error);
  }
  free(label.domain.codes);
  free(values.domain.codes);
  return status;
}

/* Tables. */

/* Every column of the schema, which must all be there. */
static sfm_status start(dry_run *run, const sfm_schema *schema, sfm_error *error) {
  const size_t count = sfm_schema_column_count(schema);
  run->columns = sfmi_alloc(count, sizeof *run->columns);
  run->categories = sfmi_alloc(count, sizeof *run->categories);
  run->cells = sfmi_alloc(count + 1, sizeof *run->cells);
  if (!run->columns || !run->categories || !run->cells) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    run->columns[i] = sfm_schema_column(schema, i);
    if (run->rows->ops->form == SFMI_CELL_FORM_NUMBER &&
        run->columns[i]->type == SFM_COLUMN_TYPE_STRING && run->columns[i]->category_count == 0)
      return sfmi_fail(error, SFM_INVALID,
                       "column '%.64s' is of type string in the schema, and these rows are numbers",
                       run->columns[i]->name);
    const bool listed =
        run->columns[i]->category_count || run->columns[i]->type == SFM_COLUMN_TYPE_BOOLEAN;
    if (!listed || is_numeric(run->columns[i])) continue;
    sfm_status status =
        sfmi_category_create(&run->categories[i], run->columns[i], run->rows->ops->form, error);
    if (status) return status;
  }
  sfmi_row_layout layout;
  sfm_status status = sfmi_row_layout_init(&layout, run->rows, schema, run->columns, count,
                                           SFM_OUTSIDE_CLAMP, error);
  if (!status) status = sfmi_rows_start(run->rows, &layout, error);
  return status || !run->rows->layout.person
             ? status
             : sfmi_persons_create(&run->rows->persons, run->rows->layout.limit, error);
}

sfm_status sfm_rows_check(sfm_rows *rows, sfm_rows_report **report, const sfm_schema *schema,
                          sfm_error *error) {
  *report = NULL;
  dry_run run = {.rows = rows};
  sfm_status status = make_report(&run, schema, error);
  if (!status && rows->sparse) {
    status = check_sparse(&run, schema, error);
  } else {
    if (!status) status = start(&run, schema, error);
    if (!status) status = rows->ops->record ? check_cells(&run, error) : check_matrix(&run, error);
  }
  if (!status) run.report->unfinished = rows->text && rows->text->rest;
  if (!status && rows->persons) {
    sfmi_person_counts counts = sfmi_persons_summary(rows->persons);
    run.report->persons = counts.persons;
    run.report->persons_over = counts.persons_over;
    run.report->records_over = counts.records_over;
  }
  for (size_t i = 0; run.categories && i < sfm_schema_column_count(schema); i++)
    sfmi_category_destroy(run.categories[i]);
  free(run.categories);
  free(run.columns);
  free(run.cells);
  rows->reading = false;
  if (status) {
    sfm_rows_report_destroy(run.report);
    return status;
  }
  *report = run.report;
  return SFM_OK;
}

void sfm_rows_report_destroy(sfm_rows_report *report) {
  if (!report) return;
  free(report->columns);
  free(report);
}
