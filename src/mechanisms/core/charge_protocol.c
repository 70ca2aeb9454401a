#include "charge_protocol.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json.h"
#include "base/text/utf8.h"
#include "data/schema/schema.h"
#include "ledger/ledger_name.h"

sfm_status sfmi_protocol_begin(sfmi_protocol *protocol, const sfm_charge *charge, bool seeded,
                               const char *person, sfm_error *error) {
  *protocol = (sfmi_protocol){.charge = charge};
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
  return status ? status : sfmi_ledger_ready(charge, &protocol->accounting, error);
}

const uint8_t *sfmi_protocol_key(const sfmi_protocol *protocol) {
  return protocol->charge ? protocol->handle.key : NULL;
}

/* The answer that the handle holds as a release that will be written byte for byte. */
static sfm_status take_answer(sfmi_protocol *protocol, sfm_release **out, sfm_error *error) {
  sfmi_charge_handle *handle = &protocol->handle;
  sfm_status status =
      sfm_release_parse(out, handle->answer, handle->answer_length, "the stored answer", error);
  if (status) return status;
  (*out)->stored = handle->answer;
  (*out)->stored_length = handle->answer_length;
  handle->answer = NULL;
  return SFM_OK;
}

static sfm_status note_charge(const sfmi_protocol *protocol, sfm_release *release,
                              sfm_error *error) {
  release->dataset = sfmi_copy_string(protocol->handle.dataset);
  release->request = sfmi_copy_string(protocol->handle.request);
  release->accounting = protocol->handle.accounting;
  return release->dataset && release->request ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_protocol_charge_answer(sfmi_protocol *protocol, sfm_release *release,
                                       json_t *parameters, sfm_error *error) {
  char *text = NULL;
  sfm_status status = SFM_OK;
  if (protocol->charge) {
    if (parameters && release->person_numbers)
      json_object_set_new(parameters, "person_ids", json_string("number"));
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

sfm_status sfmi_protocol_charge(sfmi_protocol *protocol, sfm_release **stored, sfm_release *release,
                                json_t *parameters, sfm_error *error) {
  *stored = NULL;
  sfm_status status = sfmi_protocol_charge_answer(protocol, release, parameters, error);
  return !status && protocol->handle.answer ? take_answer(protocol, stored, error) : status;
}

sfm_status sfmi_protocol_store_answer(sfmi_protocol *protocol, const char *bytes, size_t length,
                                      const uint8_t *fingerprint, sfm_error *error) {
  if (!protocol->charge) return SFM_OK;
  return sfmi_ledger_answer(&protocol->handle, bytes, length, fingerprint, error);
}

sfm_status sfmi_protocol_store(sfmi_protocol *protocol, sfm_release **release,
                               const uint8_t *fingerprint, sfm_error *error) {
  char *bytes = NULL;
  size_t length = 0;
  sfm_release *kept = NULL;
  if (!protocol->charge) return SFM_OK;
  sfm_status status = sfmi_release_print(*release, &bytes, &length, error);
  if (!status) status = sfmi_protocol_store_answer(protocol, bytes, length, fingerprint, error);
  if (!status) status = take_answer(protocol, &kept, error);
  free(bytes);
  if (status) return status;
  sfm_release_destroy(*release);
  *release = kept;
  return SFM_OK;
}

sfm_status sfmi_protocol_end(sfmi_protocol *protocol, sfm_status status, sfm_error *error) {
  const bool failed = status && status != SFM_REFUSED;
  if (failed && protocol->handle.charge)
    status = sfmi_charge_stands(&protocol->handle, status, error);
  sfmi_charge_handle_clear(&protocol->handle);
  return status;
}

json_t *sfmi_request_parameters(const char *mechanism, const sfm_guarantee *guarantee,
                                sfm_neighbours neighbours, uint32_t contributions,
                                double confidence) {
  json_t *all = json_pack("{s:s, s:s, s:f, s:f, s:s, s:i, s:f}", "mechanism", mechanism,
                          "guarantee", sfm_guarantee_kind_name(guarantee->kind), "epsilon",
                          guarantee->epsilon, "delta", guarantee->delta, "neighbours",
                          neighbours == SFM_REPLACE ? "replace" : "add-remove", "contributions",
                          (int)contributions, "confidence", confidence);
  if (guarantee->kind == SFM_GDP) json_object_set_new(all, "mu", json_real(guarantee->mu));
  return all;
}

json_t *sfmi_request_column(const sfm_release *release, size_t a, const sfm_schema *schema) {
  const sfm_column *column = sfm_schema_find(schema, release->columns[a]);
  json_t *object = json_pack("{s:s, s:s, s:f, s:f, s:f}", "column", release->columns[a], "type",
                             sfmi_column_type_name(column->type), "lower", release->lower[a],
                             "upper", release->upper[a], "bandwidth", release->bandwidth[a]);
  if (release->boundary[a] != SFM_OPEN)
    json_object_set_new(object, "boundary", json_string(sfm_boundary_name(release->boundary[a])));
  if (release->boundary[a] == SFM_PERIODIC) { /* the release is over one period */
    json_object_set_new(object, "upper", json_real(column->upper));
    json_object_set_new(object, "period", json_real(release->upper[a] - release->lower[a]));
  }
  if (column->category_count == 0) return object;
  json_t *values = json_array();
  for (size_t i = 0; i < column->category_count; i++)
    json_array_append_new(values, json_string(column->categories[i]));
  json_object_set_new(object, "values", values);
  return object;
}

json_t *sfmi_request_hash(const void *bytes, size_t length) {
  unsigned char hash[16];
  char text[2 * sizeof hash + 1];
  crypto_generichash(hash, sizeof hash, bytes, length, NULL, 0);
  sodium_bin2hex(text, sizeof text, hash, sizeof hash);
  return json_string(text);
}
