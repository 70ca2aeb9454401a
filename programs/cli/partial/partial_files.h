/* partial_files.h - the files of partial sums that a command names, read and merged one at a time:
 * memory holds two of them, however many there are. */
#ifndef CLI_PARTIAL_FILES_H
#define CLI_PARTIAL_FILES_H

#include "cli/core/options.h"
#include "sfumato/partial.h"

/* Of verbs that release sums: the parts instead of rows, and what may be stated of them again. */
extern const cli_option options_partials[];
/* Of a verb that needs rows: why there is no --partials. */
extern const cli_option options_no_partials[];
/* -o of a verb that writes a part. */
extern const cli_option option_part_output;

/* Merges the parts that a pattern names into *merged, which is NULL before the first.  Messages
 * name the file.  The caller destroys it, also after a failure. */
SFM_MUST_CHECK sfm_status partial_files_merge(sfm_partial **merged, const char *pattern,
                                              sfm_error *error);

/* All of --partials, which agree with --rows and --job where these are given; likewise. */
SFM_MUST_CHECK sfm_status partial_files_read(sfm_partial **merged, const cli_options *options,
                                             sfm_error *error);
/* --rows or --job without --partials. */
SFM_MUST_CHECK sfm_status partial_files_check(const cli_options *options, sfm_error *error);

/* Whether -o can be a new private file: found out before rows or parts are read. */
SFM_MUST_CHECK sfm_status partial_files_check_output(const cli_options *options, sfm_error *error);
/* sfm_partial_write, which no signal cuts short. */
SFM_MUST_CHECK sfm_status partial_files_write(const sfm_partial *partial, const char *path,
                                              sfm_error *error);

#endif
