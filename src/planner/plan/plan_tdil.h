/* plan_tdil.h - plans of machines that are learned from noisy answers at chosen points (method
 * tdil). */
#ifndef SFMI_PLAN_TDIL_H
#define SFMI_PLAN_TDIL_H

#include "planner/design/design_train.h"
#include "sfumato/plan.h"

/* sfm_plan_train for the method tdil. */
SFM_MUST_CHECK sfm_status sfmi_plan_tdil(sfm_plan **out, const sfm_train_settings *settings,
                                         uint64_t rows, size_t dimension, sfm_error *error);

/* The numbers of a training, whatever the method; of its noise the sensitivity and the scale. */
void sfmi_plan_entry_training(sfm_plan_entry *entry, const sfmi_design_train *training,
                              double sensitivity, double scale);

#endif
