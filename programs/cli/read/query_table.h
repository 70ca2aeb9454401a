/* query_table.h - sfumato query of a table: shares of its records. */
#ifndef CLI_QUERY_TABLE_H
#define CLI_QUERY_TABLE_H

#include "cli/core/options.h"
#include "sfumato/release.h"

SFM_MUST_CHECK sfm_status query_table(const sfm_release *release, const cli_options *options,
                                      sfm_error *error);

#endif
