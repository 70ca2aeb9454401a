/* facts.h - the public facts about a table, from options, a schema file or both. */
#ifndef CLI_FACTS_H
#define CLI_FACTS_H

#include "options.h"
#include "sfumato/schema.h"
#include "text.h"

typedef struct facts {
  sfm_schema *schema;
  text_list columns; /* as named by --columns, each with bounds in the schema */
} facts;

/* Reads --columns, --bounds, --schema, --person and --contributions.  Opens no rows.  Clear with
 * facts_clear, also after a failure. */
SFM_MUST_CHECK sfm_status facts_read(facts *out, const cli_options *options, sfm_error *error);
/* The same; without --columns they are as many as --bounds has pairs, and called x, y, z, or x1,
 * x2,
 * ... */
SFM_MUST_CHECK sfm_status facts_read_unnamed(facts *out, const cli_options *options,
                                             sfm_error *error);
void facts_clear(facts *f);

#define CLI_OPTION_COLUMNS                                                                         \
  {                                                                                                \
    "columns", "NAMES",                                                                            \
        "the variables, separated by commas (NPY columns are called 0, 1, ...); x1..x20 stands "   \
        "for x1, x2, ..., x20; a name that holds a comma goes in double quotes",                   \
        NULL, 0                                                                                    \
  }
#define CLI_OPTION_BOUNDS                                                                          \
  {                                                                                                \
    "bounds", "A:B[,C:D...]",                                                                      \
        "lower and upper bound of each column in order, in its unit, or one pair for all; public " \
        "knowledge, never read from the rows",                                                     \
        NULL, 0                                                                                    \
  }
#define CLI_OPTION_PERSON                                                                          \
  {                                                                                                \
    "person", "COLUMN",                                                                            \
        "the column that says whose record it is; records of a person beyond --contributions "     \
        "count as zero",                                                                           \
        NULL, 0                                                                                    \
  }
#define CLI_OPTION_CONTRIBUTIONS                                                                   \
  {                                                                                                \
    "contributions", "K",                                                                          \
        "the most records one person can have; enforced with --person, otherwise stated in the "   \
        "release as an assumption",                                                                \
        "1", 0                                                                                     \
  }

#endif
