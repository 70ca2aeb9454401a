/* optimal_view.h - a mechanism in words, as `optimal` and `show` print it. */
#ifndef CLI_OPTIMAL_VIEW_H
#define CLI_OPTIMAL_VIEW_H

#include <stdio.h>

#include "sfumato/optimal.h"

/* What it is best at: "the least worst risk, absolute loss". */
void optimal_view_criterion(char *buffer, size_t size, const sfm_optimal_facts *facts);
/* All that is to know of it, line by line. */
SFM_MUST_CHECK sfm_status optimal_view_print(FILE *out, const sfm_release *release,
                                             sfm_error *error);
/* The probability of every answer at every count as a heat map, in the terminal (path NULL) or a
 * file. */
SFM_MUST_CHECK sfm_status optimal_view_draw(const sfm_release *release, const char *path,
                                            sfm_error *error);

#endif
