/* density_release.c - private rows in, a density out: hardened, or values at places by an engine.
 */
#include <stddef.h>
#include <stdlib.h>

#include "bandwidth_selection.h"
#include "base/system/sized_struct.h"
#include "density_run.h"
#include "mechanisms/core/partial_run.h"
#include "planner/density/density_remarks.h"

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  sfmi_density_run *density = (sfmi_density_run *)run;
  const sfm_status status = sfmi_density_run_prepare(density, 0, error);
  if (!status) sfmi_density_remarks(density->settings);
  return status;
}

static json_t *parameters(const sfmi_release_run *run) {
  return sfmi_density_run_parameters((const sfmi_density_run *)run, "density", true);
}

static const sfmi_release_steps steps = {.prepare = prepare,
                                         .parameters = parameters,
                                         .sum = sfmi_density_run_sum,
                                         .take = sfmi_density_run_take,
                                         .fits = sfmi_density_run_fits,
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

static void clear_run(sfmi_release_run *run) {
  sfmi_density_run_clear((sfmi_density_run *)run);
}

static const sfmi_partial_kind partial_kind =
    SFMI_PARTIAL_KIND(steps, sfmi_density_run, settings, clear_run);

sfm_status sfm_density_partial_create(sfm_partial **out, const sfm_density_settings *given,
                                      const sfm_part *part, sfm_error *error) {
  sfm_density_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_density_settings, &taken, given, error);
  if (!status && taken.candidate_count)
    status = sfmi_fail(error, SFM_INVALID,
                       "a bandwidth that is chosen among candidates needs all rows at once: state "
                       "settings.bandwidth, or leave out settings.candidates");
  return status ? status : sfmi_partial_create(out, &partial_kind, &taken, part, error);
}
