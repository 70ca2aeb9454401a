#include "online_creation.h"

#include <string.h>

#include "planner/density/design_online.h"
#include "random/stream.h"
#include "releases/band/band.h"

sfm_status sfmi_online_creation_init(sfmi_online_creation *creation, sfm_rows *rows,
                                     const sfm_density_settings *settings, sfm_error *error) {
  *creation = (sfmi_online_creation){.settings = *settings};
  const sfm_status status = sfmi_design_online_engine(&creation->settings, error);
  if (status) return status;
  sfmi_design_online_place(&creation->settings,
                           creation->place); /* facts are a release of one place */
  creation->run = sfmi_density_run_of(rows, &creation->settings);
  return SFM_OK;
}

/* The coefficients of a spectral function are a release of their own. */
static bool is_spectral(const sfmi_online_creation *creation) {
  return creation->settings.engine == SFM_ENGINE_SPECTRAL;
}

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  sfmi_online_creation *creation = (sfmi_online_creation *)run;
  return sfmi_density_run_prepare(&creation->run,
                                  sfmi_design_online_values(creation->settings.engine), error);
}

static json_t *parameters(const sfmi_release_run *run) {
  return sfmi_density_run_parameters((const sfmi_density_run *)run, "online", false);
}

static sfm_status read(sfmi_release_run *run, sfm_error *error) {
  sfmi_online_creation *creation = (sfmi_online_creation *)run;
  return is_spectral(creation) ? sfmi_density_run_read(run, error)
                               : sfmi_process_sums(&creation->sums, &creation->run.design->process,
                                                   run->rows, &creation->settings, error);
}

static sfm_status draw_state(sfmi_online_creation *creation, sfm_error *error) {
  const sfmi_process *process = &creation->run.design->process;
  const double scale = 1 / (sfmi_release_total(creation->run.base.release) * process->mass);
  sfmi_new_session *drawn = &creation->drawn;
  uint8_t key[SFMI_ONLINE_FUNCTION_KEY];
  sfm_status status = sfmi_seed_bytes(key, sizeof key, creation->run.base.seed, error);
  if (!status)
    status = sfmi_online_function_save(&drawn->state, &drawn->state_length, process, creation->sums,
                                       scale, key, error);
  explicit_bzero(key, sizeof key);
  return status;
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  sfmi_online_creation *creation = (sfmi_online_creation *)run;
  const sfm_status status = sfmi_new_session_identity(&creation->drawn, error);
  if (status) return status;
  return is_spectral(creation) ? sfmi_density_run_draw(run, error) : draw_state(creation, error);
}

/* Everything of the facts but numbers: their one value is nobody's. */
static sfm_status finish(sfmi_release_run *run, sfm_error *error) {
  sfmi_online_creation *creation = (sfmi_online_creation *)run;
  if (is_spectral(creation)) return sfmi_density_run_band(run, error);
  run->release->reals[0] = 0;
  return sfmi_band_places(&run->release->band, run->release, creation->settings.context.confidence,
                          0, NULL, error);
}

const sfmi_release_steps sfmi_online_creation_steps = {
    .prepare = prepare, .parameters = parameters, .read = read, .draw = draw, .finish = finish};

void sfmi_online_creation_clear(sfmi_online_creation *creation) {
  if (creation->sums) sfmi_process_wipe(&creation->sums, &creation->run.design->process);
  sfmi_new_session_clear(&creation->drawn);
  sfmi_density_run_clear(&creation->run);
}
