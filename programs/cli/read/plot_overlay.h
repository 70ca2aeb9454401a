/* plot_overlay.h - --overlay: curves side by side, or in one plot. */
#ifndef CLI_PLOT_OVERLAY_H
#define CLI_PLOT_OVERLAY_H

#include "cli/core/options.h"
#include "draw/draw.h"

extern const cli_option option_overlay;

/* Whether the panels of the figure are to be drawn in one plot; fails where they cannot be. */
SFM_MUST_CHECK sfm_status plot_overlay_read(bool *overlaid, const draw_figure *figure,
                                            const cli_options *options, sfm_error *error);

#endif
