/* check_gram.h - Gram matrices, compared with what a release assumes of them. */
#ifndef CLI_CHECK_GRAM_H
#define CLI_CHECK_GRAM_H

#include "cli/core/options.h"

/* Prints what was found; PRIVATE. */
SFM_MUST_CHECK sfm_status check_gram_run(const cli_options *options, sfm_error *error);

#endif
