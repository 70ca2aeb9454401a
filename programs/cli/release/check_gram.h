/* check_gram.h - Gram matrices, compared with what a release assumes of them. */
#ifndef CLI_CHECK_GRAM_H
#define CLI_CHECK_GRAM_H

#include "cli/core/options.h"
#include "sfumato/rows.h"

/* Prints what was found in them and in the rows with the labels; PRIVATE. */
SFM_MUST_CHECK sfm_status check_gram_compare(const cli_options *options, sfm_rows *rows,
                                             sfm_error *error);

#endif
