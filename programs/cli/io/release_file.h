/* release_file.h - releases that verbs read: within the limits of a file of unknown origin, or
 * without them (docs/format.md). */
#ifndef CLI_RELEASE_FILE_H
#define CLI_RELEASE_FILE_H

#include "cli/core/options.h"
#include "sfumato/release.h"

extern const cli_option option_large;
#define CLI_OPTION_LARGE CLI_SAME(large)

/* Of a verb that declares the option above. */
SFM_MUST_CHECK sfm_status release_file_read(sfm_release **out, const cli_options *options,
                                            const char *path, sfm_error *error);

#endif
