/* fuzz_svmlight.c - any bytes as libsvm text, plain or gzip. */
#include <math.h>

#include "fuzz_rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DIMENSION = 1000 };

static void fuzz_rows_sparse_row(fuzz_rows_result *d, const sfmi_sparse_batch *batch, size_t r) {
  uint64_t bits = 0;
  const double label = batch->labels[r];
  PROMISE(batch->keep[r] <= 1 && batch->starts[r] <= batch->starts[r + 1]);
  PROMISE(batch->keep[r] || (isnan(label) && batch->starts[r] == batch->starts[r + 1]));
  PROMISE(isnan(label) || isfinite(label));
  if (!isnan(label)) memcpy(&bits, &label, sizeof bits);
  fuzz_rows_mix(d, bits + batch->keep[r]);
  for (size_t j = batch->starts[r]; j < batch->starts[r + 1]; j++) {
    PROMISE(batch->indices[j] < DIMENSION && isfinite(batch->values[j]));
    PROMISE(j == batch->starts[r] || batch->indices[j] > batch->indices[j - 1]);
    memcpy(&bits, &batch->values[j], sizeof bits);
    fuzz_rows_mix(d, bits ^ batch->indices[j]);
  }
}

static fuzz_rows_result fuzz_rows_sparse(sfm_rows *rows) {
  fuzz_rows_result d = {0};
  const sfmi_sparse_batch *batch;
  uint64_t counted;
  PROMISE(!sfmi_rows_begin_sparse(rows, NULL, NULL));
  while (!(d.failed = sfmi_rows_next_sparse(rows, &batch, NULL)) && batch) {
    PROMISE(batch->rows > 0 && batch->rows <= SFMI_BATCH_ROWS && batch->starts[0] == 0);
    d.rows += batch->rows;
    for (size_t r = 0; r < batch->rows; r++) fuzz_rows_sparse_row(&d, batch, r);
  }
  if (sfm_rows_count(rows, &counted, NULL))
    d.failed = true;
  else if (!d.failed)
    PROMISE(counted == d.rows);
  return d;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_rows_result d[2] = {{0}};
  const size_t blocks[2] = {0, 1 + size % 61};
  for (int i = 0; i < 2; i++) {
    sfm_rows *rows;
    if (sfmi_rows_open_sparse_memory(&rows, data, size, DIMENSION, false, blocks[i], NULL)) {
      d[i].failed = true;
      continue;
    }
    d[i] = fuzz_rows_sparse(rows);
    sfm_rows_destroy(rows);
  }
  const bool gzip = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
  if (gzip && (d[0].failed || d[1].failed)) return 0;
  PROMISE(d[0].failed == d[1].failed);
  PROMISE(d[0].rows == d[1].rows && d[0].digest == d[1].digest);
  return 0;
}
