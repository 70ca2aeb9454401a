/* multiples.h - a release by groups as small multiples: one panel a group, all on one scale. */
#ifndef CLI_MULTIPLES_H
#define CLI_MULTIPLES_H

#include "options.h"
#include "sfumato/release.h"

/* Draws the groups that --group names, or all, to -o or onto the terminal.  The release, of one or
 * two variables, is by groups. */
SFM_MUST_CHECK sfm_status multiples_draw(const sfm_release *release, const cli_options *options,
                                         sfm_error *error);

#endif
