/* design_train_check.h - checking what was asked of a machine, before rows are opened. */
#ifndef SFMI_DESIGN_TRAIN_CHECK_H
#define SFMI_DESIGN_TRAIN_CHECK_H

#include "sfumato/train.h"

/* All public checks that need neither the columns nor their number: labels, loss, kernel, method,
 * noise, guarantee. */
SFM_MUST_CHECK sfm_status sfmi_design_train_check(const sfm_train_settings *settings,
                                                  sfm_error *error);

/* Tells the caller of classes that are not stated.  The settings were checked. */
void sfmi_design_train_remarks(const sfm_train_settings *settings);

#endif
