#include "sfumato/files.h"

#include <stdlib.h>

#include "file.h"

struct sfm_output {
  sfmi_file file;
};

sfm_status sfm_output_begin(sfm_output **out, const char *path, sfm_error *error) {
  *out = NULL;
  sfm_output *output = sfmi_alloc(1, sizeof *output);
  if (!output) return sfmi_fail_memory(error);
  const sfm_status status = sfmi_file_begin(&output->file, path, error);
  if (status)
    free(output);
  else
    *out = output;
  return status;
}

FILE *sfm_output_stream(const sfm_output *output) {
  return output->file.stream;
}

const char *sfm_output_temporary(const sfm_output *output) {
  return output->file.temporary;
}

sfm_status sfm_output_commit(sfm_output *output, sfm_error *error) {
  const sfm_status status = sfmi_file_commit(&output->file, error);
  free(output);
  return status;
}

void sfm_output_abandon(sfm_output *output) {
  if (output) sfmi_file_abandon(&output->file);
  free(output);
}
