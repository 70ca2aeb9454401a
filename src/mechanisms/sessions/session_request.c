#include "session_request.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/hex.h"
#include "base/text/json.h"
#include "ledger/charge.h"
#include "ledger/ledger_generation.h"

#define FORMAT "sfumato-session"

char *sfmi_identity_print(const uint8_t identity[SFMI_SESSION_IDENTITY]) {
  char digits[2 * SFMI_SESSION_IDENTITY + 1];
  sfmi_hex_write(digits, identity, SFMI_SESSION_IDENTITY);
  json_t *object = json_pack("{s:s, s:s}", "format", FORMAT, "identity", digits);
  char *text = object ? sfmi_json_dumps(object, JSON_COMPACT) : NULL;
  json_decref(object);
  return text;
}

static bool parse_identity(uint8_t *identity, const char *answer) {
  json_t *object = sfmi_json_loads(answer, JSON_REJECT_DUPLICATES, NULL);
  const char *format = NULL, *digits = NULL;
  const bool good =
      object && json_unpack(object, "{s:s, s:s !}", "format", &format, "identity", &digits) == 0 &&
      strcmp(format, FORMAT) == 0 && sfmi_hex_read(identity, SFMI_SESSION_IDENTITY, &digits) &&
      *digits == '\0';
  json_decref(object);
  return good;
}

sfm_status sfmi_identity_read(uint8_t identity[SFMI_SESSION_IDENTITY], const char *answer,
                              sfm_error *error) {
  if (parse_identity(identity, answer)) return SFM_OK;
  return sfmi_fail(error, SFM_REFUSED,
                   "this request was answered with something that is not a session: use another "
                   "id");
}

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
  if (status) {
    sfmi_session_request_close(session_request);
    return status;
  }
  *out = session_request;
  return SFM_OK;
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
    possible =
        answer && parse_identity(known, answer) && memcmp(known, identity, sizeof known) == 0;
  free(answer);
  sfm_ledger_close(opened);
  return possible;
}
