#include "file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/core/options.h"
#include "cli/core/text.h"

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
  if (descriptor < 0)
    return cli_fail(error, SFM_INVALID, "cannot open %s: %s", path, strerror(errno));
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

bool csv_next_line(const file_bytes *bytes, size_t *offset, csv_line *line) {
  if (*offset == 0 && bytes->length >= 3 && memcmp(bytes->data, "\xEF\xBB\xBF", 3) == 0)
    *offset = 3;
  if (*offset >= bytes->length) return false;
  line->at = bytes->data + *offset;
  const char *newline = memchr(line->at, '\n', bytes->length - *offset);
  line->end = newline ? newline : bytes->data + bytes->length;
  *offset = (size_t)(line->end - bytes->data) + 1;
  if (line->end > line->at && line->end[-1] == '\r') line->end--;
  return true;
}

bool csv_next_record(const file_bytes *bytes, size_t *offset, csv_line *line) {
  const bool ended =
      *offset < bytes->length && memchr(bytes->data + *offset, '\n', bytes->length - *offset);
  return ended && csv_next_line(bytes, offset, line);
}

bool csv_next_cell(csv_line *line, char *buffer, size_t size) {
  size_t length = 0, kept = 0;
  bool quoted = false, started = false, fits = true;
  const char *at = line->at;
  if (!at || at > line->end) return false;
  for (; at < line->end && (quoted || *at != ','); at++) {
    bool quote = *at == '"';
    bool twice = quote && quoted && at + 1 < line->end && at[1] == '"';
    if (quote && !twice) {
      quoted = !quoted;
      started = true;
      continue;
    }
    if (twice) at++;
    bool blank = !quoted && (*at == ' ' || *at == '\t');
    if (blank && !started) continue;
    started = true;
    if (*at && length + 1 < size)
      buffer[length++] = *at;
    else if (!blank)
      fits = false;
    if (!blank) kept = length;
  }
  buffer[fits ? kept : 0] = 0;
  line->at = at + 1; /* beyond end: used up */
  return true;
}

enum { LONGEST_NAME = 1024 };

long csv_find(csv_line header, const char *name) {
  char cell[LONGEST_NAME];
  for (long i = 0; csv_next_cell(&header, cell, sizeof cell); i++)
    if (strcmp(cell, name) == 0) return i;
  return -1;
}

size_t csv_count_cells(csv_line line) {
  char cell[LONGEST_NAME];
  size_t count = 0;
  while (csv_next_cell(&line, cell, sizeof cell)) count++;
  return count;
}

bool csv_has_number(csv_line line) {
  char cell[LONGEST_NAME];
  double value;
  while (csv_next_cell(&line, cell, sizeof cell))
    if (text_number(&value, cell)) return true;
  return false;
}
