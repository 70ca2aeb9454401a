/* release_places.h - the places at which the values of a Gaussian process are released. */
#ifndef SFMI_RELEASE_PLACES_H
#define SFMI_RELEASE_PLACES_H

#include "fields/gaussian_field.h"

/* The places of a list (borrowed; NULL: none), else of a grid, else of the usual grid, which is for
 * up to three dimensions.  All of it is checked against the bounds. */
SFM_MUST_CHECK sfm_status sfmi_places_choose(sfmi_places *places, size_t dimension,
                                             const double *lower, const double *upper,
                                             const double *points, size_t count, const size_t *grid,
                                             sfm_error *error);

/* Whether K(x, x) keeps its bound at the places, where noise is shaped by it. */
SFM_MUST_CHECK sfm_status sfmi_places_bounded(const sfmi_places *places, const sfm_kernel *kernel,
                                              sfm_error *error);

#endif
