/* density_run.h - the steps of a density release, for those who do something in between: the choice
 * of a bandwidth, and sessions.
 *
 * prepare: everything that can be refused, from public input alone, and the noise ready to be
 * drawn; after the charge read, draw and band; a session reads by sfmi_process_sums instead. */
#ifndef SFMI_DENSITY_RUN_H
#define SFMI_DENSITY_RUN_H

#include "mechanisms/core/release_run.h"
#include "density_integers.h"
#include "mechanisms/core/gp_noise.h"

typedef struct sfmi_density_run {
  sfmi_release_run base;                /* its release: all that is public of it, at first */
  const sfm_density_settings *settings; /* borrowed */
  sfmi_design_density *design;
  sfmi_hardening hardening;
  sfmi_hardener *hardener; /* this, */
  sfmi_gp_noise *gp_noise; /* or this, */
  sfmi_knorm *knorm;       /* or this */
  size_t count;
  sfmi_i128 *sums; /* PRIVATE, count of them: coefficients, or what the values follow from */
} sfmi_density_run;

/* The run of the settings, which are borrowed, before its first step. */
sfmi_density_run sfmi_density_run_of(sfm_rows *rows, const sfm_density_settings *settings);

/* values: for how many answers the noise of an engine other than spectral is to suffice; 0: for the
 * places of the release. */
SFM_MUST_CHECK sfm_status sfmi_density_run_prepare(sfmi_density_run *run, double values,
                                                   sfm_error *error);
/* Frees what is there, also after a failure. */
void sfmi_density_run_clear(sfmi_density_run *run);

/* What was asked for, as a ledger remembers it; places: also where values are released. */
json_t *sfmi_density_run_parameters(const sfmi_density_run *run, const char *mechanism,
                                    bool places);

/* Steps of a run that is the first member of a sfmi_density_run; read is sum and take. */
SFM_MUST_CHECK sfm_status sfmi_density_run_sum(sfmi_release_run *run, sfmi_sums *sums,
                                               sfm_rows *rows, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_density_run_take(sfmi_release_run *run, sfmi_sums *sums,
                                                sfm_error *error);
bool sfmi_density_run_fits(const sfmi_release_run *run, const sfmi_sums *sums);
SFM_MUST_CHECK sfm_status sfmi_density_run_read(sfmi_release_run *run, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_density_run_draw(sfmi_release_run *run, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_density_run_band(sfmi_release_run *run, sfm_error *error);

#endif
