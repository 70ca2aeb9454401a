/* table_options.h - the options of a table that `histogram` and `plan histogram` share: columns
 * with categories or bins, and margins. */
#ifndef CLI_TABLE_OPTIONS_H
#define CLI_TABLE_OPTIONS_H

#include "row_options.h"
#include "group_options.h"
#include "sfumato/histogram.h"

/* Columns, crossed; and what may be asked of their table. */
#define CLI_OPTIONS_TABLE_COLUMNS                                                                  \
  CLI_OPTION_COLUMNS, CLI_OPTION_CATEGORIES,                                                       \
      {"bins", "N[,N...]|COLUMN=N,...",                                                            \
       "the number of equal bins between the bounds of a column: one number for all columns "      \
       "without categories, one per column in order, or by name",                                  \
       NULL, 0},                                                                                   \
      {"bounds", "A:B[,C:D...]|COLUMN=A:B,...",                                                    \
       "lower and upper bound of the columns with bins, in their unit: one pair for all, one per " \
       "column in order, or by name; public knowledge, never read from the rows",                  \
       NULL, 0},                                                                                   \
      CLI_OPTION_SCHEMA
#define CLI_OPTIONS_TABLE                                                                          \
  CLI_OPTIONS_TABLE_COLUMNS,                                                                       \
      {"margins", "K|A,B;B,C;...",                                                                 \
       "release margins instead of the whole table: all margins of K columns, or the margins "     \
       "named, columns separated by commas and margins by semicolons; the budget is divided "      \
       "between them",                                                                             \
       NULL, 0},                                                                                   \
      {"sparse", NULL,                                                                             \
       "list only cells whose noisy count is above a threshold that almost no empty cell "         \
       "reaches; for tables of up to 2^62 cells, in a time that grows with the rows",              \
       NULL, 0},                                                                                   \
      {"occupied", "Q",                                                                            \
       "sparse: a public number of cells that are not empty; it lowers the threshold, but up to "  \
       "Q empty cells may then be listed",                                                         \
       NULL, 0},                                                                                   \
      {"undeclared", NULL,                                                                         \
       "sparse: in columns without categories and bins, every text that occurs is a category; "    \
       "needs --delta, and the guarantee is approximate",                                          \
       NULL, 0},                                                                                   \
      {"noise", "auto|laplace|normal",                                                             \
       "laplace is pure epsilon; normal needs --delta, and suits many margins and many releases",  \
       "auto: with --delta the one with less error, else laplace", 0},                             \
      {"random-dp", "GAMMA",                                                                       \
       "random differential privacy instead, which is weaker: cells so small that a typical "      \
       "record is not in them have no noise. It does not protect extreme individuals (the very "   \
       "rich, the very sick), who may need protection most",                                       \
       NULL, 0},                                                                                   \
      {"exact", "small|empty",                                                                     \
       "random-dp: which cells have no noise: all that are small enough, or only the empty ones",  \
       "small", 0},                                                                                \
      CLI_OPTION_OUTSIDE

/* The settings, and what they borrow: it must stay where it is. */
typedef struct table_options {
  sfm_histogram_settings settings;
  sfm_schema *schema;
  text_list names;
  sfm_histogram_column columns[SFM_TABLE_COLUMNS_MAX];
  uint64_t *margins;
} table_options;

/* Reads the options above, --epsilon, --delta, --calibration, --neighbours, --person,
 * --contributions and --band.  Opens no rows.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status table_options_read(table_options *c, const cli_options *options,
                                             sfm_error *error);
/* The same without what may be asked of the table, which is whole and dense. */
SFM_MUST_CHECK sfm_status table_options_read_whole(table_options *c, const cli_options *options,
                                                   sfm_error *error);
/* The same for a plan: --occupied, which needs no --sparse, is a guess; and with --cells P, instead
 * of --columns, a table of so many cells takes their place. */
SFM_MUST_CHECK sfm_status table_options_plan(table_options *c, const cli_options *options,
                                             sfm_error *error);
void table_options_clear(table_options *c);

#endif
