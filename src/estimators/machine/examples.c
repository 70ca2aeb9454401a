#include "examples.h"

#include <stdlib.h>

void sfmi_examples_destroy(sfmi_examples *examples) {
  if (!examples) return;
  sfmi_wipe_free(examples->keep, examples->rows, sizeof *examples->keep);
  sfmi_wipe_free(examples->labels, examples->rows, sizeof *examples->labels);
  sfmi_wipe_free(examples->classes, examples->rows, sizeof *examples->classes);
  sfmi_wipe_free(examples->starts, examples->rows + 1, sizeof *examples->starts);
  sfmi_wipe_free(examples->indices, examples->nonzeros, sizeof *examples->indices);
  sfmi_wipe_free(examples->values, examples->nonzeros, sizeof *examples->values);
  sfmi_wipe_free(examples->dense, examples->rows * examples->stride, sizeof *examples->dense);
  free(examples);
}
