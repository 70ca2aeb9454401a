/* disclosure.h - files that are read beside the rows: which of them a release shows, and that none
 * of them is written over. */
#ifndef CLI_DISCLOSURE_H
#define CLI_DISCLOSURE_H

#include <stdio.h>

#include "options.h"
#include "sfumato/train.h"

/* Fails where a file of public points (--public, --places, --gram-public-public) is that of the
 * rows or of a private matrix.  Call it before such a file is read: messages quote what is public.
 */
SFM_MUST_CHECK sfm_status disclosure_check(const cli_options *options, const char *rows,
                                           sfm_error *error);

/* Fails where the file to write is one that an option names to be read. */
SFM_MUST_CHECK sfm_status disclosure_output(const cli_options *options, const char *path,
                                            sfm_error *error);

/* That the first `count` public points are in the release, and how many of them count as their
 * bounds; of places, that all are. */
void disclosure_say(FILE *out, const sfm_train_settings *settings, size_t count);

#endif
