/* plot_machine.h - `sfumato plot` of a machine. */
#ifndef CLI_PLOT_MACHINE_H
#define CLI_PLOT_MACHINE_H

#include "cli/core/options.h"
#include "sfumato/release.h"

SFM_MUST_CHECK sfm_status plot_machine(const sfm_release *release, const cli_options *options,
                                       sfm_error *error);

#endif
