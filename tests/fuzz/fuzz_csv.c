/* fuzz_csv.c - any bytes as a file of rows: CSV, gzip, or NPY when they begin so. */
#include "fuzz_rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_rows_bytes(data, size);
  return 0;
}
