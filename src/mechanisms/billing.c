#include "mechanisms/billing.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"
#include "data/fields.h"

sfm_status sfmi_bill_ready(sfmi_bill *bill, const sfm_charge *charge, bool seeded,
                           const char *person, sfm_error *error) {
  *bill = (sfmi_bill){.charge = charge};
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
      person ? sfmi_check_name(person, SFM_DATASET_MAX, "person column's name", error) : SFM_OK;
  return status ? status : sfmi_ledger_ready(charge, &bill->accounting, error);
}

const uint8_t *sfmi_bill_key(const sfmi_bill *bill) {
  return bill->charge ? bill->ticket.key : NULL;
}

/* The answer that the ticket holds as a release that will be written byte for byte. */
static sfm_status take_answer(sfmi_bill *bill, sfm_release **out, sfm_error *error) {
  sfmi_ticket *ticket = &bill->ticket;
  sfm_status status =
      sfm_release_parse(out, ticket->answer, ticket->answer_length, "the stored answer", error);
  if (status) return status;
  (*out)->stored = ticket->answer;
  (*out)->stored_length = ticket->answer_length;
  ticket->answer = NULL;
  return SFM_OK;
}

static sfm_status note_charge(const sfmi_bill *bill, sfm_release *release, sfm_error *error) {
  release->dataset = sfmi_copy_string(bill->ticket.dataset);
  release->request = sfmi_copy_string(bill->ticket.request);
  release->accounting = bill->ticket.accounting;
  return release->dataset && release->request ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_bill_pay(sfmi_bill *bill, sfm_release *release, json_t *parameters,
                         sfm_error *error) {
  char *text = NULL;
  sfm_status status = SFM_OK;
  if (bill->charge) {
    if (parameters && release->person_numbers)
      json_object_set_new(parameters, "person_ids", json_string("number"));
    text = parameters ? sfmi_json_dumps(parameters, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    status = text
                 ? sfmi_ledger_charge(&bill->ticket, bill->charge, text, &release->guarantee, error)
                 : sfmi_fail_memory(error);
    if (!status && !bill->ticket.answer) status = note_charge(bill, release, error);
  }
  free(text);
  json_decref(parameters);
  return status;
}

sfm_status sfmi_bill_charge(sfmi_bill *bill, sfm_release **stored, sfm_release *release,
                            json_t *parameters, sfm_error *error) {
  *stored = NULL;
  sfm_status status = sfmi_bill_pay(bill, release, parameters, error);
  return !status && bill->ticket.answer ? take_answer(bill, stored, error) : status;
}

sfm_status sfmi_bill_keep(sfmi_bill *bill, const char *bytes, size_t length,
                          const uint8_t *fingerprint, sfm_error *error) {
  if (!bill->charge) return SFM_OK;
  return sfmi_ledger_answer(&bill->ticket, bytes, length, fingerprint, error);
}

sfm_status sfmi_bill_store(sfmi_bill *bill, sfm_release **release, const uint8_t *fingerprint,
                           sfm_error *error) {
  char *bytes = NULL;
  size_t length = 0;
  sfm_release *kept = NULL;
  if (!bill->charge) return SFM_OK;
  sfm_status status = sfmi_release_print(*release, &bytes, &length, error);
  if (!status) status = sfmi_bill_keep(bill, bytes, length, fingerprint, error);
  if (!status) status = take_answer(bill, &kept, error);
  free(bytes);
  if (status) return status;
  sfm_release_destroy(*release);
  *release = kept;
  return SFM_OK;
}

sfm_status sfmi_bill_end(sfmi_bill *bill, sfm_status status, sfm_error *error) {
  const bool failed = status != SFM_OK && status != SFM_REFUSED;
  if (failed && bill->ticket.charge) status = sfmi_ticket_stands(&bill->ticket, status, error);
  sfmi_ticket_clear(&bill->ticket);
  return status;
}

json_t *sfmi_bill_parameters(const char *mechanism, const sfm_guarantee *guarantee,
                             sfm_neighbours neighbours, uint32_t contributions, double confidence) {
  json_t *all = json_pack("{s:s, s:s, s:f, s:f, s:s, s:i, s:f}", "mechanism", mechanism,
                          "guarantee", sfm_guarantee_kind_name(guarantee->kind), "epsilon",
                          guarantee->epsilon, "delta", guarantee->delta, "neighbours",
                          neighbours == SFM_REPLACE ? "replace" : "add-remove", "contributions",
                          (int)contributions, "confidence", confidence);
  if (guarantee->kind == SFM_GDP) json_object_set_new(all, "mu", json_real(guarantee->mu));
  return all;
}

json_t *sfmi_bill_column(const sfm_release *release, size_t a, const sfm_schema *schema) {
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

json_t *sfmi_bill_hash(const void *bytes, size_t length) {
  unsigned char hash[16];
  char text[2 * sizeof hash + 1];
  crypto_generichash(hash, sizeof hash, bytes, length, NULL, 0);
  sodium_bin2hex(text, sizeof text, hash, sizeof hash);
  return json_string(text);
}
