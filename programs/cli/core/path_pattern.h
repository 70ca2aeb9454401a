/* path_pattern.h - the files that a pattern names, as a shell would: part*.sfp.
 *
 * A file whose name is the pattern itself is meant by it, whatever characters it has. */
#ifndef CLI_PATH_PATTERN_H
#define CLI_PATH_PATTERN_H

#include "text.h"

/* The paths in the order of their bytes; SFM_INVALID where there is none.  Clear with
 * text_list_clear. */
SFM_MUST_CHECK sfm_status path_pattern_list(text_list *paths, const char *pattern,
                                            sfm_error *error);

#endif
