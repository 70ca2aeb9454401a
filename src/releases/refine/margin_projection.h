/* margin_projection.h - margins made to agree: the nearest numbers, in the sum of squares, that are
 * margins of one table, whose cells may be negative and need not exist anywhere.
 *
 * Along a column of k categories take the sum and k - 1 orthonormal contrasts (Helmert's) as
 * coordinates.  The coordinate of a margin M for contrasts in the columns S (a part of M) and sums
 * in the rest depends on the table alone, not on M: it is the same for every margin that has S.  So
 * margins agree exactly when these coordinates do, and the nearest that agree have, for each
 * coordinate, the mean over the margins that have it, weighted by one over the number of their
 * cells (the squared length of the coordinate's vector in M is that number over that of S): closed
 * form, in time linear in the cells, and the least-squares estimate where all cells have noise of
 * one variance (docs/proofs/tables.md). */
#ifndef SFMI_MARGIN_PROJECTION_H
#define SFMI_MARGIN_PROJECTION_H

#include "releases/kinds/histogram_cells.h"

typedef struct sfmi_margin_projection sfmi_margin_projection;

/* Of the margins of a dense table, which is borrowed. */
SFM_MUST_CHECK sfm_status sfmi_margin_projection_create(sfmi_margin_projection **out,
                                                        const sfmi_cells *cells, sfm_error *error);
void sfmi_margin_projection_destroy(sfmi_margin_projection *projection);

/* Replaces the cells of all margins by the nearest that agree; with a total (not NULL), that have
 * it. */
void sfmi_margin_projection_apply(sfmi_margin_projection *projection, double *values,
                                  const double *total);

/* The same with nothing below zero: the limit of a dual gradient ascent, to a relative change of
 * 1e-12 or within the work that is sensible.  In any case the result is not negative, and agrees to
 * a billionth of the largest count. */
SFM_MUST_CHECK sfm_status sfmi_margin_projection_apply_nonnegative(
    sfmi_margin_projection *projection, double *values, const double *total, sfm_error *error);

/* What it takes to refine a table, its margins made to agree (consistent) or not. */
sfmi_resources sfmi_margin_projection_resources(const sfm_release *release, bool consistent);

#endif
