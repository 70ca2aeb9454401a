/* ledger.h - the room's own part of sfumato/ledger.h. */
#ifndef SFMI_LEDGER_H
#define SFMI_LEDGER_H

#include "sfumato/ledger.h"

/* Where an open ledger lies, from the root, links followed.  Owned by the ledger. */
const char *sfmi_ledger_path(const sfm_ledger *ledger);

#endif
