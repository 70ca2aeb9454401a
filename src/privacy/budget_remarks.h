/* budget_remarks.h - budgets that are allowed but probably a mistake. */
#ifndef SFMI_BUDGET_REMARKS_H
#define SFMI_BUDGET_REMARKS_H

#include "sfumato/context.h"

/* Tells the caller of an epsilon above 10, and of a delta of 1/records or more (records 0: their
 * number is not public, and a delta above 1/1000). */
void sfmi_budget_remarks(const sfm_context *context, double epsilon, double delta, double records);

#endif
