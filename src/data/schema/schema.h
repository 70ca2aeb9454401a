/* schema.h - building a schema (internal part of sfumato/schema.h). */
#ifndef SFMI_SCHEMA_H
#define SFMI_SCHEMA_H

#include "base/system/status.h"
#include "sfumato/schema.h"

#define SFMI_CONTRIBUTIONS_MAX 1000000

/* Adds a column without bounds or categories; its name must be new and not empty.  The schema owns
 * it; it stays where it is until the schema is destroyed. */
SFM_MUST_CHECK sfm_status sfmi_schema_add(sfm_schema *schema, sfm_column **out, const char *name,
                                          sfm_column_type type, sfm_error *error);

/* Gives the column room for count categories, all NULL, for the caller to fill with heap strings
 * that the schema frees. */
SFM_MUST_CHECK sfm_status sfmi_schema_add_categories(sfm_column *column, char ***categories,
                                                     size_t count, sfm_error *error);

/* A category that stands twice among a column's, or NULL (also when memory is short: then *status
 * is that). */
const char *sfmi_schema_repeated(const sfm_column *column, sfm_status *status, sfm_error *error);

/* The categories by which the column can make groups: those stated, or false and true of a boolean
 * column; *count is 0 when none are stated.  Borrowed from the column. */
const char *const *sfmi_column_categories(const sfm_column *column, size_t *count);

#endif
