/* plot_comparison.h - several releases of the same variables side by side, on one scale. */
#ifndef CLI_PLOT_COMPARISON_H
#define CLI_PLOT_COMPARISON_H

#include "cli/core/options.h"

/* Draws all releases that the command names, to -o or onto the terminal. */
SFM_MUST_CHECK sfm_status plot_comparison_draw(const cli_options *options, sfm_error *error);

#endif
