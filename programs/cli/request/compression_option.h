/* compression_option.h - how libsvm text is packed.  It has no header, and its first bytes belong
 * to a record: the name of the file decides, or an option. */
#ifndef CLI_COMPRESSION_OPTION_H
#define CLI_COMPRESSION_OPTION_H

#include "cli/core/options.h"
#include "sfumato/rows.h"

extern const cli_option option_compression;

/* Reads --compression of a verb that may not declare it; sparse says whether the rows are libsvm
 * text, which alone it is for. */
SFM_MUST_CHECK sfm_status compression_option_read(sfm_compression *out, const cli_options *options,
                                                  bool sparse, sfm_error *error);

#endif
