/* file_bytes.h - a whole file in memory.  Private rows are read by the library: this is for points,
 * vectors, matrices and lists. */
#ifndef CLI_FILE_BYTES_H
#define CLI_FILE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#include "sfumato/status.h"

typedef struct file_bytes {
  const char *data;
  size_t length;
  const char *name; /* for messages */
  bool mapped;
} file_bytes;

/* Maps a regular file, reads anything else; "-" is standard input. */
SFM_MUST_CHECK sfm_status file_load(file_bytes *out, const char *path, sfm_error *error);
void file_clear(file_bytes *bytes);

#endif
