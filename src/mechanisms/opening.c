#include "mechanisms/opening.h"

#include <stdlib.h>
#include <string.h>

#include "mechanisms/payment.h"
#include "random/stream.h"
#include "releases/pointband.h"

/* ---- public checks ---- */

/* With more variables its features are never few enough: 43 an axis at the least. */
enum { SPECTRAL_MOST = 4 };

/* The engine when none is asked for; never circulant, whose places are a grid known beforehand. */
static sfm_status choose_engine(sfm_density_settings *settings, sfm_error *error) {
  const sfm_kernel kernel = {.family = settings->kernel, .dimension = settings->dimension};
  static const char *const methods[] = {"auto",    "lattice",         "gp",
                                        "sobolev", "fourier-laplace", "caratheodory"};
  if (settings->method != SFM_DENSITY_AUTO && settings->method != SFM_DENSITY_GP)
    return sfmi_fail(
        error, SFM_INVALID,
        "a session is a Gaussian process of its own kernel: leave out --method %s, and "
        "give a --delta",
        methods[settings->method]);
  if (settings->kernel == SFM_KERNEL_OWN)
    return sfmi_fail(error, SFM_INVALID,
                     "a kernel of your own cannot be kept in a session file: use one from gaussian "
                     "to cauchy");
  if (settings->engine == SFM_ENGINE_CIRCULANT)
    return sfmi_fail(error, SFM_INVALID,
                     "the engine circulant draws all places of a grid at once; a session is drawn "
                     "by spectral, markov or gram");
  if (settings->engine == SFM_ENGINE_RANDOM)
    return sfmi_fail(error, SFM_INVALID,
                     "random features are released at once and answer for ever by themselves "
                     "(sfumato density --engine random); a session is drawn by spectral, markov or "
                     "gram");
  settings->method = SFM_DENSITY_GP;
  const bool spectral =
      settings->kernel == SFM_KERNEL_GAUSSIAN && settings->dimension <= SPECTRAL_MOST;
  if (settings->engine == SFM_ENGINE_AUTO)
    settings->engine = spectral                      ? SFM_ENGINE_SPECTRAL
                       : sfmi_kernel_markov(&kernel) ? SFM_ENGINE_MARKOV
                                                     : SFM_ENGINE_GRAM;
  return SFM_OK;
}

/* Facts are a release of one place; which one does not matter. */
static void set_place(sfmi_opening *opening) {
  sfm_density_settings *settings = &opening->settings;
  memset(settings->release_grid, 0, sizeof settings->release_grid);
  settings->release_points = NULL;
  settings->release_count = 0;
  if (settings->engine == SFM_ENGINE_SPECTRAL) return;
  for (size_t a = 0; a < settings->dimension && a < SFM_MAX_DIMENSION; a++) {
    const sfm_column *column = settings->schema && settings->columns
                                   ? sfm_schema_find(settings->schema, settings->columns[a])
                                   : NULL;
    if (column && column->has_bounds) opening->place[a] = column->lower;
  }
  settings->release_points = opening->place;
  settings->release_count = 1;
}

sfm_status sfmi_opening_begin(sfmi_opening *opening, sfm_rows *rows,
                              const sfm_density_settings *settings, sfm_error *error) {
  *opening = (sfmi_opening){.settings = *settings};
  sfm_status status = choose_engine(&opening->settings, error);
  if (status) return status;
  set_place(opening);
  return sfmi_making_begin(&opening->making, rows, &opening->settings,
                           sfmi_frozen_values(opening->settings.engine), error);
}

sfm_engine sfmi_opening_engine(const sfmi_opening *opening) {
  return opening->settings.engine;
}

const char *sfmi_opening_ledger(const sfmi_opening *opening) {
  const sfm_charge *charge = opening->settings.charge;
  return charge ? sfmi_ledger_path(charge->ledger) : NULL;
}

/* ---- charge, rows, secrets ---- */

sfm_status sfmi_opening_charge(sfmi_opening *opening, bool *made,
                               uint8_t identity[SFMI_SESSION_IDENTITY], sfm_error *error) {
  sfmi_making *making = &opening->making;
  *made = false;
  if (!opening->settings.charge) return SFM_OK;
  sfm_status status = sfmi_bill_pay(&making->bill, making->release,
                                    sfmi_making_parameters(making, "online", false), error);
  if (!status && making->bill.ticket.answer) {
    *made = true;
    status = sfmi_identity_read(identity, making->bill.ticket.answer, error);
  }
  return status;
}

static void draw_bytes(uint8_t *bytes, size_t count, sfmi_stream *stream) {
  for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
    const uint64_t word = sfmi_stream_word(stream);
    memcpy(bytes + i, &word, sizeof word);
  }
}

/* Identity and hash key are nobody's guess even where the noise is: they tell sessions apart. */
static sfm_status draw_names(sfmi_drawn *drawn, sfm_error *error) {
  sfmi_stream *stream = NULL;
  sfm_status status = sfmi_stream_create(&stream, error);
  if (status) return status;
  draw_bytes(drawn->identity, sizeof drawn->identity, stream);
  draw_bytes(drawn->key, sizeof drawn->key, stream);
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

static sfm_status draw_state(sfmi_opening *opening, sfmi_drawn *drawn, sfm_error *error) {
  sfmi_making *making = &opening->making;
  const sfmi_process *process = &making->design->process;
  sfm_release *facts = making->release;
  uint8_t key[SFMI_FROZEN_KEY];
  sfmi_i128 *sums = NULL;
  sfmi_rows_set_key(making->rows, sfmi_bill_key(&making->bill));
  sfm_status status = sfmi_process_sums(&sums, process, making->rows, &opening->settings, error);
  if (!status && opening->settings.charge) sfmi_rows_fingerprint(making->rows, making->fingerprint);
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
  sfm_status status = draw_names(drawn, error);
  if (!status)
    status = opening->settings.engine == SFM_ENGINE_SPECTRAL
                 ? sfmi_making_finish(&opening->making, error)
                 : draw_state(opening, drawn, error);
  if (!status) status = sfmi_release_print(opening->making.release, &drawn->facts, &length, error);
  return status;
}

sfm_status sfmi_opening_store(sfmi_opening *opening, bool *mine,
                              const uint8_t identity[SFMI_SESSION_IDENTITY], sfm_error *error) {
  sfmi_bill *bill = &opening->making.bill;
  uint8_t stored[SFMI_SESSION_IDENTITY];
  *mine = true;
  if (!opening->settings.charge) return SFM_OK;
  char *answer = sfmi_identity_print(identity);
  sfm_status status =
      answer ? sfmi_bill_keep(bill, answer, strlen(answer), opening->making.fingerprint, error)
             : sfmi_fail_memory(error);
  free(answer);
  if (!status) status = sfmi_identity_read(stored, bill->ticket.answer, error);
  if (!status) *mine = memcmp(stored, identity, sizeof stored) == 0;
  return status;
}

sfm_status sfmi_opening_end(sfmi_opening *opening, sfm_status status, sfm_error *error) {
  status = sfmi_bill_end(&opening->making.bill, status, error);
  sfmi_making_clear(&opening->making);
  return status;
}
