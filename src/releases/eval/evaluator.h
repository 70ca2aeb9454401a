/* evaluator.h - evaluation that does not depend on what else is asked. */
#ifndef SFMI_EVALUATOR_H
#define SFMI_EVALUATOR_H

#include "sfumato/release.h"

/* As sfm_evaluator_at of a function that is not values at places, for points within the bounds; but
 * always in the same way (tables where there are some), so that a point has the same value, bit for
 * bit, alone and among others.  sfm_evaluator_at takes the exact sum for a few points. */
void sfmi_evaluator_at_reproducible(const sfm_evaluator *evaluator, double *values,
                                    const double *points, size_t count);

#endif
