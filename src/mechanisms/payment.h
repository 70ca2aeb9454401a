/* payment.h - the request of a ledger that paid for a session: whose session it is, and how far
 * that has got. */
#ifndef SFMI_PAYMENT_H
#define SFMI_PAYMENT_H

#include <stdbool.h>

#include "base/fail.h"
#include "base/generation.h"

/* A session's identity as the answer of its request, one JSON object, to be freed; NULL when memory
 * is short. */
char *sfmi_identity_print(const uint8_t identity[SFMI_SESSION_IDENTITY]);
/* And back; SFM_REFUSED when the answer is something else. */
SFM_MUST_CHECK sfm_status sfmi_identity_read(uint8_t identity[SFMI_SESSION_IDENTITY],
                                             const char *answer, sfm_error *error);

typedef struct sfmi_payment sfmi_payment;

SFM_MUST_CHECK sfm_status sfmi_payment_open(sfmi_payment **out, const char *ledger,
                                            const char *dataset, const char *request,
                                            const uint8_t identity[SFMI_SESSION_IDENTITY],
                                            sfm_error *error);
void sfmi_payment_close(sfmi_payment *payment);
/* As sfmi_ledger_generation and sfmi_ledger_raise (ledger/charge.h); SFM_REFUSED when the request
 * has made another session, or none. */
SFM_MUST_CHECK sfm_status sfmi_payment_generation(sfmi_payment *payment, sfmi_generation *last,
                                                  sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_payment_raise(sfmi_payment *payment, const sfmi_generation *before,
                                             const sfmi_generation *after, sfm_error *error);

/* Whether this may be the session that the request has paid for: false only when the ledger was
 * asked, and has stored no answer to the request or that of another session. */
bool sfmi_payment_possible(const char *ledger, const char *dataset, const char *request,
                           const uint8_t identity[SFMI_SESSION_IDENTITY]);

#endif
