/* output.h - where results go: standard output, or a file that appears whole or not at all. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "sfumato/release.h"

/* Fails, before any work is done, when path cannot become a file: its folder is missing or not
 * writable, or something that is not a regular file stands there; or when it is the very file that
 * is read (input may be NULL).  "-" is always fine. */
SFM_MUST_CHECK sfm_status output_check(const char *path, const char *input, sfm_error *error);

/* Whether path leads to the file that other is about, by whatever name; "-" is standard input.
 * Looks, but opens nothing. */
bool output_same_file(const char *path, const struct stat *other);
/* Whether both name the same last part of the same folder, be a file there or not. */
bool output_same_place(const char *path, const char *other);
/* Whether path is where SQLite's journal of a database stands, links followed: nothing must take
 * its place. */
bool output_is_journal(const char *path, const char *database);

typedef struct output {
  FILE *file;
  const char *path; /* NULL: standard output */
  char *temporary;
} output;

/* path NULL or "-": standard output. */
SFM_MUST_CHECK sfm_status output_open(output *out, const char *path, sfm_error *error);
/* Flushes, syncs and renames into place; on failure nothing stays behind. */
SFM_MUST_CHECK sfm_status output_close(output *out, sfm_error *error);
/* Forgets what was written.  Fine after output_close. */
void output_abandon(output *out);

/* sfm_release_write, which no signal cuts short: nothing half-written stays beside the file. */
SFM_MUST_CHECK sfm_status output_release(const sfm_release *release, const char *path,
                                         sfm_error *error);

/* The shortest text that is read back as the number, without a detour through the locale; NaN and
 * infinities as `special`. */
void output_number(FILE *file, double value, const char *special);

#endif
