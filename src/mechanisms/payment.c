#include "mechanisms/payment.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "base/json.h"
#include "ledger/charge.h"

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

struct sfmi_payment {
  sfm_ledger *ledger;
  char *dataset, *request;
  uint8_t identity[SFMI_SESSION_IDENTITY];
};

sfm_status sfmi_payment_open(sfmi_payment **out, const char *ledger, const char *dataset,
                             const char *request, const uint8_t identity[SFMI_SESSION_IDENTITY],
                             sfm_error *error) {
  *out = NULL;
  sfmi_payment *payment = sfmi_alloc(1, sizeof *payment);
  if (!payment) return sfmi_fail_memory(error);
  memcpy(payment->identity, identity, sizeof payment->identity);
  payment->dataset = sfmi_copy_string(dataset);
  payment->request = sfmi_copy_string(request);
  sfm_status status = payment->dataset && payment->request
                          ? sfm_ledger_open(&payment->ledger, ledger, error)
                          : sfmi_fail_memory(error);
  if (status) {
    sfmi_payment_close(payment);
    return status;
  }
  *out = payment;
  return SFM_OK;
}

void sfmi_payment_close(sfmi_payment *payment) {
  if (!payment) return;
  sfm_ledger_close(payment->ledger);
  free(payment->dataset);
  free(payment->request);
  free(payment);
}

sfm_status sfmi_payment_generation(sfmi_payment *payment, sfmi_generation *last, sfm_error *error) {
  uint8_t identity[SFMI_SESSION_IDENTITY];
  char *answer = NULL;
  sfm_status status = sfmi_ledger_generation(payment->ledger, last, &answer, payment->dataset,
                                             payment->request, error);
  if (!status) status = sfmi_identity_read(identity, answer, error);
  if (!status && memcmp(identity, payment->identity, sizeof identity) != 0)
    status = sfmi_fail(error, SFM_REFUSED,
                       "request '%.60s' of the dataset '%s' has paid for another session than this "
                       "one",
                       payment->request, payment->dataset);
  free(answer);
  return status;
}

sfm_status sfmi_payment_raise(sfmi_payment *payment, const sfmi_generation *before,
                              const sfmi_generation *after, sfm_error *error) {
  return sfmi_ledger_raise(payment->ledger, payment->dataset, payment->request, before, after,
                           error);
}

bool sfmi_payment_possible(const char *ledger, const char *dataset, const char *request,
                           const uint8_t identity[SFMI_SESSION_IDENTITY]) {
  uint8_t known[SFMI_SESSION_IDENTITY];
  sfm_ledger *opened = NULL;
  char *answer = NULL;
  bool possible = true;
  if (sfm_ledger_open(&opened, ledger, NULL) == SFM_OK &&
      sfmi_ledger_answered(opened, &answer, dataset, request, NULL) == SFM_OK)
    possible =
        answer && parse_identity(known, answer) && memcmp(known, identity, sizeof known) == 0;
  free(answer);
  sfm_ledger_close(opened);
  return possible;
}
