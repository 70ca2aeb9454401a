#include "gzip_file.h"

#include "sfumato/files.h"

sfm_status file_gunzip(file_bytes *bytes, sfm_error *error) {
  file_bytes plain = {.name = bytes->name};
  char *data = NULL;
  const sfm_status status =
      sfm_gunzip(&data, &plain.length, bytes->data, bytes->length, bytes->name, error);
  if (status || !data) return status;
  plain.data = data;
  file_clear(bytes);
  *bytes = plain;
  return SFM_OK;
}
