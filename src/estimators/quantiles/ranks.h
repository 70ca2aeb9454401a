/* ranks.h - how many rows lie in each cell of a public grid, and how far a cell is from holding a
 * quantile.
 *
 * The grid: multiples k step of a power of two within the limits, k = first .. first + cells - 1. A
 * row x is in the cell of the largest multiple that is not above x (of the first one, if all are
 * above).  With m kept rows, L of them in earlier cells and U in this and earlier ones, the loss of
 * a cell for the quantile p/q is
 *
 *     max(0, q L - p m, p m - q U),
 *
 * an integer: q times the number of rows by which the rank p m / q misses [L, U].  It is 0 for some
 * cell.  A row that is added moves it by at most max(p, q - p), one that is replaced (by another
 * row, or by none) by at most q: docs/proofs/selection.md. */
#ifndef SFMI_RANKS_H
#define SFMI_RANKS_H

#include <stdbool.h>

#include "base/system/status.h"
#include "data/batch/row_batch.h"
#include "sfumato/noise.h"

/* Most cells. */
#define SFMI_RANKS_MAX ((size_t)1 << 24)
/* Quantiles are ratios 0 < p/q < 1 with q at most this. */
#define SFMI_QUANTILE_UNITS 1000000

typedef struct sfmi_ranks {
  double step;
  int64_t first;
  size_t cells;
  uint64_t *below; /* below[i]: rows in cells up to i, once sfmi_ranks_add_up was called */
} sfmi_ranks;

/* The multiples of step within lower and upper; false when there are fewer than 2, more than
 * SFMI_RANKS_MAX, or such that doubles cannot hold them.  No counts yet. */
bool sfmi_ranks_grid(sfmi_ranks *ranks, double lower, double upper, double step);

/* Room for the counts, wiped and freed by the second. */
SFM_MUST_CHECK sfm_status sfmi_ranks_alloc(sfmi_ranks *ranks, sfm_error *error);
void sfmi_ranks_clear(sfmi_ranks *ranks);

/* Counts the rows of a batch (its first column), and after the last one adds up. */
void sfmi_ranks_add(sfmi_ranks *ranks, const sfmi_batch *batch);
void sfmi_ranks_add_up(sfmi_ranks *ranks);

/* The loss of cell i, below 2^84. */
sfmi_u128 sfmi_ranks_loss(const sfmi_ranks *ranks, sfm_ratio quantile, size_t i);

#endif
