/* group_options.h - --by and --categories: the groups of rows. */
#ifndef CLI_GROUP_OPTIONS_H
#define CLI_GROUP_OPTIONS_H

#include "cli/core/options.h"
#include "sfumato/release.h"
#include "sfumato/schema.h"
#include "cli/core/text.h"

extern const cli_option option_by, option_categories;

/* The lines of a file, for an option that takes @FILE; noun is what each of them is. */
SFM_MUST_CHECK sfm_status group_options_read_list(text_list *list, const char *path,
                                                  const char *option, const char *noun,
                                                  sfm_error *error);

/* Reads --by into a list of names; empty without it. */
SFM_MUST_CHECK sfm_status group_options_read_by(text_list *by, const cli_options *options,
                                                sfm_error *error);
/* States the categories of every --categories in the schema. */
SFM_MUST_CHECK sfm_status group_options_read_categories(sfm_schema *schema,
                                                        const cli_options *options,
                                                        sfm_error *error);

#endif
