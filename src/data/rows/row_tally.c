#include "row_tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "rows_state.h"

enum { FAULTS = SFM_CELL_FAULT_UNDECLARED + 1, EXAMPLE_BYTES = 44 };

/* Cells of one kind, each once. */
typedef struct examples {
  char texts[SFM_CELL_EXAMPLES][EXAMPLE_BYTES];
  size_t count;
} examples;

/* What sfm_rows_report_... tell beside the public part. */
typedef struct tally_report {
  sfm_rows_report shown; /* first */
  uint64_t clamped;
  uint64_t over;      /* ignored for nothing but the limit of records of a person */
  examples *examples; /* FAULTS of each column */
} tally_report;

typedef struct tally_run {
  sfm_rows *rows;
  const sfmi_row_tally *what;
  sfm_rows_report *report;
  sfmi_cell *cells; /* one per request */
  bool beyond;      /* of the record at hand: a value is beyond a bound */
} tally_run;

/* ---- the report ---- */

sfm_status sfmi_row_tally_report(sfm_rows_report **out, const char *const *names, size_t count,
                                 sfm_error *error) {
  tally_report *made = sfmi_alloc(1, sizeof *made);
  *out = NULL;
  if (!made) return sfmi_fail_memory(error);
  made->shown.columns = sfmi_alloc(count, sizeof *made->shown.columns);
  made->examples = sfmi_alloc(count * FAULTS, sizeof *made->examples);
  bool good = made->shown.columns && made->examples;
  for (size_t i = 0; good && i < count; i++) {
    good = (made->shown.columns[i].name = sfmi_copy_string(names[i])) != NULL;
    made->shown.column_count += good;
  }
  if (good) {
    *out = &made->shown;
    return SFM_OK;
  }
  sfm_rows_report_destroy(&made->shown);
  return sfmi_fail_memory(error);
}

void sfm_rows_report_destroy(sfm_rows_report *report) {
  tally_report *made = (tally_report *)report;
  if (!report) return;
  for (size_t i = 0; i < report->column_count; i++)
    free((char *)(uintptr_t)report->columns[i].name);
  free(report->columns);
  free(made->examples);
  free(made);
}

uint64_t sfm_rows_report_clamped(const sfm_rows_report *report) {
  return ((const tally_report *)report)->clamped;
}

double sfm_rows_report_share(const sfm_rows_report *report) {
  const tally_report *made = (const tally_report *)report;
  const double misfits = (double)(report->zero_rows - made->over) + (double)made->clamped;
  return report->records ? misfits / (double)report->records : 0;
}

const char *sfm_rows_report_example(const sfm_rows_report *report, size_t column,
                                    sfm_cell_fault fault, size_t k) {
  if (column >= report->column_count || (unsigned)fault >= FAULTS) return NULL;
  const examples *kept = &((const tally_report *)report)->examples[column * FAULTS + fault];
  return k < kept->count ? kept->texts[k] : NULL;
}

/* Longer ones end in "...". */
static void keep(sfm_rows_report *report, size_t column, sfm_cell_fault fault, const char *text,
                 size_t length) {
  examples *kept = &((tally_report *)report)->examples[column * FAULTS + fault];
  char copy[EXAMPLE_BYTES];
  const size_t most = EXAMPLE_BYTES - 4;
  const bool cut = length > most;
  if (kept->count == SFM_CELL_EXAMPLES) return;
  if (cut) length = most;
  memcpy(copy, text, length);
  strcpy(copy + length, cut ? "..." : "");
  for (size_t k = 0; k < kept->count; k++)
    if (strcmp(kept->texts[k], copy) == 0) return;
  memcpy(kept->texts[kept->count++], copy, sizeof copy);
}

static void keep_number(sfm_rows_report *report, size_t column, sfm_cell_fault fault,
                        double value) {
  char text[32];
  const int length = sfmi_snprintf(text, sizeof text, "%.10g", value);
  keep(report, column, fault, text, (size_t)length);
}

void sfmi_row_tally_clamped(sfm_rows_report *report) {
  ((tally_report *)report)->clamped++;
}

/* ---- one value ---- */

/* What is wrong with a number: -1, or a fault; counts it. */
static int fault_of(sfm_column_check *check, const sfmi_column_domain *domain, double value) {
  const bool good = sfmi_column_domain_admits(domain, value),
             coded = domain->codes && isfinite(value);
  check->undeclared += !good && coded;
  check->unreadable += !good && !coded;
  check->below += good && value < domain->lower;
  check->above += good && value > domain->upper;
  if (!good) return coded ? SFM_CELL_FAULT_UNDECLARED : SFM_CELL_FAULT_UNREADABLE;
  return value < domain->lower || value > domain->upper ? SFM_CELL_FAULT_BEYOND : -1;
}

bool sfmi_row_tally_number(sfm_rows_report *report, size_t column, const sfmi_column_domain *domain,
                           double value) {
  const int fault = fault_of(&report->columns[column], domain, value);
  if (fault >= 0) keep_number(report, column, (sfm_cell_fault)fault, value);
  return fault < 0 || fault == SFM_CELL_FAULT_BEYOND;
}

/* Whether a record with this number still contributes. */
static bool take_fault(tally_run *run, int fault) {
  if (fault == SFM_CELL_FAULT_BEYOND) run->beyond = true;
  return fault < 0 || (fault == SFM_CELL_FAULT_BEYOND && !run->what->drops);
}

static bool tally_number(tally_run *run, size_t i, double value) {
  const int fault = fault_of(&run->report->columns[i], run->what->columns[i].domain, value);
  if (fault >= 0) keep_number(run->report, i, (sfm_cell_fault)fault, value);
  return take_fault(run, fault);
}

static bool tally_category(tally_run *run, size_t i, const sfmi_cell *cell, locale_t c) {
  if (sfmi_category_of_cell(run->what->columns[i].category, cell, c) != SFMI_NO_CATEGORY)
    return true;
  run->report->columns[i].undeclared++;
  keep(run->report, i, SFM_CELL_FAULT_UNDECLARED, cell->text, cell->length);
  return false;
}

static bool tally_cell(tally_run *run, size_t i, const sfmi_cell *cell, locale_t c) {
  const sfmi_row_tally_column *column = &run->what->columns[i];
  sfm_column_check *check = &run->report->columns[i];
  const bool broken = cell->kind == SFMI_CELL_BROKEN;
  if (cell->length == 0 && !broken) {
    check->empty++;
    return column->optional;
  }
  if (!column->domain && !broken) return !column->category || tally_category(run, i, cell, c);
  if (broken) {
    check->unreadable++;
    keep(run->report, i, SFM_CELL_FAULT_UNREADABLE, cell->text, cell->length);
    return column->optional && column->domain;
  }
  double value = cell->kind == SFMI_CELL_VALUE ? cell->number : NAN;
  if (cell->kind != SFMI_CELL_VALUE) sfmi_decimal_read(&value, cell->text, cell->length, c);
  const int fault = fault_of(check, column->domain, value);
  if (fault >= 0) keep(run->report, i, (sfm_cell_fault)fault, cell->text, cell->length);
  const bool good = take_fault(run, fault) || (column->optional && fault >= 0);
  return good && (!column->category || tally_category(run, i, cell, c));
}

/* ---- records ---- */

/* Counts the record of a person; *within says whether it is one of at most `limit`, and *fits
 * becomes false where it is nobody's. */
static sfm_status tally_person(const tally_run *run, const sfmi_row_hash *owner, bool *fits,
                               bool *within, sfm_error *error) {
  uint32_t before;
  *within = true;
  if (sfmi_row_hash_is_zero(owner)) {
    run->report->unidentified++;
    *fits = false;
    return SFM_OK;
  }
  const sfm_status status = sfmi_persons_count(run->rows->persons, &before, owner, error);
  *within = before < run->rows->layout.limit;
  return status;
}

/* The same by the cell of the id. */
static sfm_status tally_id(const tally_run *run, const sfmi_cell *cell, bool *fits, bool *within,
                           sfm_error *error) {
  sfmi_row_hash owner;
  sfmi_batch one = {.owner = &owner};
  sfmi_row_hash_cell(&run->rows->hasher, &one, 0, cell, sfmi_c_locale());
  return one.failed ? sfmi_fail_memory(error) : tally_person(run, &owner, fits, within, error);
}

/* fits: apart from how many records its person has. */
static void tally_record(const tally_run *run, bool fits, bool within) {
  run->report->zero_rows += !(fits && within);
  ((tally_report *)run->report)->over += fits && !within;
  if (fits && within && run->beyond) sfmi_row_tally_clamped(run->report);
}

static sfm_status tally_cells(tally_run *run, sfm_error *error) {
  sfm_rows *rows = run->rows;
  const sfmi_row_layout *layout = &rows->layout;
  locale_t c = sfmi_c_locale();
  for (;;) {
    bool more, held, fits, within = true;
    sfm_status status = rows->ops->record(rows->reader, run->cells, &more, &held, layout, error);
    if (status || !more) return status;
    run->report->records++;
    run->beyond = false;
    fits = held;
    for (size_t w = 0; w < layout->request_count; w++) {
      const sfmi_field_request *request = &layout->requests[w];
      bool good = true;
      if (request->slot != SFMI_NO_SLOT && held)
        good = tally_cell(run, request->slot, &run->cells[w], c);
      else if (request->slot != SFMI_NO_SLOT)
        run->report->columns[request->slot].unreadable++;
      fits &= good;
      if (!request->person || !held) continue;
      status = tally_id(run, &run->cells[w], &fits, &within, error);
      if (status) return status;
    }
    tally_record(run, fits, within);
  }
}

/* A number of a matrix. */
static bool tally_value(tally_run *run, size_t i, double value) {
  const sfmi_row_tally_column *column = &run->what->columns[i];
  const bool stray = column->category && isfinite(value) &&
                     sfmi_category_of_number(column->category, value) == SFMI_NO_CATEGORY;
  if (stray) {
    run->report->columns[i].undeclared++;
    keep_number(run->report, i, SFM_CELL_FAULT_UNDECLARED, value);
    return false;
  }
  if (column->domain) return tally_number(run, i, value) || (column->optional && isnan(value));
  run->report->columns[i].unreadable += !isfinite(value);
  return isfinite(value);
}

static sfm_status tally_matrix(tally_run *run, sfm_error *error) {
  sfm_rows *rows = run->rows;
  const sfmi_batch *batch = &rows->batch;
  for (;;) {
    sfm_status status = sfmi_rows_fill(rows, error);
    if (status || batch->rows == 0) return status;
    run->report->records += batch->rows;
    for (size_t r = 0; r < batch->rows; r++) {
      bool fits = batch->keep[r], within = true;
      run->beyond = false;
      for (size_t s = 0; s < batch->columns; s++)
        fits &= tally_value(run, s, batch->values[s * SFMI_BATCH_ROWS + r]);
      if (batch->owner) status = tally_person(run, &batch->owner[r], &fits, &within, error);
      if (status) return status;
      tally_record(run, fits, within);
    }
  }
}

/* A slot for every column, and the field of the person. */
static sfm_status start(tally_run *run, sfm_error *error) {
  const sfmi_row_tally *what = run->what;
  sfmi_row_layout layout = {
      .slots = what->count, .limit = what->limit, .person = what->person, .ids = what->ids};
  bool found = !what->person;
  layout.requests = sfmi_alloc(what->count + 1, sizeof *layout.requests);
  layout.domains = sfmi_alloc(what->count, sizeof *layout.domains);
  run->cells = sfmi_alloc(what->count + 1, sizeof *run->cells);
  sfm_status status =
      layout.requests && layout.domains && run->cells ? SFM_OK : sfmi_fail_memory(error);
  for (size_t i = 0; !status && i < what->count; i++) {
    sfmi_field_request *request = &layout.requests[layout.request_count++];
    *request = sfmi_row_layout_request(what->columns[i].field);
    request->slot = i;
    request->person = what->person && request->field == what->person_field;
    found = found || request->person;
    layout.domains[i] = (sfmi_column_domain){.lower = -INFINITY, .upper = INFINITY};
  }
  if (!status && !found) {
    layout.requests[layout.request_count] = sfmi_row_layout_request(what->person_field);
    layout.requests[layout.request_count++].person = true;
  }
  status = sfmi_row_layout_finish(&layout, status);
  if (!status) status = sfmi_rows_start(run->rows, &layout, error);
  return status || !what->person
             ? status
             : sfmi_persons_create(&run->rows->persons, run->rows->layout.limit, error);
}

sfm_status sfmi_row_tally_read(sfm_rows_report **out, sfm_rows *rows, const sfmi_row_tally *what,
                               sfm_error *error) {
  tally_run run = {.rows = rows, .what = what};
  const char **names = sfmi_alloc(what->count, sizeof *names);
  *out = NULL;
  for (size_t i = 0; names && i < what->count; i++) names[i] = what->columns[i].name;
  sfm_status status = names ? sfmi_row_tally_report(&run.report, names, what->count, error)
                            : sfmi_fail_memory(error);
  if (!status) status = start(&run, error);
  if (!status) status = rows->ops->record ? tally_cells(&run, error) : tally_matrix(&run, error);
  if (!status) run.report->unfinished = rows->text && rows->text->rest;
  if (!status && rows->persons) {
    const sfmi_person_counts counts = sfmi_persons_summary(rows->persons);
    run.report->persons = counts.persons;
    run.report->persons_over = counts.persons_over;
    run.report->records_over = counts.records_over;
  }
  sfmi_rows_end(rows);
  free(names);
  free(run.cells);
  if (status)
    sfm_rows_report_destroy(run.report);
  else
    *out = run.report;
  return status;
}
