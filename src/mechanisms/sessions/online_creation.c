#include "online_creation.h"

#include <stdlib.h>
#include <string.h>

#include "ledger/ledger.h"
#include "session_request.h"
#include "planner/density/design_online.h"
#include "random/stream.h"
#include "releases/band/places_band.h"
#include "releases/core/release_sentence.h"
#include "releases/core/release_write.h"

/* ---- public checks ---- */

sfm_status sfmi_online_creation_begin(sfmi_online_creation *creation, sfm_rows *rows,
                                      const sfm_density_settings *settings, sfm_error *error) {
  *creation = (sfmi_online_creation){.settings = *settings};
  sfm_status status = sfmi_design_online_engine(&creation->settings, error);
  if (status) return status;
  sfmi_design_online_place(&creation->settings,
                           creation->place); /* facts are a release of one place */
  return sfmi_density_run_begin(&creation->run, rows, &creation->settings,
                                sfmi_design_online_values(creation->settings.engine), error);
}

sfm_engine sfmi_online_creation_engine(const sfmi_online_creation *creation) {
  return creation->settings.engine;
}

const char *sfmi_online_creation_ledger(const sfmi_online_creation *creation) {
  const sfm_charge *charge = creation->settings.charge;
  return charge ? sfmi_ledger_path(charge->ledger) : NULL;
}

/* ---- charge, rows, secrets ---- */

sfm_status sfmi_online_creation_charge(sfmi_online_creation *creation, bool *made,
                                       uint8_t identity[SFMI_SESSION_IDENTITY], sfm_error *error) {
  sfmi_density_run *run = &creation->run;
  *made = false;
  if (!creation->settings.charge) return SFM_OK;
  return sfmi_identity_charge(&run->protocol, made, identity, run->release,
                              sfmi_density_run_parameters(run, "online", false), error);
}

/* Everything of the facts but numbers: their one value is nobody's. */
static sfm_status finish_facts(sfm_release *facts, double confidence, sfm_error *error) {
  facts->reals[0] = 0;
  sfm_status status = sfmi_band_places(&facts->band, facts, confidence, 0, NULL, error);
  if (!status && !sfmi_release_write_sentence(facts)) status = sfmi_fail_memory(error);
  return status;
}

static sfm_status draw_state(sfmi_online_creation *creation, sfmi_new_session *drawn,
                             sfm_error *error) {
  sfmi_density_run *run = &creation->run;
  const sfmi_process *process = &run->design->process;
  sfm_release *facts = run->release;
  uint8_t key[SFMI_ONLINE_FUNCTION_KEY];
  sfmi_i128 *sums = NULL;
  sfmi_rows_set_key(run->rows, sfmi_protocol_key(&run->protocol));
  sfm_status status = sfmi_process_sums(&sums, process, run->rows, &creation->settings, error);
  if (!status)
    status = sfmi_protocol_accept_rows(run->rows, run->fingerprint, &run->protocol, error);
  if (!status)
    status = sfmi_seed_bytes(
        key, sizeof key, (sfmi_seed){creation->settings.seeded, creation->settings.seed}, error);
  if (!status)
    status = sfmi_online_function_save(&drawn->state, &drawn->state_length, process, sums,
                                       1 / (sfmi_release_total(facts) * process->mass), key, error);
  sfmi_process_wipe(&sums, process);
  explicit_bzero(key, sizeof key);
  return status ? status : finish_facts(facts, creation->settings.confidence, error);
}

sfm_status sfmi_online_creation_draw(sfmi_online_creation *creation, sfmi_new_session *drawn,
                                     sfm_error *error) {
  size_t length;
  *drawn = (sfmi_new_session){0};
  sfm_status status = sfmi_new_session_identity(drawn, error);
  if (!status)
    status = creation->settings.engine == SFM_ENGINE_SPECTRAL
                 ? sfmi_density_run_finish(&creation->run, error)
                 : draw_state(creation, drawn, error);
  if (!status) status = sfmi_release_print(creation->run.release, &drawn->facts, &length, error);
  return status;
}

sfm_status sfmi_online_creation_store(sfmi_online_creation *creation, sfmi_stored *stored,
                                      const uint8_t identity[SFMI_SESSION_IDENTITY],
                                      sfm_error *error) {
  return sfmi_identity_store(&creation->run.protocol, stored, identity, creation->run.fingerprint,
                             error);
}

sfm_status sfmi_online_creation_end(sfmi_online_creation *creation, sfm_status status,
                                    sfm_error *error) {
  status = sfmi_protocol_end(&creation->run.protocol, status, error);
  sfmi_density_run_clear(&creation->run);
  return status;
}
