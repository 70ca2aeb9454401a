/* plot_groups.h - a release by groups as small multiples: one panel a group, all on one scale. */
#ifndef CLI_PLOT_GROUPS_H
#define CLI_PLOT_GROUPS_H

#include "cli/core/options.h"
#include "sfumato/release.h"

/* Draws the groups that --group names, or all, to -o or onto the terminal.  The release, of one or
 * two variables, is by groups. */
SFM_MUST_CHECK sfm_status plot_groups_draw(const sfm_release *release, const cli_options *options,
                                           sfm_error *error);

#endif
