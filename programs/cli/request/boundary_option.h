/* boundary_option.h - --boundary: what a density does at the bounds of its columns. */
#ifndef CLI_BOUNDARY_OPTION_H
#define CLI_BOUNDARY_OPTION_H

#include "cli/core/options.h"
#include "sfumato/density.h"

extern const cli_option option_boundary;

/* Room for what the settings borrow. */
typedef struct boundaries {
  sfm_boundary words[SFM_MAX_DIMENSION];
  double periods[SFM_MAX_DIMENSION];
} boundaries;

/* Reads --boundary into the settings, whose columns are known; they borrow room. */
SFM_MUST_CHECK sfm_status boundary_option_read(sfm_density_settings *settings, boundaries *room,
                                               const cli_options *options, sfm_error *error);

/* "hour is periodic, age reflects", of the columns that are not open; "" when all are. */
void boundary_option_text(char *buffer, size_t size, const sfm_release *release);

#endif
