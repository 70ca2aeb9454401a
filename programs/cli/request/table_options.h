/* table_options.h - the options of a table that `histogram` and `plan histogram` share: columns
 * with categories or bins, and margins. */
#ifndef CLI_TABLE_OPTIONS_H
#define CLI_TABLE_OPTIONS_H

#include "row_options.h"
#include "group_options.h"
#include "sfumato/histogram.h"

/* Columns, crossed; and what may be asked of their table. */
extern const cli_option options_table_columns[], options_histogram[];

/* The settings, and what they borrow: it must stay where it is. */
typedef struct table_options {
  sfm_histogram_settings settings;
  sfm_schema *schema;
  text_list names;
  sfm_histogram_column columns[SFM_TABLE_COLUMNS_MAX];
  uint64_t *margins;
} table_options;

/* Reads the options above, as far as the verb has them, --epsilon, --delta, --calibration,
 * --neighbours, --person, --contributions, --band and --seed.  Of a plan --occupied, which needs no
 * --sparse, is a guess; and with --cells P, instead of --columns, a table of so many cells takes
 * their place.  Opens no rows.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status table_options_read(table_options *c, const cli_options *options,
                                             sfm_error *error);
void table_options_clear(table_options *c);

#endif
