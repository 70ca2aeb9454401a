/* density_release.c - private rows in, a density out: hardened, or values at places by an engine.
 */
#include "bandwidth_selection.h"
#include "base/system/sized_struct.h"
#include "density_run.h"

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  return sfmi_density_run_prepare((sfmi_density_run *)run, 0, error);
}

static json_t *parameters(const sfmi_release_run *run) {
  return sfmi_density_run_parameters((const sfmi_density_run *)run, "density", true);
}

static const sfmi_release_steps steps = {.prepare = prepare,
                                         .parameters = parameters,
                                         .read = sfmi_density_run_read,
                                         .draw = sfmi_density_run_draw,
                                         .finish = sfmi_density_run_band};

sfm_status sfm_density_release(sfm_release **out, sfm_density_choice *plan, sfm_rows *rows,
                               const sfm_density_settings *given, sfm_error *error) {
  sfm_density_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_density_settings, &taken, given, error);
  if (status) return status;
  if (taken.candidate_count)
    return sfmi_bandwidth_selection_release(out, plan, rows, &taken, error);
  sfmi_density_run run = sfmi_density_run_of(rows, &taken);
  run.base.steps = &steps;
  status = sfmi_release_run_all(out, &run.base, error);
  if (plan && !status) *plan = run.design->plan;
  sfmi_density_run_clear(&run);
  return status;
}
