/* range_release.h - the parts of a range that the audit repeats many times. */
#ifndef SFMI_RANGE_RELEASE_H
#define SFMI_RANGE_RELEASE_H

#include "data/rows/rows.h"
#include "planner/design/design_range.h"
#include "random/exponential_mechanism.h"

/* The rate of every quantile's draw.  Opens no rows, so it also refuses before they are. */
SFM_MUST_CHECK sfm_status sfmi_range_rates(sfmi_dyadic_rate *rates,
                                           const sfmi_design_range *range_design, sfm_error *error);

/* Reads the rows into the grid's cells.  PRIVATE; the caller clears them (sfmi_ranks_clear). */
SFM_MUST_CHECK sfm_status sfmi_range_read(sfmi_ranks *ranks, sfm_rows *rows,
                                          const sfm_range_settings *settings, sfm_error *error);

/* Draws a cell for every quantile, and sorts them: what is released. */
void sfmi_range_draw(int64_t *values, const sfmi_design_range *range_design,
                     const sfmi_dyadic_rate *rates, const sfmi_ranks *ranks, sfmi_stream *stream);

#endif
