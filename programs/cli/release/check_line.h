/* check_line.h - what a releasing verb's own line would read of the rows, for the owner: as
 * `sfumato check -- VERB ...`, and as --check of the verb, which asks before it releases. */
#ifndef CLI_CHECK_LINE_H
#define CLI_CHECK_LINE_H

#include "check_report.h"
#include "release_command.h"

/* The line that options have after `--`. */
SFM_MUST_CHECK sfm_status check_line_run(check_view *view, const cli_options *options,
                                         sfm_error *error);

/* Where --check is given: fails unless the owner can be asked, and there are rows to look at. */
SFM_MUST_CHECK sfm_status check_line_allowed(const cli_options *options, sfm_error *error);
/* Where --check is given: shows what the task would read, and asks.  *goes_on becomes the
 * answer.  Before the charge is in the context. */
SFM_MUST_CHECK sfm_status check_line_ask(bool *goes_on, release_task *task, sfm_error *error);

#endif
