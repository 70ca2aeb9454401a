/* column_bounds.h - the public bounds of a column, or a message that asks for them. */
#ifndef SFMI_COLUMN_BOUNDS_H
#define SFMI_COLUMN_BOUNDS_H

#include "base/system/status.h"
#include "sfumato/schema.h"

/* Refuses a column without bounds, or with bounds whose difference is not a double.  place: of the
 * column, from 1, for the message. */
SFM_MUST_CHECK sfm_status sfmi_column_bounds(double *lower, double *upper, const sfm_schema *schema,
                                             const char *name, size_t place, sfm_error *error);

#endif
