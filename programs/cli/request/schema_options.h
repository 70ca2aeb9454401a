/* schema_options.h - what is public about a table, from options, a schema file or both. */
#ifndef CLI_SCHEMA_OPTIONS_H
#define CLI_SCHEMA_OPTIONS_H

#include "cli/core/options.h"
#include "sfumato/schema.h"
#include "cli/core/text.h"

extern const cli_option option_columns, option_bounds;
/* Both of a person; the same after --neighbours; of columns; and these in the order of a plan. */
extern const cli_option options_people[], options_neighbours[], options_columns[],
    options_plan_columns[];

typedef struct schema_options {
  sfm_schema *schema;
  text_list columns; /* as named by --columns, each with bounds in the schema */
} schema_options;

/* Reads --columns, --bounds and what schema_options_load reads.  A plan need not name its columns:
 * they are then as many as --bounds has pairs, and called x, y, z, or x1, x2, ...  Opens no rows.
 * Clear with schema_options_clear, also after a failure. */
SFM_MUST_CHECK sfm_status schema_options_read(schema_options *out, const cli_options *options,
                                              sfm_error *error);
void schema_options_clear(schema_options *f);

/* Only the schema: --schema and, where the verb has them, --person, --contributions, --neighbours.
 * The caller owns it, also after a failure. */
SFM_MUST_CHECK sfm_status schema_options_load(sfm_schema **schema, const cli_options *options,
                                              sfm_error *error);
/* "A:B", two finite numbers in ascending order; messages name the option and, if it is not NULL,
 * the column.  And such a pair as the bounds of a column. */
SFM_MUST_CHECK sfm_status schema_options_pair(double *lower, double *upper, const char *text,
                                              const char *option, const char *column,
                                              sfm_error *error);
SFM_MUST_CHECK sfm_status schema_options_set_pair(sfm_schema *schema, const char *column,
                                                  const char *pair, const char *option,
                                                  sfm_error *error);
/* Reads --within, the outer limits of a column; without it the schema must have them. */
SFM_MUST_CHECK sfm_status schema_options_limits(sfm_schema *schema, const char *column,
                                                const cli_options *options, sfm_error *error);

#endif
