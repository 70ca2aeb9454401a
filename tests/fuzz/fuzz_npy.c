/* fuzz_npy.c - any bytes behind the magic of an NPY file. */
#include "fuzz_rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *file = malloc(size + 6);
  if (!file) return 0;
  memcpy(file, "\x93NUMPY", 6);
  if (size) memcpy(file + 6, data, size);
  fuzz_rows_bytes(file, size + 6);
  free(file);
  return 0;
}
