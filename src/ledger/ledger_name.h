/* ledger_name.h - names of datasets, requests and persons' columns in a ledger. */
#ifndef SFMI_LEDGER_NAME_H
#define SFMI_LEDGER_NAME_H

#include "base/system/status.h"

/* Checks a name or an id: 1 to most bytes of UTF-8 without control characters.  what is "dataset
 * name" or "request id". */
SFM_MUST_CHECK sfm_status sfmi_ledger_check_name(const char *name, size_t most, const char *what,
                                                 sfm_error *error);

#endif
