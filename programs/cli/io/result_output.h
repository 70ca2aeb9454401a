/* result_output.h - where results go: standard output, or a file that appears whole or not at all.
 */
#ifndef CLI_RESULT_OUTPUT_H
#define CLI_RESULT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "sfumato/files.h"
#include "sfumato/release.h"

typedef struct output {
  FILE *file;
  sfm_output *whole; /* NULL: standard output */
} output;

/* path NULL or "-": standard output. */
SFM_MUST_CHECK sfm_status output_open(output *out, const char *path, sfm_error *error);
/* Flushes, syncs and renames into place; on failure nothing stays behind. */
SFM_MUST_CHECK sfm_status output_close(output *out, sfm_error *error);
/* Forgets what was written.  Fine after output_close. */
void output_abandon(output *out);

/* Whether that is standard output; and fails where a binary format would be printed on a terminal.
 */
bool output_printed(const char *path);
SFM_MUST_CHECK sfm_status output_check_binary(const char *format, const char *path,
                                              sfm_error *error);

/* sfm_release_write, which no signal cuts short: nothing half-written stays beside the file. */
SFM_MUST_CHECK sfm_status output_release(const sfm_release *release, const char *path,
                                         sfm_error *error);

/* The shortest text that is read back as the number, without a detour through the locale; NaN and
 * infinities as `special`. */
void output_number(FILE *file, double value, const char *special);
/* The same in a CSV, with nan, inf and -inf. */
void output_csv_number(FILE *file, double value);

#endif
