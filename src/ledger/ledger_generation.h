/* ledger_generation.h - the generations of the sessions that requests paid for.
 *
 * A session whose copies must not both go on (a gram session: each answer is drawn given those
 * before it) raises its generation here before an answer is shown.  The entry is written under the
 * write lock and only if the last one is what the session knows, so that of all copies of a session
 * one goes on, and the others find that the ledger is ahead of them. */
#ifndef SFMI_LEDGER_GENERATION_H
#define SFMI_LEDGER_GENERATION_H

#include "base/system/session_generation.h"
#include "sfumato/ledger.h"

/* The generation of the session that a request paid for, durably; number 0 when it was never
 * raised.  *answer, to be freed, is the request's stored answer.  SFM_REFUSED when there is none:
 * then nothing was paid for, or it was never finished. */
SFM_MUST_CHECK sfm_status sfmi_ledger_generation(sfm_ledger *ledger, sfmi_generation *last,
                                                 char **answer, const char *dataset,
                                                 const char *request, sfm_error *error);

/* Raises it by one, durably, from `before` to `after`, and only from there: SFM_REFUSED when it is
 * anywhere else, and then nothing is written.  Of several who would raise it from the same place
 * one does. */
SFM_MUST_CHECK sfm_status sfmi_ledger_raise(sfm_ledger *ledger, const char *dataset,
                                            const char *request, const sfmi_generation *before,
                                            const sfmi_generation *after, sfm_error *error);

#endif
