/* drive.h - for the fuzz targets of data: takes any bytes as a file of rows through every function
 * that reads rows, and stops the program when a promise of batch.h or csv.h is broken. */
#ifndef TESTS_FUZZ_DRIVE_H
#define TESTS_FUZZ_DRIVE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/intake.h"

#define PROMISE(condition)                                                                         \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "broken promise: %s\n", #condition);                                         \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

#define DRIVE_COLUMNS 3
#define DRIVE_LOWER (-100.0)
#define DRIVE_UPPER 1000.0

/* A digest of all that a reading gave: order matters, dropped values do not. */
typedef struct driven {
  uint64_t rows, digest;
  bool failed; /* reading, or opening, ended in an error */
} driven;

static void drive_mix(driven *d, uint64_t word) {
  d->digest = (d->digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  d->digest ^= d->digest >> 29;
}

static driven drive_reading(sfm_rows *rows, const sfmi_selection *selection) {
  driven d = {0};
  const sfmi_batch *batch;
  if (sfmi_rows_begin(rows, selection, NULL)) return d;
  while (!(d.failed = sfmi_rows_next(rows, &batch, NULL) != SFM_OK) && batch) {
    PROMISE(batch->rows > 0 && batch->rows <= SFMI_BATCH_ROWS);
    PROMISE(batch->columns == selection->count);
    d.rows += batch->rows;
    for (size_t r = 0; r < batch->rows; r++) {
      PROMISE(batch->keep[r] <= 1);
      drive_mix(&d, batch->keep[r]);
      for (size_t c = 0; batch->keep[r] && c < batch->columns; c++) {
        double value = batch->values[c * SFMI_BATCH_ROWS + r];
        uint64_t bits;
        PROMISE(value >= DRIVE_LOWER && value <= DRIVE_UPPER);
        memcpy(&bits, &value, sizeof bits);
        drive_mix(&d, bits);
      }
    }
  }
  return d;
}

/* The first columns that have bounds, read; then the dry run; both with a person. */
static driven drive_rows(sfm_rows *rows) {
  driven d = {0};
  const char *names[DRIVE_COLUMNS];
  size_t count = 0, columns = sfm_rows_column_count(rows);
  sfm_schema *schema;
  sfm_rows_report *report;
  PROMISE(columns > 0);
  if (sfm_schema_create(&schema, NULL)) return d;
  for (size_t i = 0; i < columns && count < DRIVE_COLUMNS; i++) {
    const char *name = sfm_rows_column_name(rows, columns - 1 - i);
    if (!sfm_schema_set_bounds(schema, name, DRIVE_LOWER, DRIVE_UPPER, NULL)) names[count++] = name;
  }
  sfmi_selection selection = {schema, names, count, columns % 2 ? SFM_CLAMP : SFM_DROP};
  d = drive_reading(rows, &selection);
  if (!sfm_schema_set_person(schema, sfm_rows_column_name(rows, 0), NULL)) {
    driven e = drive_reading(rows, &selection);
    d.failed = d.failed || e.failed;
    drive_mix(&d, e.digest);
    if (!sfm_rows_check(rows, &report, schema, NULL)) {
      PROMISE(report->records == e.rows && report->zero_rows <= report->records);
      drive_mix(&d, report->zero_rows);
      drive_mix(&d, report->persons);
      sfm_rows_report_destroy(report);
    }
  }
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
static void drive_bytes(const uint8_t *data, size_t size) {
  driven d[2] = {{0}};
  const size_t blocks[2] = {0, 1 + size % 61};
  for (int i = 0; i < 2; i++) {
    sfm_rows *rows;
    sfm_error error;
    if (sfmi_rows_open_memory(&rows, data, size, blocks[i], &error)) {
      PROMISE(rows == NULL && memchr(error.message, 0, sizeof error.message));
      d[i].failed = true;
      continue;
    }
    d[i] = drive_rows(rows);
    sfm_rows_destroy(rows);
  }
  const bool gzip = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
  if (gzip && (d[0].failed || d[1].failed)) return;
  PROMISE(d[0].failed == d[1].failed);
  PROMISE(d[0].rows == d[1].rows && d[0].digest == d[1].digest);
}

#endif
