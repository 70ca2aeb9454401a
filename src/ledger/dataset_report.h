/* dataset_report.h - what is spent and left of a dataset, in decimals. */
#ifndef SFMI_DATASET_REPORT_H
#define SFMI_DATASET_REPORT_H

#include "ledger_tally.h"

SFM_MUST_CHECK sfm_status sfmi_dataset_report(sfm_dataset_status *status,
                                              const sfmi_dataset *dataset, sfm_error *error);

#endif
