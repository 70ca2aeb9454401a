/* frontier.h - whether points of a machine are within its domain, where a point beyond it is to be
 * refused and not clamped. */
#ifndef SFMI_FRONTIER_H
#define SFMI_FRONTIER_H

#include "releases/learned.h"

/* Fails naming the first point that has a number beyond its bounds, none at all, or a category that
 * is not declared.  Points that are longer than the clip are within. */
SFM_MUST_CHECK sfm_status sfmi_points_check(const sfmi_encoding *encoding,
                                            const sfmi_points *points, sfm_error *error);

#endif
