/* bandwidth_selection.h - a density whose bandwidth is chosen privately among candidates.
 *
 * Every candidate is planned and prepared as a release of its own before anything is charged, with
 * what the choice leaves of the budget; the whole budget is charged; rows are read once for the
 * choice (estimators/lattice/cross_validation.h, random/exponential_mechanism.h) and once more for
 * the release that was chosen. docs/proofs/selection.md. */
#ifndef SFMI_BANDWIDTH_SELECTION_H
#define SFMI_BANDWIDTH_SELECTION_H

#include "density_run.h"
#include "planner/density/bandwidth_choice_forecast.h"
#include "random/exponential_mechanism.h"

typedef struct sfmi_bandwidth_selection {
  sfmi_release_run base;             /* its release: the first candidate's, then the chosen one's */
  const sfm_density_settings *asked; /* borrowed */
  size_t count;
  sfmi_choice_budget budget;
  sfm_density_settings *settings; /* one per candidate */
  sfmi_density_run *runs;
  sfmi_cross_validation *cross_validation;
  sfmi_u128 *handicaps; /* public losses, in the units of the private ones */
  sfmi_dyadic_rate rate;
  sfmi_stream *stream;
  sfmi_u128 losses[SFMI_CROSS_VALIDATION_CANDIDATES]; /* PRIVATE */
} sfmi_bandwidth_selection;

/* All public checks.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status
sfmi_bandwidth_selection_begin(sfmi_bandwidth_selection *bandwidth_selection, sfm_rows *rows,
                               const sfm_density_settings *settings, sfm_error *error);
void sfmi_bandwidth_selection_clear(sfmi_bandwidth_selection *bandwidth_selection);

/* Reads the rows into the losses of the candidates, count of them, public ones included.  PRIVATE;
 * the caller wipes them. */
SFM_MUST_CHECK sfm_status
sfmi_bandwidth_selection_read(sfmi_bandwidth_selection *bandwidth_selection, sfmi_u128 *losses,
                              sfm_rows *rows, sfm_error *error);
/* Draws a candidate. */
size_t sfmi_bandwidth_selection_draw(sfmi_bandwidth_selection *bandwidth_selection,
                                     const sfmi_u128 *losses);

/* sfm_density_release for settings with candidates. */
SFM_MUST_CHECK sfm_status sfmi_bandwidth_selection_release(sfm_release **out,
                                                           sfm_density_choice *plan, sfm_rows *rows,
                                                           const sfm_density_settings *settings,
                                                           sfm_error *error);

#endif
