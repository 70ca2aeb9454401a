#include "header_names.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "cli/io/csv_line.h"
#include "sfumato/files.h"
#include "sfumato/release.h"

enum { HEADER_MAX = 1 << 16, NAME_MAX_BYTES = 1024, RELEASE_MAX = 4 << 20 };

static void release_names(const char *path, void (*take)(void *, const char *), void *data) {
  sfm_release *release;
  sfm_error error;
  if (sfm_release_read(&release, path, &error)) return;
  for (size_t i = 0; i < sfm_release_dimension(release); i++) {
    const char *name = sfm_release_column(release, i);
    if (name) take(data, name);
  }
  sfm_release_destroy(release);
}

static void matrix_names(const char *start, size_t length, void (*take)(void *, const char *),
                         void *data) {
  sfm_npy npy;
  sfm_error error;
  if (sfm_npy_parse(&npy, start, length, "matrix", &error)) return;
  for (uint64_t i = 0; i < npy.lengths[1] && i < 1000; i++) {
    char name[24];
    snprintf(name, sizeof name, "%llu", (unsigned long long)i);
    take(data, name);
  }
}

/* Whether a line looks like names.  What may be a record is not shown: a line with numbers or
 * dates, with line ends of another kind in it, or whose cells are not separated by commas. */
static bool has_names(csv_line line, const char *start, size_t length) {
  char name[NAME_MAX_BYTES];
  size_t cells = 0;
  for (size_t i = 0; i < length; i++)
    if (iscntrl((unsigned char)start[i]) && !(start[i] == '\r' && i + 1 == length)) return false;
  if (csv_has_number(line)) return false;
  for (; csv_next_cell(&line, name, sizeof name); cells++)
    if (isdigit((unsigned char)name[0])) return false;
  return cells > 1 || !memchr(start, ';', length);
}

static void line_names(const char *start, size_t length, void (*take)(void *, const char *),
                       void *data) {
  const file_bytes bytes = {.data = start, .length = length};
  size_t offset = 0;
  csv_line line;
  char name[NAME_MAX_BYTES];
  const char *end = memchr(start, '\n', length);
  if (!end || memchr(start, 0, length) || !csv_next_line(&bytes, &offset, &line)) return;
  if (!has_names(line, start, (size_t)(end - start))) return;
  while (csv_next_cell(&line, name, sizeof name)) take(data, name);
}

void header_names(const char *path, void (*take)(void *data, const char *name), void *data) {
  struct stat info;
  /* Files of the kernel have no size, and may never answer. */
  if (stat(path, &info) || !S_ISREG(info.st_mode) || info.st_size == 0) return;
  const gzFile file = gzopen(path, "rb"); /* reads plain files as they are */
  if (!file) return;
  static char start[HEADER_MAX];
  const int got = gzread(file, start, sizeof start);
  gzclose(file);
  if (got <= 0) return;
  if (start[0] == '{') {
    if (info.st_size <= RELEASE_MAX) release_names(path, take, data);
  } else if (got >= 6 && memcmp(start, "\x93NUMPY", 6) == 0) {
    matrix_names(start, (size_t)got, take, data);
  } else {
    line_names(start, (size_t)got, take, data);
  }
  explicit_bzero(start, sizeof start); /* records follow the header */
}
