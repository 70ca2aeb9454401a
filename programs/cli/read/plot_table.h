/* plot_table.h - `sfumato plot` of a table and of a vector, as bars. */
#ifndef CLI_PLOT_TABLE_H
#define CLI_PLOT_TABLE_H

#include "cli/core/options.h"
#include "sfumato/release.h"

SFM_MUST_CHECK sfm_status plot_table(const sfm_release *release, const cli_options *options,
                                     sfm_error *error);
/* A vector that keeps what its numbers are: a bar for each. */
SFM_MUST_CHECK sfm_status plot_vector_bars(const sfm_release *release, const char *path,
                                           sfm_error *error);

#endif
