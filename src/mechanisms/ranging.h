/* ranging.h - the parts of a range that the audit repeats many times. */
#ifndef SFMI_RANGING_H
#define SFMI_RANGING_H

#include "data/intake.h"
#include "planner/survey.h"
#include "random/exponential.h"

/* The rate of every quantile's draw.  Opens no rows, so it also refuses before they are. */
SFM_MUST_CHECK sfm_status sfmi_ranging_rates(sfmi_rate *rates, const sfmi_survey *survey,
                                             sfm_error *error);

/* Reads the rows into the grid's cells.  PRIVATE; the caller clears them (sfmi_ranks_clear). */
SFM_MUST_CHECK sfm_status sfmi_ranging_read(sfmi_ranks *ranks, sfm_rows *rows,
                                            const sfm_range_settings *settings, sfm_error *error);

/* Draws a cell for every quantile, and sorts them: what is released. */
void sfmi_ranging_draw(int64_t *values, const sfmi_survey *survey, const sfmi_rate *rates,
                       const sfmi_ranks *ranks, sfmi_stream *stream);

#endif
