/* density_run.h - the steps of a density release, for those who do something in between: sessions.
 *
 * begin: everything that can be refused, from public input alone, and the noise ready to be drawn;
 * then the charge (charge_protocol.h), under sfmi_density_run_parameters; then the rows:
 * sfmi_density_run_finish, or for a session sfmi_process_sums; then the answer is stored. */
#ifndef SFMI_DENSITY_RUN_H
#define SFMI_DENSITY_RUN_H

#include "data/format/row_digest.h"
#include "mechanisms/core/charge_protocol.h"
#include "density_integers.h"
#include "mechanisms/core/knorm.h"
#include "mechanisms/core/gp_noise.h"

typedef struct sfmi_density_run {
  sfm_rows *rows;                       /* borrowed */
  const sfm_density_settings *settings; /* borrowed */
  sfmi_design_density *design;
  sfm_release *release; /* all that is public of it, at first */
  sfmi_hardening hardening;
  sfmi_hardener *hardener; /* this, */
  sfmi_gp_noise *gp_noise; /* or this, */
  sfmi_knorm *knorm;       /* or this */
  sfmi_protocol protocol;
  uint8_t fingerprint[SFMI_DIGEST_BYTES]; /* of the rows, once they are read under a charge */
} sfmi_density_run;

/* values: for how many answers the noise of an engine other than spectral is to suffice; 0: for the
 * places of the release. */
SFM_MUST_CHECK sfm_status sfmi_density_run_begin(sfmi_density_run *run, sfm_rows *rows,
                                                 const sfm_density_settings *settings,
                                                 double values, sfm_error *error);
/* Frees what is there, also after a failure. */
void sfmi_density_run_clear(sfmi_density_run *run);

/* What was asked for, as a ledger remembers it; places: also where values are released. */
json_t *sfmi_density_run_parameters(const sfmi_density_run *run, const char *mechanism,
                                    bool places);

/* Reads the rows, draws, and completes the release. */
SFM_MUST_CHECK sfm_status sfmi_density_run_finish(sfmi_density_run *run, sfm_error *error);

#endif
