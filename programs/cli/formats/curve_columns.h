/* curve_columns.h - the columns of a table of curves, one curve per record, and the points at which
 * they were measured.  All of it is public. */
#ifndef CLI_CURVE_COLUMNS_H
#define CLI_CURVE_COLUMNS_H

#include "cli/core/options.h"
#include "cli/core/text.h"

extern const cli_option option_curve_columns, option_curve_grid;
#define CLI_OPTION_CURVE_COLUMNS(usual)                                                            \
  { .same = &option_curve_columns, .fallback = usual }
#define CLI_OPTION_CURVE_GRID(usual)                                                               \
  { .same = &option_curve_grid, .fallback = usual }

typedef struct curve_columns {
  text_list names; /* empty: by place, */
  size_t first;    /* from 0 */
  size_t count;
  double *grid; /* count numbers, or NULL when no grid is given */
} curve_columns;

/* Reads --columns and --grid; without --columns the first `count` columns are meant.  Clear also
 * after a failure. */
SFM_MUST_CHECK sfm_status curve_columns_read(curve_columns *w, const cli_options *options,
                                             size_t count, sfm_error *error);
/* The same for a plan: without --columns there are as many as the grid has points, and it may be
 * A:B:N. */
SFM_MUST_CHECK sfm_status curve_columns_plan(curve_columns *w, const cli_options *options,
                                             sfm_error *error);
void curve_columns_clear(curve_columns *w);

#endif
