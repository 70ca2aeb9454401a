#include "examples.h"

#include <stdlib.h>
#include <string.h>

static void wipe(void *memory, size_t count, size_t size) {
  if (memory) explicit_bzero(memory, count * size);
  free(memory);
}

void sfmi_examples_destroy(sfmi_examples *examples) {
  if (!examples) return;
  wipe(examples->keep, examples->rows, sizeof *examples->keep);
  wipe(examples->labels, examples->rows, sizeof *examples->labels);
  wipe(examples->classes, examples->rows, sizeof *examples->classes);
  wipe(examples->starts, examples->rows + 1, sizeof *examples->starts);
  wipe(examples->indices, examples->nonzeros, sizeof *examples->indices);
  wipe(examples->values, examples->nonzeros, sizeof *examples->values);
  wipe(examples->dense, examples->rows * examples->stride, sizeof *examples->dense);
  free(examples);
}
