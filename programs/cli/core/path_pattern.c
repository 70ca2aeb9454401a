#include "path_pattern.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "options.h"

static sfm_status copy_paths(text_list *out, char *const *paths, size_t count, sfm_error *error) {
  size_t size = count * sizeof *out->items;
  for (size_t i = 0; i < count; i++) size += strlen(paths[i]) + 1;
  out->items = malloc(size);
  if (!out->items) return cli_fail_memory(error);
  char *to = (char *)(out->items + count);
  for (out->count = 0; out->count < count; out->count++) {
    const size_t length = strlen(paths[out->count]) + 1;
    memcpy(to, paths[out->count], length);
    out->items[out->count] = to;
    to += length;
  }
  return SFM_OK;
}

sfm_status path_pattern_list(text_list *paths, const char *pattern, sfm_error *error) {
  char *itself[] = {(char *)(uintptr_t)pattern};
  glob_t found = {0};
  struct stat facts;
  *paths = (text_list){0};
  if (lstat(pattern, &facts) == 0) return copy_paths(paths, itself, 1, error);
  const int code = glob(pattern, GLOB_ERR, NULL, &found);
  const int reason = errno;
  sfm_status status;
  if (code == 0)
    status = copy_paths(paths, found.gl_pathv, found.gl_pathc, error);
  else if (code == GLOB_NOSPACE)
    status = cli_fail_memory(error);
  else if (code == GLOB_NOMATCH)
    status = cli_misuse(error, "there is no file '%.300s'", pattern);
  else
    status = cli_misuse(error, "cannot look for files '%.300s': %s", pattern, strerror(reason));
  globfree(&found);
  return status;
}
