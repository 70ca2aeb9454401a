/* report.h - a release in words. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/core/options.h"
#include "sfumato/release.h"

/* Of verbs that write a release: the file, and its summary on standard output. */
#define CLI_OPTION_RELEASE                                                                         \
  { "output", "FILE", "the release to write, usually named *.sfm; - is standard output", NULL, 'o' }
#define CLI_OPTION_SUMMARY                                                                         \
  { "json", NULL, "after writing, print the summary (as show --json) on one line" }
/* Of verbs that print an answer. */
#define CLI_OPTION_ALSO_RELEASE                                                                    \
  {                                                                                                \
    "output", "FILE",                                                                              \
        "also write the release, usually named *.sfm; with - it goes to standard output and the "  \
        "answer is not printed. A ledger keeps the release in any case",                           \
        NULL, 'o'                                                                                  \
  }

/* What was released: "density", "series", "mean curve", "function" or "vector". */
const char *report_noun(const sfm_release *release);

/* Fails: the release is one answer, which `sfumato show` prints. */
SFM_MUST_CHECK sfm_status report_many(const sfm_release *release, sfm_error *error);
/* A JSON number or string as people read it. */
void report_scalar(char *buffer, size_t size, const json_t *value);
/* What the band of the release says, in words. */
void report_band(char *buffer, size_t size, const sfm_release *release);
/* Appends to a text, as sentences: what the band says; or, of a refined release, what was done to
 * it, and that there is no band. */
void report_error(char *buffer, size_t size, const sfm_release *release);

/* What was done to a refined release: "shrunk, not negative, with integral one". */
void report_refinement(char *buffer, size_t size, const sfm_release *release);

/* "age" or "lon, lat". */
void report_columns(char *buffer, size_t size, const sfm_release *release);

/* " by sex, region, 8 groups", or nothing. */
void report_groups(char *buffer, size_t size, const sfm_release *release);

/* After a release was written to path: what it is, its guarantee, its band.  predicted is a line of
 * its own, or NULL. */
void report_written(FILE *out, const sfm_release *release, const char *path, const char *predicted);
/* The same of a refined release. */
void report_refined(FILE *out, const sfm_release *release, const char *path);
/* That no ledger was charged.  random_dp: under random differential privacy none can be. */
void report_uncharged(FILE *out, bool random_dp);
/* After an answer was printed: that it was also written to path; nothing when it was not (NULL) or
 * was printed itself ("-"). */
void report_shown(FILE *out, const char *path);
/* The last line, behind what a verb has to add: what to do next. */
void report_next(FILE *out, const sfm_release *release, const char *path);

/* Of a verb that writes a release: fails when -o is missing or cannot be written (example is what
 * to write instead), and when --json would share standard output with it. */
SFM_MUST_CHECK sfm_status report_check_output(const cli_options *options, const char *example,
                                              sfm_error *error);
/* Prints the summary on one line when --json is given. */
SFM_MUST_CHECK sfm_status report_summary(const sfm_release *release, const cli_options *options,
                                         sfm_error *error);

/* The warning that a seeded run protects nobody. */
void report_seeded(FILE *out, const char *verb);

#endif
