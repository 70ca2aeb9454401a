/* wide.h - the columns of a wide table, one curve a record, and the points at which they were
 * measured.  All of it is public. */
#ifndef CLI_WIDE_H
#define CLI_WIDE_H

#include "options.h"
#include "text.h"

#define CLI_OPTION_CURVE_COLUMNS(fallback)                                                         \
  {                                                                                                \
    "columns", "A-B|NAMES",                                                                        \
        "the columns that hold a curve's values, in the order of the grid: the A-th to the B-th, " \
        "counted from 1, or their names, separated by commas (h1..h24 stands for h1, h2, ..., "    \
        "h24)",                                                                                    \
        fallback, 0                                                                                \
  }
#define CLI_OPTION_CURVE_GRID(fallback)                                                            \
  {                                                                                                \
    "grid", "A:B|@FILE",                                                                           \
        "where the values were measured: evenly from A to B, both included, or the numbers of a "  \
        "file (one a line, or separated by commas), in ascending order, as many as columns",       \
        fallback, 0                                                                                \
  }

typedef struct wide {
  text_list names; /* empty: by place, */
  size_t first;    /* from 0 */
  size_t count;
  double *grid; /* count numbers, or NULL when no grid is given */
} wide;

/* Reads --columns and --grid; without --columns the first `count` columns are meant.  Clear also
 * after a failure. */
SFM_MUST_CHECK sfm_status wide_read(wide *w, const cli_options *options, size_t count,
                                    sfm_error *error);
/* The same for a plan: without --columns there are as many as the grid has points, and it may be
 * A:B:N. */
SFM_MUST_CHECK sfm_status wide_plan(wide *w, const cli_options *options, sfm_error *error);
void wide_clear(wide *w);

#endif
