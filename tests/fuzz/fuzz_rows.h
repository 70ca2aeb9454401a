/* fuzz_rows.h - for the fuzz targets of data: takes any bytes as a file of rows through every
 * function that reads rows, and stops the program when a promise of row_batch.h or csv.h is broken.
 */
#ifndef TESTS_FUZZ_FUZZ_ROWS_H
#define TESTS_FUZZ_FUZZ_ROWS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/category.h"
#include "data/rows/cell_columns.h"
#include "data/rows/rows_open.h"
#include "promise.h"

#define FUZZ_ROWS_COLUMNS 3
#define FUZZ_ROWS_LOWER (-100.0)
#define FUZZ_ROWS_UPPER 1000.0

/* A digest of all that a reading gave: order matters, dropped values do not. */
typedef struct fuzz_rows_result {
  uint64_t rows, digest;
  bool failed; /* reading, or opening, ended in an error */
} fuzz_rows_result;

static void fuzz_rows_mix(fuzz_rows_result *d, uint64_t word) {
  d->digest = (d->digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  d->digest ^= d->digest >> 29;
}

static fuzz_rows_result fuzz_rows_reading(sfm_rows *rows, const sfmi_selection *selection) {
  fuzz_rows_result d = {0};
  const sfmi_batch *batch;
  if (sfmi_rows_begin(rows, selection, NULL)) return d;
  while (!(d.failed = sfmi_rows_next(rows, &batch, NULL)) && batch) {
    PROMISE(batch->rows > 0 && batch->rows <= SFMI_BATCH_ROWS);
    PROMISE(batch->columns == selection->count);
    d.rows += batch->rows;
    for (size_t r = 0; r < batch->rows; r++) {
      PROMISE(batch->keep[r] <= 1);
      fuzz_rows_mix(&d, batch->keep[r]);
      for (size_t c = 0; batch->keep[r] && c < batch->columns; c++) {
        double value = batch->values[c * SFMI_BATCH_ROWS + r];
        uint64_t bits;
        PROMISE(value >= FUZZ_ROWS_LOWER && value <= FUZZ_ROWS_UPPER);
        memcpy(&bits, &value, sizeof bits);
        fuzz_rows_mix(&d, bits);
      }
    }
  }
  return d;
}

/* One row of cells: a number, a category and a text of the same column, and perhaps a category
 * alone. */
static void fuzz_rows_cell_row(fuzz_rows_result *d, const sfmi_batch *batch, size_t r,
                               size_t codes) {
  const double value = batch->values[r];
  const sfmi_text text = batch->texts[r];
  uint64_t bits = 0;
  PROMISE(batch->keep[r] <= 1);
  fuzz_rows_mix(d, batch->keep[r]);
  if (!batch->keep[r]) return;
  PROMISE(value != value || value - value == 0);
  if (value == value) memcpy(&bits, &value, sizeof bits);
  fuzz_rows_mix(d, bits);
  for (size_t k = 0; k < codes; k++) {
    const uint32_t code = batch->codes[k * SFMI_BATCH_ROWS + r];
    PROMISE(code < 3 || code == SFMI_NO_CATEGORY);
    fuzz_rows_mix(d, code);
  }
  for (uint32_t i = 0; i < text.length; i++) fuzz_rows_mix(d, (unsigned char)text.text[i]);
  PROMISE(text.length == 0 || (text.text[0] != ' ' && text.text[text.length - 1] != ' '));
}

/* The cells of the first and the last column. */
static fuzz_rows_result fuzz_rows_cells(sfm_rows *rows, const sfm_schema *schema) {
  static const char *const categories[] = {"1", "2.5", "30"};
  const char *first = sfm_rows_column_name(rows, 0),
             *last = sfm_rows_column_name(rows, sfm_rows_column_count(rows) - 1);
  const sfmi_cell_column columns[] = {{first, SFMI_USE_NUMBER, NULL, 0},
                                      {first, SFMI_USE_CATEGORY, categories, 3},
                                      {first, SFMI_USE_TEXT, NULL, 0},
                                      {last, SFMI_USE_CATEGORY, categories, 3}};
  const size_t count = sfm_rows_column_count(rows) > 1 ? 4 : 3;
  fuzz_rows_result d = {0};
  const sfmi_batch *batch;
  if (sfmi_rows_begin_cells(rows, schema, columns, count, NULL)) return d;
  while (!(d.failed = sfmi_rows_next(rows, &batch, NULL)) && batch) {
    PROMISE(batch->rows > 0 && batch->rows <= SFMI_BATCH_ROWS);
    d.rows += batch->rows;
    for (size_t r = 0; r < batch->rows; r++) fuzz_rows_cell_row(&d, batch, r, count - 2);
  }
  return d;
}

/* The first columns that have bounds, read; then the dry run; both with a person; then cells. */
static fuzz_rows_result fuzz_rows_rows(sfm_rows *rows) {
  fuzz_rows_result d = {0};
  const char *names[FUZZ_ROWS_COLUMNS];
  size_t count = 0, columns = sfm_rows_column_count(rows);
  sfm_schema *schema;
  sfm_rows_report *report;
  PROMISE(columns > 0);
  if (sfm_schema_create(&schema, NULL)) return d;
  for (size_t i = 0; i < columns && count < FUZZ_ROWS_COLUMNS; i++) {
    const char *name = sfm_rows_column_name(rows, columns - 1 - i);
    if (!sfm_schema_set_bounds(schema, name, FUZZ_ROWS_LOWER, FUZZ_ROWS_UPPER, NULL))
      names[count++] = name;
  }
  sfmi_selection selection = {schema, names, count,
                              columns % 2 ? SFM_OUTSIDE_CLAMP : SFM_OUTSIDE_DROP};
  d = fuzz_rows_reading(rows, &selection);
  if (!sfm_schema_set_person(schema, sfm_rows_column_name(rows, 0), NULL)) {
    fuzz_rows_result e = fuzz_rows_reading(rows, &selection);
    d.failed = d.failed || e.failed;
    fuzz_rows_mix(&d, e.digest);
    if (!sfm_rows_check(rows, &report, schema, NULL)) {
      PROMISE(report->records == e.rows && report->zero_rows <= report->records);
      fuzz_rows_mix(&d, report->zero_rows);
      fuzz_rows_mix(&d, report->persons);
      sfm_rows_report_destroy(report);
    }
  }
  const fuzz_rows_result cells = fuzz_rows_cells(rows, schema);
  d.failed = d.failed || cells.failed;
  fuzz_rows_mix(&d, cells.digest);
  uint64_t counted;
  if (sfm_rows_count(rows, &counted, NULL))
    d.failed = true;
  else if (d.rows && !d.failed)
    PROMISE(counted == d.rows);
  sfm_schema_destroy(schema);
  return d;
}

/* The same bytes in blocks of two sizes give the same rows.  Damage in gzip data is found sooner or
 * later with the size of the blocks, so there only readings that ended well are compared. */
static inline void fuzz_rows_bytes(const uint8_t *data, size_t size) {
  fuzz_rows_result d[2] = {{0}};
  const size_t blocks[2] = {0, 1 + size % 61};
  for (int i = 0; i < 2; i++) {
    sfm_rows *rows;
    sfm_error error;
    if (sfmi_rows_open_memory(&rows, data, size, blocks[i], &error)) {
      PROMISE(rows == NULL && memchr(error.message, 0, sizeof error.message));
      d[i].failed = true;
      continue;
    }
    sfmi_rows_set_seed(rows, 7); /* the same choice among a person's records */
    d[i] = fuzz_rows_rows(rows);
    sfm_rows_destroy(rows);
  }
  const bool gzip = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
  if (gzip && (d[0].failed || d[1].failed)) return;
  PROMISE(d[0].failed == d[1].failed);
  PROMISE(d[0].rows == d[1].rows && d[0].digest == d[1].digest);
}

#endif
