/* shape.h - a public guess of how records are spread over their bounds: never the rows.
 *
 * Planning takes it for the truth; privacy does not depend on it, and what is released says nothing
 * of it but the public parameters chosen by it. */
#ifndef SFUMATO_SHAPE_H
#define SFUMATO_SHAPE_H

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_shape sfm_shape;

/* "uniform", "normal:MEAN:DEVIATION", several of them in equal parts joined by "+", one such word a
 * column joined by "," (one word for all columns), the columns independent; or "@FILE", a released
 * density of these columns in this order, such as a pilot's.  All of it is cut at the bounds, and
 * of integral one again.  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_shape_parse(sfm_shape **out, const char *text,
                                                  size_t dimension, sfm_error *error);
/* A released density of up to three variables; where it is negative it counts as zero. */
SFM_API SFM_MUST_CHECK sfm_status sfm_shape_from_release(sfm_shape **out,
                                                         const sfm_release *release,
                                                         sfm_error *error);
SFM_API void sfm_shape_destroy(sfm_shape *shape);

#ifdef __cplusplus
}
#endif
#endif
