#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/core/options.h"
#include "cli/core/signals.h"

/* The folder of path on the heap, "." when it names none. */
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return strdup(".");
  return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

/* A temporary file beside path, hidden, open for writing; a signal that ends the command removes
 * it. */
static int open_beside(char **temporary, const char *path) {
  char *folder = folder_of(path);
  *temporary = NULL;
  if (!folder || asprintf(temporary, "%s/.sfumato-XXXXXX", folder) < 0) *temporary = NULL;
  free(folder);
  if (!*temporary) {
    errno = ENOMEM;
    return -1;
  }
  signals_hold();
  int descriptor = mkstemp(*temporary);
  if (descriptor < 0) {
    free(*temporary);
    *temporary = NULL;
  } else {
    signals_add_temporary(*temporary);
  }
  signals_release();
  return descriptor;
}

/* Of a file that is gone, or has its own name. */
static void forget(char *temporary) {
  signals_forget_temporary(temporary);
  free(temporary);
}

static sfm_status cannot_write(const char *path, sfm_error *error) {
  return cli_fail(error, SFM_IO, "cannot write %s: %s", path, strerror(errno));
}

sfm_status output_open(output *out, const char *path, sfm_error *error) {
  *out = (output){.file = stdout};
  if (!path || strcmp(path, "-") == 0) return SFM_OK;
  /* Of a link, what it leads to is written. */
  char *target = realpath(path, NULL);
  if (!target) target = strdup(path);
  int descriptor = target ? open_beside(&out->temporary, target) : -1;
  if (descriptor < 0) {
    sfm_status status = cannot_write(path, error);
    free(target);
    *out = (output){0};
    return status;
  }
  mode_t mask = umask(0);
  umask(mask);
  out->path = target;
  out->file = fchmod(descriptor, 0666 & ~mask) == 0 ? fdopen(descriptor, "w") : NULL;
  if (out->file) return SFM_OK;
  sfm_status status = cannot_write(path, error);
  close(descriptor);
  output_abandon(out);
  return status;
}

static void sync_folder(const char *path) {
  char *folder = folder_of(path);
  int descriptor = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (descriptor >= 0) {
    (void)!fsync(descriptor);
    close(descriptor);
  }
  free(folder);
}

sfm_status output_close(output *out, sfm_error *error) {
  sfm_status status = SFM_OK;
  if (!out->path) {
    if (fflush(out->file) || ferror(out->file)) status = cannot_write("standard output", error);
    out->file = NULL;
    return status;
  }
  bool bad = ferror(out->file) || fflush(out->file) || fsync(fileno(out->file));
  if (bad) status = cannot_write(out->path, error);
  if (fclose(out->file) && !status) status = cannot_write(out->path, error);
  out->file = NULL;
  if (!status && rename(out->temporary, out->path)) status = cannot_write(out->path, error);
  if (!status) {
    forget(out->temporary);
    out->temporary = NULL;
    sync_folder(out->path);
  }
  output_abandon(out);
  return status;
}

void output_abandon(output *out) {
  if (out->path && out->file) fclose(out->file);
  if (out->temporary) {
    unlink(out->temporary);
    forget(out->temporary);
  }
  free(out->path);
  *out = (output){0};
}

sfm_status output_release(const sfm_release *release, const char *path, sfm_error *error) {
  const bool file = strcmp(path, "-") != 0; /* a pipe may wait for its reader for ever */
  if (file) signals_hold();
  const sfm_status status = sfm_release_write(release, path, error);
  if (file) signals_release();
  return status;
}

void output_number(FILE *file, double value, const char *special) {
  char text[40];
  if (!isfinite(value)) {
    fputs(special, file);
    return;
  }
  /* Zeros at the end are not written, so that fewer than 15 digits need no try of their own. */
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  fputs(text, file);
}
