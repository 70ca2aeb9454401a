/* sum_stream.c - how long it takes to read four columns of an Arrow stream, clamped to their
 * bounds, and to sum them. */
#include <string.h>
#include <time.h>

#include "data/rows/rows.h"
#include "sfumato/arrow.h"

enum { COLUMNS = 4, LANES = 8 };

double sum_stream(struct ArrowArrayStream *stream, const char *schema_text, double sums[COLUMNS]);

static void add(double sums[COLUMNS], const sfmi_batch *batch) {
  for (size_t c = 0; c < COLUMNS; c++) {
    const double *values = batch->values + c * batch->stride;
    double lanes[LANES] = {0};
    for (size_t r = 0; r < batch->rows; r++) lanes[r % LANES] += batch->keep[r] ? values[r] : 0;
    for (size_t k = 0; k < LANES; k++) sums[c] += lanes[k];
  }
}

/* Seconds, or -1. */
double sum_stream(struct ArrowArrayStream *stream, const char *schema_text, double sums[COLUMNS]) {
  static const char *const columns[] = {"a", "b", "c", "d"};
  struct timespec start, end;
  sfm_schema *schema = NULL;
  sfm_rows *rows = NULL;
  const sfmi_batch *batch = NULL;
  sfm_error error;
  timespec_get(&start, TIME_UTC);
  memset(sums, 0, COLUMNS * sizeof *sums);
  sfm_status status = sfm_schema_parse(&schema, schema_text, strlen(schema_text), "bench", &error);
  if (!status) status = sfm_rows_from_arrow_stream(&rows, stream, SFM_ARROW_CHUNKS_ONCE, &error);
  const sfmi_selection selection = {schema, columns, COLUMNS, SFM_OUTSIDE_CLAMP};
  if (!status) status = sfmi_rows_begin(rows, &selection, &error);
  do {
    if (!status) status = sfmi_rows_next(rows, &batch, &error);
    if (!status && batch) add(sums, batch);
  } while (!status && batch);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  timespec_get(&end, TIME_UTC);
  return status
             ? -1
             : (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}
