/* schema_options.h - what is public about a table, from options, a schema file or both. */
#ifndef CLI_SCHEMA_OPTIONS_H
#define CLI_SCHEMA_OPTIONS_H

#include "cli/core/options.h"
#include "sfumato/schema.h"
#include "cli/core/text.h"

extern const cli_option option_columns, option_bounds, option_person, option_contributions;

typedef struct schema_options {
  sfm_schema *schema;
  text_list columns; /* as named by --columns, each with bounds in the schema */
} schema_options;

/* Reads --columns, --bounds, --schema, --person and --contributions.  Opens no rows.  Clear with
 * schema_options_clear, also after a failure. */
SFM_MUST_CHECK sfm_status schema_options_read(schema_options *out, const cli_options *options,
                                              sfm_error *error);
/* The same; without --columns they are as many as --bounds has pairs, and called x, y, z, or x1,
 * x2,
 * ... */
SFM_MUST_CHECK sfm_status schema_options_read_unnamed(schema_options *out,
                                                      const cli_options *options, sfm_error *error);
void schema_options_clear(schema_options *f);

/* Only the schema: --schema, --person, --contributions and, where the verb has it, --neighbours.
 * The caller owns it, also after a failure. */
SFM_MUST_CHECK sfm_status schema_options_load(sfm_schema **schema, const cli_options *options,
                                              sfm_error *error);

#endif
