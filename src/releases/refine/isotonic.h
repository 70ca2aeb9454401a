/* isotonic.h - the nearest sequence, in the sum of squares, that never falls (or never rises). */
#ifndef SFMI_ISOTONIC_H
#define SFMI_ISOTONIC_H

#include "base/system/status.h"

/* Replaces values by their isotonic regression: increasing for direction 1, decreasing for -1.
 * Pools adjacent violators, in linear time; the sum stays what it was. */
SFM_MUST_CHECK sfm_status sfmi_isotonic(double *values, size_t count, int direction,
                                        sfm_error *error);

#endif
