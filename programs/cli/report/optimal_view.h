/* optimal_view.h - a mechanism for counts in words and as a picture. */
#ifndef CLI_OPTIMAL_VIEW_H
#define CLI_OPTIMAL_VIEW_H

#include <stdio.h>

#include "sfumato/optimal.h"

/* What it minimises: "the smallest risk at the worst count, absolute loss". */
void optimal_view_criterion(char *buffer, size_t size, const sfm_optimal_facts *facts);
/* Criterion, form, risk and error, one line each. */
SFM_MUST_CHECK sfm_status optimal_view_print(FILE *out, const sfm_release *release,
                                             sfm_error *error);
/* The probability of every answer at every count as a heat map, in the terminal (path NULL) or a
 * file. */
SFM_MUST_CHECK sfm_status optimal_view_draw(const sfm_release *release, const char *path,
                                            sfm_error *error);

#endif
