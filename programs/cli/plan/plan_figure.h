/* plan_figure.h - a plan as a picture. */
#ifndef CLI_PLAN_FIGURE_H
#define CLI_PLAN_FIGURE_H

#include "plan_report.h"

/* A page with the curves of error and, of one or two variables, simulated releases; path NULL: on
 * standard output. */
SFM_MUST_CHECK sfm_status plan_figure_draw(const plan_request *p, const plan_findings *found,
                                           const char *path, sfm_error *error);

#endif
