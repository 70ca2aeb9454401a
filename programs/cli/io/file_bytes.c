#include "file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/core/options.h"

static sfm_status cannot_read(const char *name, sfm_error *error) {
  return cli_fail(error, SFM_IO, "cannot read %s: %s", name, strerror(errno));
}

static sfm_status read_all(file_bytes *out, int descriptor, sfm_error *error) {
  size_t capacity = 1 << 16, length = 0;
  char *data = malloc(capacity);
  while (data) {
    ssize_t got = read(descriptor, data + length, capacity - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      free(data);
      return cannot_read(out->name, error);
    }
    if (got == 0) break;
    length += (size_t)got;
    if (length < capacity) continue;
    char *larger = realloc(data, capacity *= 2);
    if (!larger) free(data);
    data = larger;
  }
  if (!data) return cli_fail_memory(error);
  out->data = data;
  out->length = length;
  return SFM_OK;
}

sfm_status file_load(file_bytes *out, const char *path, sfm_error *error) {
  struct stat about;
  sfm_status status;
  if (strcmp(path, "-") == 0) {
    *out = (file_bytes){.name = "standard input"};
    return read_all(out, STDIN_FILENO, error);
  }
  *out = (file_bytes){.name = path};
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return cli_misuse(error, "cannot open %s: %s", path, strerror(errno));
  if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
    void *map = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    out->mapped = map != MAP_FAILED;
    out->data = out->mapped ? map : NULL;
    out->length = (size_t)about.st_size;
    status = out->mapped ? SFM_OK : cannot_read(path, error);
  } else
    status = read_all(out, descriptor, error);
  close(descriptor);
  return status;
}

void file_clear(file_bytes *bytes) {
  union {
    const char *borrowed;
    void *owned;
  } data = {bytes->data};
  if (bytes->mapped)
    munmap(data.owned, bytes->length);
  else
    free(data.owned);
  *bytes = (file_bytes){0};
}
