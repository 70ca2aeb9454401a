/* plan_tddl.h - the parts of plan_train.c that are only for machines fitted at public points
 * (method tddl). */
#ifndef SFMI_PLAN_TDDL_H
#define SFMI_PLAN_TDDL_H

#include "plan.h"
#include "planner/design/design_tddl.h"

/* Of the settings' public points; `learns` as in design_tddl.h. */
SFM_MUST_CHECK sfm_status sfmi_plan_tddl_create(sfmi_design_tddl **out,
                                                const sfmi_encoding *encoding,
                                                const sfm_train_settings *settings,
                                                const sfmi_feature_map *learns, sfm_error *error);
/* sfmi_design_tddl_choose for a training of any number of rows, of which only what noise needs is

 * * known. */
SFM_MUST_CHECK sfm_status sfmi_plan_tddl_choose(sfmi_design_tddl_choice *choice,
                                                const sfmi_design_tddl *tddl,
                                                const sfm_train_settings *settings,
                                                const sfmi_design_train *training,
                                                const sfmi_feature_map *learns, double rows,
                                                double epsilon, double mu, sfm_error *error);
/* Squares of what values at the points are off by; factor: of values in units of the label. */
sfm_forecast sfmi_plan_tddl_forecast(const sfmi_design_tddl_choice *choice, double factor);
/* The entry's guarantee, and its numbers. */
void sfmi_plan_tddl_describe(sfm_plan_entry *entry, const sfmi_design_tddl_choice *choice,
                             const sfmi_design_train *training, double factor);

#endif
