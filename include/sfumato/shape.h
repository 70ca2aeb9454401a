/* shape.h - a public guess of the distribution of records within their bounds, for planning.  It
 * never comes from the rows.
 *
 * Predictions assume that the shape is true.  Privacy does not depend on it.  A release contains
 * nothing of it except the public parameters that were chosen for it. */
#ifndef SFUMATO_SHAPE_H
#define SFUMATO_SHAPE_H

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_shape sfm_shape;

/* Makes a shape from a text.  The shape of one column is "uniform" or "normal:MEAN:DEVIATION", or
 * several of these in equal parts, joined by "+".  For several columns, state one shape per column,
 * joined by ",", or one shape for all; columns are independent.  "@FILE" is a released density of
 * these columns in this order, for example of a pilot.  The shape is cut at the bounds and
 * normalised to integral one.  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_shape_parse(sfm_shape **out, const char *text,
                                                  size_t dimension, sfm_error *error);
/* Makes a shape from a released density of up to three columns.  Negative values are replaced by
 * zero.  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_shape_from_release(sfm_shape **out,
                                                         const sfm_release *release,
                                                         sfm_error *error);
SFM_API void sfm_shape_destroy(sfm_shape *shape);

#ifdef __cplusplus
}
#endif
#endif
