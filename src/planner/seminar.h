/* seminar.h - plans of machines that are fitted at public points (method tddl): what plans of
 * others have in syllabus.c. */
#ifndef SFMI_SEMINAR_H
#define SFMI_SEMINAR_H

#include "planner/prospect.h"
#include "planner/semi.h"

/* Of the settings' public points; `learns` as in semi.h. */
SFM_MUST_CHECK sfm_status sfmi_seminar_create(sfmi_semi **out, const sfmi_encoding *encoding,
                                              const sfm_train_settings *settings,
                                              const sfmi_lift *learns, sfm_error *error);
/* sfmi_semi_choose for a training of any number of rows, of which only what noise needs is known.
 */
SFM_MUST_CHECK sfm_status sfmi_seminar_choose(sfmi_semi_choice *choice, const sfmi_semi *semi,
                                              const sfm_train_settings *settings,
                                              const sfmi_training *training,
                                              const sfmi_lift *learns, double rows, double epsilon,
                                              double mu, sfm_error *error);
/* Squares of what values at the points are off by; factor: of values in units of the label. */
sfm_forecast sfmi_seminar_forecast(const sfmi_semi_choice *choice, double factor);
/* The entry's guarantee, and its numbers. */
void sfmi_seminar_describe(sfm_plan_entry *entry, const sfmi_semi_choice *choice,
                           const sfmi_training *training, double factor);

#endif
