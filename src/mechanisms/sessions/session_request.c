#include "session_request.h"

#include <stdlib.h>
#include <string.h>

#include "ledger/charge.h"
#include "session_identity.h"
#include "ledger/ledger_generation.h"

struct sfmi_session_request {
  sfm_ledger *ledger;
  char *dataset, *request;
  uint8_t identity[SFMI_SESSION_IDENTITY];
};

sfm_status sfmi_session_request_open(sfmi_session_request **out, const char *ledger,
                                     const char *dataset, const char *request,
                                     const uint8_t identity[SFMI_SESSION_IDENTITY],
                                     sfm_error *error) {
  *out = NULL;
  sfmi_session_request *session_request = sfmi_alloc(1, sizeof *session_request);
  if (!session_request) return sfmi_fail_memory(error);
  memcpy(session_request->identity, identity, sizeof session_request->identity);
  session_request->dataset = sfmi_copy_string(dataset);
  session_request->request = sfmi_copy_string(request);
  sfm_status status = session_request->dataset && session_request->request
                          ? sfm_ledger_open(&session_request->ledger, ledger, error)
                          : sfmi_fail_memory(error);
  if (!status)
    *out = session_request;
  else
    sfmi_session_request_close(session_request);
  return status;
}

void sfmi_session_request_close(sfmi_session_request *session_request) {
  if (!session_request) return;
  sfm_ledger_close(session_request->ledger);
  free(session_request->dataset);
  free(session_request->request);
  free(session_request);
}

sfm_status sfmi_session_request_generation(sfmi_session_request *session_request,
                                           sfmi_generation *last, sfm_error *error) {
  uint8_t identity[SFMI_SESSION_IDENTITY];
  char *answer = NULL;
  sfm_status status =
      sfmi_ledger_generation(session_request->ledger, last, &answer, session_request->dataset,
                             session_request->request, error);
  if (!status) status = sfmi_identity_read(identity, answer, error);
  if (!status && memcmp(identity, session_request->identity, sizeof identity) != 0)
    status = sfmi_fail(error, SFM_REFUSED,
                       "request '%.60s' of the dataset '%s' has paid for another session than this "
                       "one",
                       session_request->request, session_request->dataset);
  free(answer);
  return status;
}

sfm_status sfmi_session_request_raise(sfmi_session_request *session_request,
                                      const sfmi_generation *before, const sfmi_generation *after,
                                      sfm_error *error) {
  return sfmi_ledger_raise(session_request->ledger, session_request->dataset,
                           session_request->request, before, after, error);
}

bool sfmi_session_request_possible(const char *ledger, const char *dataset, const char *request,
                                   const uint8_t identity[SFMI_SESSION_IDENTITY]) {
  uint8_t known[SFMI_SESSION_IDENTITY];
  sfm_ledger *opened = NULL;
  char *answer = NULL;
  bool possible = true;
  if (!sfm_ledger_open(&opened, ledger, NULL) &&
      !sfmi_ledger_answered(opened, &answer, dataset, request, NULL))
    possible = answer && !sfmi_identity_read(known, answer, NULL) &&
               memcmp(known, identity, sizeof known) == 0;
  free(answer);
  sfm_ledger_close(opened);
  return possible;
}
