#include "mechanisms/opening.h"

#include <stdlib.h>
#include <string.h>

#include "mechanisms/payment.h"
#include "planner/vigil.h"
#include "random/stream.h"
#include "releases/pointband.h"

/* ---- public checks ---- */

sfm_status sfmi_opening_begin(sfmi_opening *opening, sfm_rows *rows,
                              const sfm_density_settings *settings, sfm_error *error) {
  *opening = (sfmi_opening){.settings = *settings};
  sfm_status status = sfmi_vigil_engine(&opening->settings, error);
  if (status) return status;
  sfmi_vigil_place(&opening->settings, opening->place); /* facts are a release of one place */
  return sfmi_making_begin(&opening->making, rows, &opening->settings,
                           sfmi_vigil_values(opening->settings.engine), error);
}

sfm_engine sfmi_opening_engine(const sfmi_opening *opening) {
  return opening->settings.engine;
}

const char *sfmi_opening_ledger(const sfmi_opening *opening) {
  const sfm_charge *charge = opening->settings.charge;
  return charge ? sfmi_ledger_path(charge->ledger) : NULL;
}

/* ---- charge, rows, secrets ---- */

sfm_status sfmi_identity_pay(sfmi_bill *bill, bool *made, uint8_t identity[SFMI_SESSION_IDENTITY],
                             sfm_release *facts, json_t *parameters, sfm_error *error) {
  *made = false;
  sfm_status status = sfmi_bill_pay(bill, facts, parameters, error);
  if (!status && bill->ticket.answer) {
    *made = true;
    status = sfmi_identity_read(identity, bill->ticket.answer, error);
  }
  return status;
}

sfm_status sfmi_opening_charge(sfmi_opening *opening, bool *made,
                               uint8_t identity[SFMI_SESSION_IDENTITY], sfm_error *error) {
  sfmi_making *making = &opening->making;
  *made = false;
  if (!opening->settings.charge) return SFM_OK;
  return sfmi_identity_pay(&making->bill, made, identity, making->release,
                           sfmi_making_parameters(making, "online", false), error);
}

static void draw_bytes(uint8_t *bytes, size_t count, sfmi_stream *stream) {
  for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
    const uint64_t word = sfmi_stream_word(stream);
    memcpy(bytes + i, &word, sizeof word);
  }
}

/* Identity and hash key are nobody's guess even where the noise is: they tell sessions apart. */
sfm_status sfmi_drawn_name(sfmi_drawn *drawn, sfm_error *error) {
  sfmi_stream *stream = NULL;
  sfm_status status = sfmi_stream_create(&stream, error);
  if (status) return status;
  draw_bytes(drawn->identity, sizeof drawn->identity, stream);
  draw_bytes(drawn->key, sizeof drawn->key, stream);
  sfmi_stream_destroy(stream);
  return SFM_OK;
}

sfm_status sfmi_drawn_nonce(uint64_t *words, size_t count, sfm_error *error) {
  sfmi_stream *stream = NULL;
  sfm_status status = sfmi_stream_create(&stream, error);
  if (status) return status;
  for (size_t i = 0; i < count; i++) words[i] = sfmi_stream_word(stream);
  sfmi_stream_destroy(stream);
  return SFM_OK;
}

static sfm_status draw_key(uint8_t key[SFMI_FROZEN_KEY], const sfm_density_settings *settings,
                           sfm_error *error) {
  sfmi_stream *stream = NULL;
  sfm_status status = settings->seeded ? sfmi_stream_create_seeded(&stream, settings->seed, error)
                                       : sfmi_stream_create(&stream, error);
  if (status) return status;
  draw_bytes(key, SFMI_FROZEN_KEY, stream);
  sfmi_stream_destroy(stream);
  return SFM_OK;
}

/* Everything of the facts but numbers: their one value is nobody's. */
static sfm_status finish_facts(sfm_release *facts, double confidence, sfm_error *error) {
  facts->reals[0] = 0;
  sfm_status status = sfmi_band_places(&facts->band, facts, confidence, 0, NULL, error);
  if (!status && !sfmi_release_write_sentence(facts)) status = sfmi_fail_memory(error);
  return status;
}

sfm_status sfmi_rows_accept(sfm_rows *rows, uint8_t *fingerprint, const sfmi_bill *bill,
                            sfm_error *error) {
  if (!bill->charge) return SFM_OK;
  sfmi_rows_fingerprint(rows, fingerprint);
  return sfmi_ledger_rows(&bill->ticket, fingerprint, error);
}

static sfm_status draw_state(sfmi_opening *opening, sfmi_drawn *drawn, sfm_error *error) {
  sfmi_making *making = &opening->making;
  const sfmi_process *process = &making->design->process;
  sfm_release *facts = making->release;
  uint8_t key[SFMI_FROZEN_KEY];
  sfmi_i128 *sums = NULL;
  sfmi_rows_set_key(making->rows, sfmi_bill_key(&making->bill));
  sfm_status status = sfmi_process_sums(&sums, process, making->rows, &opening->settings, error);
  if (!status) status = sfmi_rows_accept(making->rows, making->fingerprint, &making->bill, error);
  if (!status) status = draw_key(key, &opening->settings, error);
  if (!status)
    status = sfmi_frozen_save(&drawn->state, &drawn->state_length, process, sums,
                              1 / (sfmi_release_total(facts) * process->mass), key, error);
  sfmi_process_wipe(&sums, process);
  explicit_bzero(key, sizeof key);
  return status ? status : finish_facts(facts, opening->settings.confidence, error);
}

sfm_status sfmi_opening_draw(sfmi_opening *opening, sfmi_drawn *drawn, sfm_error *error) {
  size_t length;
  *drawn = (sfmi_drawn){0};
  sfm_status status = sfmi_drawn_name(drawn, error);
  if (!status)
    status = opening->settings.engine == SFM_ENGINE_SPECTRAL
                 ? sfmi_making_finish(&opening->making, error)
                 : draw_state(opening, drawn, error);
  if (!status) status = sfmi_release_print(opening->making.release, &drawn->facts, &length, error);
  return status;
}

sfm_status sfmi_identity_store(sfmi_bill *bill, sfmi_stored *stored,
                               const uint8_t identity[SFMI_SESSION_IDENTITY],
                               const uint8_t *fingerprint, sfm_error *error) {
  uint8_t known[SFMI_SESSION_IDENTITY];
  *stored = bill->charge ? SFMI_STORED_NOT : SFMI_STORED;
  if (!bill->charge) return SFM_OK;
  char *answer = sfmi_identity_print(identity);
  sfm_status status = answer ? sfmi_bill_keep(bill, answer, strlen(answer), fingerprint, error)
                             : sfmi_fail_memory(error);
  free(answer);
  if (status && bill->ticket.perhaps) *stored = SFMI_STORED_PERHAPS;
  if (!status) status = sfmi_identity_read(known, bill->ticket.answer, error);
  if (!status)
    *stored = memcmp(known, identity, sizeof known) == 0 ? SFMI_STORED : SFMI_STORED_OTHER;
  return status;
}

sfm_status sfmi_opening_store(sfmi_opening *opening, sfmi_stored *stored,
                              const uint8_t identity[SFMI_SESSION_IDENTITY], sfm_error *error) {
  return sfmi_identity_store(&opening->making.bill, stored, identity, opening->making.fingerprint,
                             error);
}

sfm_status sfmi_opening_end(sfmi_opening *opening, sfm_status status, sfm_error *error) {
  status = sfmi_bill_end(&opening->making.bill, status, error);
  sfmi_making_clear(&opening->making);
  return status;
}
