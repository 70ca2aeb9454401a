/* boundary_option.h - --boundary: what a density does at the bounds of its columns. */
#ifndef CLI_BOUNDARY_OPTION_H
#define CLI_BOUNDARY_OPTION_H

#include "cli/core/options.h"
#include "sfumato/density.h"

#define CLI_OPTION_BOUNDARY                                                                        \
  {                                                                                                \
    "boundary", "open|reflect|periodic[:PERIOD][,...]",                                            \
        "what smoothing does at the bounds, one word for all columns or one per column. open: "    \
        "what extends beyond a bound is cut off; reflect (lattice only): it is folded back, for "  \
        "ages and amounts that end at the bound; periodic (lattice, fourier-laplace, "             \
        "caratheodory): it continues at the other bound, for hours and directions; with a "        \
        "PERIOD, which must divide the width of the bounds, values are taken modulo PERIOD",       \
        "open", 0                                                                                  \
  }

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
