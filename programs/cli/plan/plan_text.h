/* plan_text.h - a plan in sentences. */
#ifndef CLI_PLAN_TEXT_H
#define CLI_PLAN_TEXT_H

#include "plan_report.h"

/* Prints the whole plan on standard output: what was asked, the methods, and what follows from
 * them. */
SFM_MUST_CHECK sfm_status plan_text_print(const plan_request *p, const plan_findings *found,
                                          size_t width, sfm_error *error);

#endif
