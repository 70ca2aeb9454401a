/* session_request.h - the request of a ledger that paid for a session: whose session it is, and how
 * far that has got. */
#ifndef SFMI_SESSION_REQUEST_H
#define SFMI_SESSION_REQUEST_H

#include <stdbool.h>

#include "base/system/status.h"
#include "base/system/session_generation.h"

typedef struct sfmi_session_request sfmi_session_request;

SFM_MUST_CHECK sfm_status sfmi_session_request_open(sfmi_session_request **out, const char *ledger,
                                                    const char *dataset, const char *request,
                                                    const uint8_t identity[SFMI_SESSION_IDENTITY],
                                                    sfm_error *error);
void sfmi_session_request_close(sfmi_session_request *session_request);
/* As sfmi_ledger_generation and sfmi_ledger_raise (ledger/ledger_generation.h); SFM_REFUSED when
 * the request has made another session, or none. */
SFM_MUST_CHECK sfm_status sfmi_session_request_generation(sfmi_session_request *session_request,
                                                          sfmi_generation *last, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_session_request_raise(sfmi_session_request *session_request,
                                                     const sfmi_generation *before,
                                                     const sfmi_generation *after,
                                                     sfm_error *error);

/* Whether this may be the session that the request has paid for: false only when the ledger was
 * asked, and has stored no answer to the request or that of another session. */
bool sfmi_session_request_possible(const char *ledger, const char *dataset, const char *request,
                                   const uint8_t identity[SFMI_SESSION_IDENTITY]);

#endif
