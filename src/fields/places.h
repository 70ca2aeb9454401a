/* places.h - the places at which a process is drawn: a list of points, or a regular grid. */
#ifndef SFMI_PLACES_H
#define SFMI_PLACES_H

#include "features/kernels/kernel.h"

/* Most places of a batch. */
#define SFMI_PLACES_MAX ((size_t)1 << 24)

/* A list of points, or a regular grid with both bounds, the last axis fastest. */
typedef struct sfmi_places {
  size_t dimension;
  size_t count;
  const double *points;             /* count x dimension, borrowed; NULL: a grid */
  size_t counts[SFM_MAX_DIMENSION]; /* of a grid, >= 2 each; their product is count */
  double lower[SFM_MAX_DIMENSION], upper[SFM_MAX_DIMENSION];
} sfmi_places;

/* Whether the places are finite, distinct if they are a grid, not too many, and of the kernel's
 * dimension. */
SFM_MUST_CHECK sfm_status sfmi_places_check(const sfmi_places *places, const sfm_kernel *kernel,
                                            sfm_error *error);

/* The i-th place. */
void sfmi_places_at(const sfmi_places *places, size_t i, double *point);

#endif
