/* kept_margins.h - the nearest table, in the sum of squares, with nothing below zero, a given
 * total, and one-way margins (the sums of each column's categories over all other columns) that are
 * those of the table, or of these the nearest with nothing below zero and the total.
 *
 * Counts of a margin are sums over so many cells that their noise is small beside them, and nothing
 * moves them one way.  Without this condition, taking away what is below zero moves every margin
 * towards equal shares, far where most cells are empty (docs/proofs/tables.md). */
#ifndef SFMI_KEPT_MARGINS_H
#define SFMI_KEPT_MARGINS_H

#include "releases/kinds/histogram_cells.h"

/* Of one dense table; total above 0.  A table that is so already stays as it is, bit by bit. */
SFM_MUST_CHECK sfm_status sfmi_keep_margins(double *values, const sfmi_cells *cells, double total,
                                            sfm_error *error);

/* What that takes. */
sfmi_resources sfmi_kept_margins_resources(const sfm_release *release);

#endif
