/* read_rows.h - for the tests of data: a whole reading in one array. */
#ifndef TESTS_DATA_READ_ROWS_H
#define TESTS_DATA_READ_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "data/rows/rows_open.h"

#define MUST(call)                                                                                 \
  do {                                                                                             \
    sfm_error must_error = {0};                                                                    \
    sfm_error *error = &must_error;                                                                \
    if ((call)) fail_msg("%s: %s", #call, must_error.message);                                     \
  } while (0)

/* Checks that the call fails with that status and that its message holds each of the words. */
#define REFUSES(expected, call, ...)                                                               \
  do {                                                                                             \
    sfm_error refusal = {0};                                                                       \
    sfm_error *error = &refusal;                                                                   \
    sfm_status got = (call);                                                                       \
    if (got != (expected)) fail_msg("%s: status %d, message '%s'", #call, got, refusal.message);   \
    const char *words[] = {__VA_ARGS__};                                                           \
    for (size_t word = 0; word < sizeof words / sizeof *words; word++)                             \
      if (!strstr(refusal.message, words[word]))                                                   \
        fail_msg("%s: '%s' is not in '%s'", #call, words[word], refusal.message);                  \
  } while (0)

typedef struct reading {
  size_t rows, columns;
  double *values; /* row by row */
  uint8_t *keep;
} reading;

static inline void reading_clear(reading *r) {
  free(r->values);
  free(r->keep);
  *r = (reading){0};
}

static inline reading read_all(sfm_rows *rows, const sfmi_selection *selection) {
  reading r = {.columns = selection->count};
  MUST(sfmi_rows_begin(rows, selection, error));
  for (;;) {
    const sfmi_batch *batch;
    MUST(sfmi_rows_next(rows, &batch, error));
    if (!batch) return r;
    assert_true(batch->rows > 0 && batch->rows <= SFMI_BATCH_ROWS);
    assert_int_equal(batch->columns, r.columns);
    r.values = realloc(r.values, (r.rows + batch->rows) * r.columns * sizeof(double));
    r.keep = realloc(r.keep, r.rows + batch->rows);
    for (size_t i = 0; i < batch->rows; i++) {
      r.keep[r.rows + i] = batch->keep[i];
      for (size_t c = 0; c < r.columns; c++)
        r.values[(r.rows + i) * r.columns + c] = batch->values[c * SFMI_BATCH_ROWS + i];
    }
    r.rows += batch->rows;
  }
}

/* A schema with these columns, all bounded by lower:upper. */
static inline sfm_schema *bounded(const char *const *columns, size_t count, double lower,
                                  double upper) {
  sfm_schema *schema;
  MUST(sfm_schema_create(&schema, error));
  for (size_t i = 0; i < count; i++)
    MUST(sfm_schema_set_bounds(schema, columns[i], lower, upper, error));
  return schema;
}

/* Reads columns of the file in memory, inside lower:upper, clamped. */
static inline reading read_bytes(const void *bytes, size_t size, const char *const *columns,
                                 size_t count, double lower, double upper, size_t block) {
  sfm_rows *rows;
  sfm_schema *schema = bounded(columns, count, lower, upper);
  sfmi_selection selection = {schema, columns, count, SFM_OUTSIDE_CLAMP};
  MUST(sfmi_rows_open_memory(&rows, bytes, size, block, error));
  reading r = read_all(rows, &selection);
  uint64_t counted;
  MUST(sfm_rows_count(rows, &counted, error));
  assert_int_equal(counted, r.rows);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return r;
}

/* The rows agree: keep, and every value of a kept row, bit for bit. */
static inline int same_row(const reading *a, size_t i, const reading *b, size_t j) {
  if (a->keep[i] != b->keep[j]) return 0;
  if (!a->keep[i]) return 1;
  return memcmp(a->values + i * a->columns, b->values + j * b->columns,
                a->columns * sizeof(double)) == 0;
}

static inline void assert_same(const reading *a, const reading *b) {
  assert_int_equal(a->rows, b->rows);
  for (size_t i = 0; i < a->rows; i++)
    if (!same_row(a, i, b, i)) fail_msg("row %zu differs", i);
}

/* A small generator for test inputs (xorshift). */
static inline uint64_t pick(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

#endif
