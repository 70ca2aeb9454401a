/* plan_json.h - a plan as JSON. */
#ifndef CLI_PLAN_JSON_H
#define CLI_PLAN_JSON_H

#include "plan_report.h"

/* One object on one line. */
SFM_MUST_CHECK sfm_status plan_json_print(const plan_request *p, const plan_findings *found,
                                          sfm_error *error);

#endif
