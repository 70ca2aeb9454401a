/* plan_methods.h - the methods of a plan as a table. */
#ifndef CLI_PLAN_METHODS_H
#define CLI_PLAN_METHODS_H

#include "plan_report.h"

/* On standard output: the methods, one per line, no wider than `width` where that is possible; then
 * what the columns mean. */
void plan_methods_print(const plan_request *p, const plan_findings *found, size_t width);

#endif
