/* density_release.c - private rows in, a density out: hardened, or values at places by an engine.
 *
 * Order of events: all public input is checked, and where the number of rows is public they are
 * counted, not interpreted; the ledger is charged (charge_protocol.h); rows are read; noise is
 * drawn; the release is stored in the ledger, and handed back to be shown. */
#include "bandwidth_selection.h"
#include "density_run.h"

sfm_status sfm_density_release(sfm_release **out, sfm_density_plan *plan, sfm_rows *rows,
                               const sfm_density_settings *settings, sfm_error *error) {
  *out = NULL;
  if (settings->candidate_count)
    return sfmi_bandwidth_selection_release(out, plan, rows, settings, error);
  sfm_release *stored = NULL;
  sfmi_density_run run;
  sfm_status status = sfmi_density_run_begin(&run, rows, settings, 0, error);
  if (!status)
    status = sfmi_protocol_charge(
        &run.protocol, &stored, run.release,
        settings->charge ? sfmi_density_run_parameters(&run, "density", true) : NULL, error);
  if (!status && !stored) {
    status = sfmi_density_run_finish(&run, error);
    if (!status) status = sfmi_protocol_store(&run.protocol, &run.release, run.fingerprint, error);
  }
  status = sfmi_protocol_end(&run.protocol, status, error);
  if (plan && !status) *plan = run.design->plan;
  if (!status && !stored) {
    stored = run.release;
    run.release = NULL;
  }
  sfmi_density_run_clear(&run);
  *out = stored;
  return status;
}
