#include "charge_protocol.h"

#include <sodium.h>
#include <stdlib.h>

#include "base/text/json.h"
#include "base/text/utf8.h"
#include "ledger/ledger_name.h"
#include "releases/core/release_write.h"

sfm_status sfmi_protocol_begin(sfmi_protocol *protocol, const sfm_charge *charge, bool seeded,
                               const char *person, sfm_error *error) {
  *protocol = (sfmi_protocol){.charge = charge, .accounted = charge != NULL};
  if (person && !sfmi_utf8_valid(person))
    return sfmi_fail(error, SFM_INVALID,
                     "the person column's name is not UTF-8, as the release file must be; name it "
                     "otherwise");
  if (!charge) return SFM_OK;
  if (seeded)
    return sfmi_fail(error, SFM_INVALID,
                     "a seeded run is not private and cannot be charged to a ledger: leave out "
                     "the seed, or the ledger");
  sfm_status status =
      person ? sfmi_ledger_check_name(person, SFM_DATASET_MAX, "person column's name", error)
             : SFM_OK;
  return status ? status : sfmi_ledger_ready(charge, &protocol->accounting, &protocol->keys, error);
}

bool sfmi_protocol_squares(const sfmi_protocol *protocol) {
  return protocol->accounted && protocol->accounting != SFM_ACCOUNTING_BASIC;
}

const sfmi_row_keys *sfmi_protocol_keys(const sfmi_protocol *protocol) {
  return protocol->charge ? &protocol->keys : NULL;
}

/* It will be written byte for byte. */
sfm_status sfmi_protocol_recall(sfmi_protocol *protocol, sfm_release **release, sfm_error *error) {
  sfmi_charge_handle *handle = &protocol->handle;
  sfm_release *kept = NULL;
  sfm_status status =
      sfm_release_parse(&kept, handle->answer, handle->answer_length, "the stored answer", error);
  if (status) return status;
  kept->stored = handle->answer;
  kept->stored_length = handle->answer_length;
  handle->answer = NULL;
  sfm_release_destroy(*release);
  *release = kept;
  return SFM_OK;
}

static sfm_status note_charge(const sfmi_protocol *protocol, sfm_release *release,
                              sfm_error *error) {
  release->dataset = sfmi_copy_string(protocol->handle.dataset);
  release->request = sfmi_copy_string(protocol->handle.request);
  release->accounting = protocol->handle.accounting;
  return release->dataset && release->request ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_protocol_charge(sfmi_protocol *protocol, sfm_release *release, json_t *parameters,
                                sfm_error *error) {
  char *text = NULL;
  sfm_status status = SFM_OK;
  if (protocol->charge) {
    if (parameters && release->person_ids != SFMI_IDS_TEXT)
      json_object_set_new(parameters, "person_ids",
                          json_string(sfmi_person_ids_word(release->person_ids)));
    text = parameters ? sfmi_json_dumps(parameters, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    status = text ? sfmi_ledger_charge(&protocol->handle, protocol->charge, text,
                                       &release->guarantee, error)
                  : sfmi_fail_memory(error);
    if (!status && !protocol->handle.answer) status = note_charge(protocol, release, error);
  }
  free(text);
  json_decref(parameters);
  return status;
}

sfm_status sfmi_protocol_store(sfmi_protocol *protocol, sfm_release **release,
                               const uint8_t *fingerprint, sfm_error *error) {
  char *bytes = NULL;
  size_t length = 0;
  if (!protocol->charge) return SFM_OK;
  sfm_status status = sfmi_release_print(*release, &bytes, &length, error);
  if (!status) status = sfmi_ledger_answer(&protocol->handle, bytes, length, fingerprint, error);
  free(bytes);
  return status ? status : sfmi_protocol_recall(protocol, release, error);
}

sfm_status sfmi_protocol_end(sfmi_protocol *protocol, sfm_status status, sfm_error *error) {
  const bool failed = status && status != SFM_REFUSED;
  if (failed && protocol->handle.charge)
    status = sfmi_charge_stands(&protocol->handle, status, error);
  sfmi_charge_handle_clear(&protocol->handle);
  sodium_memzero(&protocol->keys, sizeof protocol->keys);
  return status;
}

sfm_status sfmi_protocol_accept_rows(sfm_rows *rows, uint8_t *fingerprint,
                                     const sfmi_protocol *protocol, sfm_error *error) {
  if (!protocol->charge) return SFM_OK;
  sfmi_rows_fingerprint(rows, fingerprint);
  return sfmi_ledger_rows(&protocol->handle, fingerprint, error);
}
