/* projection.h - the nearest function that a density can be, in the sum of squares with positive
 * weights: over all g with g >= 0, or with sum w g = 1 or <= 1, or both. */
#ifndef SFMI_PROJECTION_H
#define SFMI_PROJECTION_H

#include <stdbool.h>

#include "base/system/status.h"

/* What is known of the integral sum w g. */
typedef enum sfmi_integral_condition {
  SFMI_INTEGRAL_CONDITION_ANY,
  SFMI_INTEGRAL_CONDITION_ONE,
  SFMI_INTEGRAL_CONDITION_AT_MOST_ONE,
} sfmi_integral_condition;

/* Replaces values by their projection.  With both it is max(f - tau, 0), tau by water filling:
 * exact, by sorting; tau = 0 where the integral is at most one without it.  What is such a function
 * already is left as it is, bit by bit. */
SFM_MUST_CHECK sfm_status sfmi_project(double *values, const double *weights, size_t count,
                                       bool nonnegative, sfmi_integral_condition known,
                                       sfm_error *error);

/* Replaces values by the nearest sequence, in the sum of squares, that never falls (direction 1) or
 * never rises (-1): isotonic regression.  Pools adjacent violators, in linear time; the sum stays
 * what it was. */
SFM_MUST_CHECK sfm_status sfmi_isotonic(double *values, size_t count, int direction,
                                        sfm_error *error);

#endif
