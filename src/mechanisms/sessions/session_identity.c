#include "session_identity.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/hex.h"
#include "base/text/json.h"
#include "mechanisms/core/seed.h"

#define FORMAT "sfumato-session"

/* Also where the noise is seeded: they tell sessions apart. */
static const sfmi_seed OPERATING_SYSTEM = {0};

sfm_status sfmi_new_session_identity(sfmi_new_session *drawn, sfm_error *error) {
  sfm_status status =
      sfmi_seed_bytes(drawn->identity, sizeof drawn->identity, OPERATING_SYSTEM, error);
  return status ? status : sfmi_seed_bytes(drawn->key, sizeof drawn->key, OPERATING_SYSTEM, error);
}

void sfmi_new_session_clear(sfmi_new_session *drawn) {
  free(drawn->facts);
  sfmi_wipe_free(drawn->state, drawn->state_length, 1);
  explicit_bzero(drawn, sizeof *drawn);
}

sfm_status sfmi_session_nonce(uint64_t *words, size_t count, sfm_error *error) {
  return sfmi_seed_bytes(words, count * sizeof *words, OPERATING_SYSTEM, error);
}

static char *print_identity(const uint8_t identity[SFMI_SESSION_IDENTITY]) {
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

sfm_status sfmi_identity_store(sfmi_protocol *protocol, sfmi_stored *stored,
                               const uint8_t identity[SFMI_SESSION_IDENTITY],
                               const uint8_t *fingerprint, sfm_error *error) {
  uint8_t known[SFMI_SESSION_IDENTITY];
  *stored = protocol->charge ? SFMI_STORED_NOT : SFMI_STORED;
  if (!protocol->charge) return SFM_OK;
  char *answer = print_identity(identity);
  sfm_status status =
      answer ? sfmi_ledger_answer(&protocol->handle, answer, strlen(answer), fingerprint, error)
             : sfmi_fail_memory(error);
  free(answer);
  if (status && protocol->handle.perhaps) *stored = SFMI_STORED_PERHAPS;
  if (!status) status = sfmi_identity_read(known, protocol->handle.answer, error);
  if (!status)
    *stored = memcmp(known, identity, sizeof known) == 0 ? SFMI_STORED : SFMI_STORED_OTHER;
  return status;
}
