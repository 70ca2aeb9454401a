/* libsvm_points.h - public points of libsvm text, by the library's reader of rows.  A plan that can
 * read no rows is built without it (tests/tools/check_plan_isolation). */
#ifndef CLI_LIBSVM_POINTS_H
#define CLI_LIBSVM_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include "sfumato/status.h"

/* All points of a file; their labels are not kept.  Point p has the coordinates indices[i] with
 * values[i], i from starts[p] up to starts[p + 1].  The caller frees the arrays with sfm_free. */
SFM_MUST_CHECK sfm_status libsvm_points_read(size_t **starts, uint32_t **indices, double **values,
                                             size_t *count, const char *path, size_t dimension,
                                             sfm_error *error);

#endif
