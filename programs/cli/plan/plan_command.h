/* plan_command.h - the command line that makes the choice a plan found: what was asked, word for
 * word, and what was chosen. */
#ifndef CLI_PLAN_COMMAND_H
#define CLI_PLAN_COMMAND_H

#include "plan_report.h"

/* The command that makes the choice of an entry; the caller frees it. */
SFM_MUST_CHECK sfm_status plan_command_text(char **out, const plan_request *p,
                                            const sfm_plan_entry *entry, sfm_error *error);
/* Whether there is an option of that name, and it was given, not as `auto`. */
bool plan_option_given(const plan_request *p, const char *name);
/* Whether it was, and is an option of the verb that makes the choice, too. */
bool plan_option_shared(const plan_request *p, const char *name);

#endif
