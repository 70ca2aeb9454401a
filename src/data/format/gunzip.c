#include "sfumato/files.h"

#include <stdlib.h>
#include <string.h>

#include "byte_source.h"

sfm_status sfm_gunzip(char **bytes, size_t *length, const void *packed, size_t size,
                      const char *name, sfm_error *error) {
  sfmi_source *source = NULL;
  char *data = NULL, *larger;
  size_t used = 0, room = 0, got = 1;
  *bytes = NULL;
  if (size < 2 || memcmp(packed, "\x1f\x8b", 2) != 0) return SFM_OK;
  sfm_status status = sfmi_source_open_memory(&source, packed, size, SFMI_GZIP, error);
  while (!status && got > 0) {
    if (used == room) {
      room = room ? 2 * room : 1 << 16;
      larger = realloc(data, room);
      if (!larger) status = sfmi_fail_memory(error);
      if (larger) data = larger;
    }
    if (!status) status = sfmi_source_read(source, data + used, &got, room - used, error);
    if (!status) used += got;
  }
  sfmi_source_close(source);
  if (!status) {
    *bytes = data;
    *length = used;
    return SFM_OK;
  }
  free(data);
  return status == SFM_IO ? sfmi_fail(error, SFM_FORMAT, "%s is damaged gzip", name) : status;
}
