/* check.c - the owner's dry run: what a reading would clamp, drop or not understand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/fields.h"
#include "data/origin.h"

typedef struct dry_run {
  sfm_rows *rows;
  const sfm_column **columns;
  sfmi_category **categories; /* one a column; NULL for those that are numbers or any text */
  sfm_rows_report *report;
  sfmi_cell *cells; /* one a want */
} dry_run;

static bool is_numeric(const sfm_column *column) {
  return column->type == SFM_NUMBER || column->type == SFM_INTEGER;
}

/* Each of these counts one value and says whether its row still contributes. */
static bool tally_number(sfm_column_check *check, const sfmi_domain *domain, double value) {
  bool good = sfmi_domain_admits(domain, value);
  check->unreadable += !good;
  check->below += good && value < domain->lower;
  check->above += good && value > domain->upper;
  return good;
}

/* category is NULL when the column has no list of texts. */
static bool tally_cell(sfm_column_check *check, const sfm_column *column, const sfmi_domain *domain,
                       const sfmi_category *category, const sfmi_cell *cell, locale_t c) {
  bool broken = cell->kind == SFMI_CELL_BROKEN;
  if (cell->length == 0 && !broken) {
    check->empty++;
    return column->type == SFM_STRING && column->category_count == 0;
  }
  if (is_numeric(column)) {
    double value = NAN;
    if (!broken) sfmi_number_read(&value, cell->text, cell->length, c);
    return tally_number(check, domain, value);
  }
  bool good = !broken;
  if (category) good = sfmi_category_of_cell(category, cell, c) != SFMI_NO_CATEGORY;
  check->unreadable += !good;
  return good;
}

/* Counts the record of a person; *within says whether it is among the first `limit`. */
static sfm_status tally_person(const dry_run *run, const sfmi_cell *cell, bool *within,
                               sfm_error *error) {
  uint32_t before;
  *within = false;
  if (cell->kind == SFMI_CELL_BROKEN || cell->length == 0) {
    run->report->unidentified++;
    return SFM_OK;
  }
  sfm_status status =
      sfmi_persons_count(run->rows->persons, &before, cell->text, cell->length, error);
  *within = before < run->rows->plan.limit;
  return status;
}

static sfm_status check_csv(const dry_run *run, sfm_error *error) {
  sfm_rows *rows = run->rows;
  const sfmi_plan *plan = &rows->plan;
  locale_t c = sfmi_csv_locale(rows->csv);
  for (;;) {
    bool more, held, contributes;
    sfm_status status =
        sfmi_csv_record(rows->csv, run->cells, &more, &held, plan->wants, plan->want_count, error);
    if (status || !more) return status;
    run->report->records++;
    contributes = held;
    for (size_t w = 0; w < plan->want_count; w++) {
      const sfmi_want *want = &plan->wants[w];
      bool good = true;
      if (want->slot != SFMI_NO_SLOT && held)
        good =
            tally_cell(&run->report->columns[want->slot], run->columns[want->slot],
                       &plan->domains[want->slot], run->categories[want->slot], &run->cells[w], c);
      else if (want->slot != SFMI_NO_SLOT)
        run->report->columns[want->slot].unreadable++;
      contributes &= good;
      if (!want->person || !held) continue;
      status = tally_person(run, &run->cells[w], &good, error);
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
    sfm_status status = sfmi_table_fill(rows, error);
    if (status || batch->rows == 0) return status;
    run->report->records += batch->rows;
    for (size_t r = 0; r < batch->rows; r++) {
      bool contributes = batch->keep[r];
      for (size_t s = 0; s < batch->columns; s++) {
        double value = batch->values[s * SFMI_BATCH_ROWS + r];
        if (run->categories[s] &&
            sfmi_category_of_number(run->categories[s], value) == SFMI_NO_CATEGORY)
          value = NAN;
        contributes &= tally_number(&run->report->columns[s], &rows->plan.domains[s], value);
      }
      run->report->zero_rows += !contributes;
    }
  }
}

/* Every column of the schema, which must all be there. */
static sfm_status start(dry_run *run, const sfm_schema *schema, sfm_error *error) {
  size_t count = sfm_schema_column_count(schema);
  run->columns = sfmi_alloc(count, sizeof *run->columns);
  run->categories = sfmi_alloc(count, sizeof *run->categories);
  run->cells = sfmi_alloc(count + 1, sizeof *run->cells);
  run->report = sfmi_alloc(1, sizeof *run->report);
  if (!run->columns || !run->categories || !run->cells || !run->report)
    return sfmi_fail_memory(error);
  run->report->columns = sfmi_alloc(count, sizeof *run->report->columns);
  if (!run->report->columns) return sfmi_fail_memory(error);
  run->report->column_count = count;
  for (size_t i = 0; i < count; i++) {
    run->columns[i] = sfm_schema_column(schema, i);
    run->report->columns[i].name = run->columns[i]->name;
    if (run->rows->matrix && run->columns[i]->type == SFM_STRING &&
        run->columns[i]->category_count == 0)
      return sfmi_fail(error, SFM_INVALID,
                       "column '%.64s' is of type string in the schema, and these rows are numbers",
                       run->columns[i]->name);
    const bool listed = run->columns[i]->category_count || run->columns[i]->type == SFM_BOOLEAN;
    if (!listed || is_numeric(run->columns[i])) continue;
    sfm_status status =
        sfmi_category_create(&run->categories[i], run->columns[i], run->rows->matrix, error);
    if (status) return status;
  }
  sfmi_plan plan;
  sfm_status status =
      sfmi_plan_make(&plan, run->rows, schema, run->columns, count, SFM_CLAMP, error);
  return status ? status : sfmi_table_start(run->rows, &plan, error);
}

sfm_status sfm_rows_check(sfm_rows *rows, sfm_rows_report **report, const sfm_schema *schema,
                          sfm_error *error) {
  *report = NULL;
  dry_run run = {.rows = rows};
  sfm_status status = start(&run, schema, error);
  if (!status) status = rows->csv ? check_csv(&run, error) : check_matrix(&run, error);
  if (!status && rows->persons) {
    sfmi_person_counts counts = sfmi_persons_summary(rows->persons, rows->plan.limit);
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
