/* grid_density.h - a density as values on a regular grid over its bounds (both included),
 * multilinear in between: what a refined release is, and what samples are drawn from.
 *
 * The integral of such a function is the sum of its values times the trapezoid rule's weights,
 * exactly: it is a sum of tents, one per point of the grid, as high as the value there. */
#ifndef SFMI_GRID_DENSITY_H
#define SFMI_GRID_DENSITY_H

#include "releases/core/release_data.h"

/* The grid that is fine enough for a density: 8 points per bandwidth (32 if there is one column),
 * but not too many in all.  Refuses more columns than there are grids for, and bandwidths that the
 * finest grid would miss. */
SFM_MUST_CHECK sfm_status sfmi_grid_density_choose(sfmi_places *grid, const sfm_release *release,
                                                   sfm_error *error);

/* values[i] = f at the i-th point of the grid; the two ends of a periodic column are equal. */
SFM_MUST_CHECK sfm_status sfmi_grid_density_fill(double *values, const sfmi_places *grid,
                                                 const sfm_evaluator *evaluator,
                                                 const sfm_release *release, sfm_error *error);

/* Refuses values that are not numbers, or too large to be squared and added up;
 * sfmi_grid_density_fill does so too. */
SFM_MUST_CHECK sfm_status sfmi_grid_density_check(const double *values, size_t count,
                                                  sfm_error *error);

/* A release like this one that is to be values on the grid, all zero yet, for every group: without
 * a band, with the same guarantee and sentence. */
SFM_MUST_CHECK sfm_status sfmi_grid_density_create(sfm_release **out, const sfm_release *release,
                                                   const sfmi_places *grid, sfm_error *error);

/* The value at x, NaN outside the bounds. */
double sfmi_grid_density_at(const sfmi_places *grid, const double *values, const double *x);

/* weights[i]: the integral of the tent at the i-th point. */
void sfmi_grid_density_weights(const sfmi_places *grid, double *weights);

#endif
