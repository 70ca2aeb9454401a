/* plan_linear.h - which method answers a linear map of a table. */
#ifndef SFMI_PLAN_LINEAR_H
#define SFMI_PLAN_LINEAR_H

#include "planner/design/design_linear.h"

/* The settings with a method: the one that they ask for, or of the hardened methods the one with
 * the least predicted error.  The delta is left out where that method needs none. */
SFM_MUST_CHECK sfm_status sfmi_plan_linear_choose(sfmi_linear_request *chosen,
                                                  const sfmi_linear_request *settings,
                                                  sfm_error *error);

#endif
