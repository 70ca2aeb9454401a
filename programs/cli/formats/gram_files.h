/* gram_files.h - Gram matrices that a user computed, as NPY: options of `train --method tddl` and
 * of `check`. */
#ifndef CLI_GRAM_FILES_H
#define CLI_GRAM_FILES_H

#include "cli/io/file_bytes.h"
#include "cli/core/options.h"
#include "sfumato/train.h"

extern const cli_option options_gram[];

/* The matrices, and what they borrow. */
typedef struct gram_files {
  sfm_gram gram;
  file_bytes files[3];
  double *owned[3];
} gram_files;

/* Whether one of the options is there. */
bool gram_files_given(const cli_options *options);
/* Opens the files, whose shapes must agree.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status gram_files_read(gram_files *g, const cli_options *options,
                                          sfm_error *error);
void gram_files_clear(gram_files *g);

#endif
