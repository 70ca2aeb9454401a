#include "result_output.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/core/options.h"
#include "cli/core/signals.h"

bool output_printed(const char *path) {
  return !path || strcmp(path, "-") == 0;
}

sfm_status output_check_binary(const char *format, const char *path, sfm_error *error) {
  if (!output_printed(path) || !isatty(STDOUT_FILENO)) return SFM_OK;
  return cli_misuse(
      error, "%s is binary and standard output is a terminal; write -o FILE or use a pipe", format);
}

sfm_status output_open(output *out, const char *path, sfm_error *error) {
  *out = (output){.file = stdout};
  if (output_printed(path)) return SFM_OK;
  signals_hold();
  const sfm_status status = sfm_output_begin(&out->whole, path, error);
  if (!status) signals_add_temporary(sfm_output_temporary(out->whole));
  signals_release();
  out->file = status ? NULL : sfm_output_stream(out->whole);
  return status;
}

/* The temporary file is gone, or has its own name, before a signal is served. */
static sfm_status finish(output *out, bool keep, sfm_error *error) {
  sfm_status status = SFM_OK;
  if (!out->whole) return SFM_OK;
  signals_hold();
  signals_forget_temporary(sfm_output_temporary(out->whole));
  if (keep)
    status = sfm_output_commit(out->whole, error);
  else
    sfm_output_abandon(out->whole);
  signals_release();
  *out = (output){0};
  return status;
}

sfm_status output_close(output *out, sfm_error *error) {
  if (out->whole) return finish(out, true, error);
  const bool bad = fflush(out->file) || ferror(out->file);
  out->file = NULL;
  return bad ? cli_fail(error, SFM_IO, "cannot write standard output: %s", strerror(errno))
             : SFM_OK;
}

void output_abandon(output *out) {
  (void)!finish(out, false, NULL);
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

void output_csv_number(FILE *file, double value) {
  output_number(file, value, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}
