/* curve_columns.h - the columns of a table of curves, one curve per record, and the points at which
 * they were measured.  All of it is public. */
#ifndef CLI_CURVE_COLUMNS_H
#define CLI_CURVE_COLUMNS_H

#include "cli/core/options.h"
#include "cli/core/text.h"

#define CLI_OPTION_CURVE_COLUMNS(fallback)                                                         \
  {                                                                                                \
    "columns", "A-B|NAMES",                                                                        \
        "the columns that hold the values of a curve, in the order of the grid: the A-th to the "  \
        "B-th, counted from 1, or their names, separated by commas (h1..h24 stands for h1, h2, "   \
        "..., h24)",                                                                               \
        fallback, 0                                                                                \
  }
#define CLI_OPTION_CURVE_GRID(fallback)                                                            \
  {                                                                                                \
    "grid", "A:B|@FILE",                                                                           \
        "where the values were measured: at evenly spaced points from A to B, both included, or "  \
        "at the numbers in a file (one per line, or separated by commas), in ascending order, "    \
        "one per column",                                                                          \
        fallback, 0                                                                                \
  }

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
