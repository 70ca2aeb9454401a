/* eval_machine.h - `sfumato eval` of a machine. */
#ifndef CLI_EVAL_MACHINE_H
#define CLI_EVAL_MACHINE_H

#include "cli/core/options.h"
#include "sfumato/release.h"

/* format: as the verb numbers it. */
SFM_MUST_CHECK sfm_status eval_machine(const sfm_release *release, const cli_options *options,
                                       unsigned format, sfm_error *error);

#endif
