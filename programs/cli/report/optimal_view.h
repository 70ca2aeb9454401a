/* optimal_view.h - a mechanism for counts in words. */
#ifndef CLI_OPTIMAL_VIEW_H
#define CLI_OPTIMAL_VIEW_H

#include <stdio.h>

#include "sfumato/optimal.h"

/* Criterion, form, risk and error, one line each. */
SFM_MUST_CHECK sfm_status optimal_view_print(FILE *out, const sfm_release *release,
                                             sfm_error *error);

#endif
