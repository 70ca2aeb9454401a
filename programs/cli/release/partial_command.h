/* partial_command.h - `sfumato partial VERB`: the options of a verb that releases, and the sums
 * that it would add noise to, of a part of the rows.
 *
 * Nothing is charged or released, and nothing printed depends on a row. */
#ifndef CLI_PARTIAL_COMMAND_H
#define CLI_PARTIAL_COMMAND_H

#include "cli/core/options.h"

/* Which part it is, its key, --seed and -o: the end of a table.  And what such a verb refuses. */
extern const cli_option options_part[], options_part_refused[];

/* What is private and what is public, in the help of each. */
#define PARTIAL_ABOUT                                                                              \
  "The file holds sums over a part of the rows, without noise. Make one of each part, where it "   \
  "is, with the same options; `sfumato partial merge` adds parts up. The release is made by the "  \
  "same verb with --partials instead of the rows, and is the one from all rows: it draws noise "   \
  "and charges a ledger, once. docs/guides/partial.md has the whole way.\n"                        \
  "Without --person all records that are read belong to the part. With --person those do whose "   \
  "person belongs to it, by the key. Then give the file with all rows, or that of this part "      \
  "which "                                                                                         \
  "`sfumato split` made: in any other file records of these persons are missing. A record "        \
  "without "                                                                                       \
  "an id belongs to part 1.\n"                                                                     \
  "Private: the rows, the key, and the file that is written. Nothing printed depends on a row.\n"  \
  "Public: everything you write here; all of it is in the file."

SFM_MUST_CHECK sfm_status partial_command_run(const cli_options *options, sfm_error *error);

#endif
