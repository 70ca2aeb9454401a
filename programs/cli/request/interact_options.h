/* interact_options.h - the options of an interactive session, and its plan in words. */
#ifndef CLI_INTERACT_OPTIONS_H
#define CLI_INTERACT_OPTIONS_H

#include <jansson.h>

#include "train_options.h"
#include "sfumato/interact.h"

/* What is learned; and what else there is to say. */
extern const cli_option options_interact_model[], options_interact[];

/* Reads these and the machine's.  settings borrows s, which is to be cleared also after a failure.
 * Opens no rows. */
SFM_MUST_CHECK sfm_status interact_options_read(sfm_interact_settings *settings, train_options *s,
                                                const cli_options *options, sfm_error *error);

/* What was planned, line by line; first of all whether one release would be better. */
void interact_plan_print(FILE *out, const sfm_interact_plan *plan, double confidence);
/* And as an object, of which the caller is the owner. */
json_t *interact_plan_json(const sfm_interact_plan *plan);

#endif
