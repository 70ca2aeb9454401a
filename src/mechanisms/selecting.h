/* selecting.h - a density whose bandwidth is chosen privately among candidates.
 *
 * Every candidate is planned and prepared as a release of its own before anything is charged, with
 * what the choice leaves of the budget; the whole budget is charged; rows are read once for the
 * choice (estimators/pairs.h, random/exponential.h) and once more for the release that was chosen.
 * docs/proofs/selection.md. */
#ifndef SFMI_SELECTING_H
#define SFMI_SELECTING_H

#include "mechanisms/making.h"
#include "planner/choice.h"
#include "random/exponential.h"

typedef struct sfmi_selecting {
  size_t count;
  sfmi_budget budget;
  sfm_density_settings *settings; /* one a candidate */
  sfmi_making *makings;
  sfmi_pairs *pairs;
  sfmi_u128 *handicaps; /* public losses, in the units of the private ones */
  sfmi_rate rate;
  sfmi_stream *stream;
} sfmi_selecting;

/* All public checks.  Clear it also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_selecting_begin(sfmi_selecting *selecting, sfm_rows *rows,
                                               const sfm_density_settings *settings,
                                               sfm_error *error);
void sfmi_selecting_clear(sfmi_selecting *selecting);

/* Reads the rows into the losses of the candidates, count of them, public ones included.  PRIVATE;
 * the caller wipes them. */
SFM_MUST_CHECK sfm_status sfmi_selecting_read(sfmi_selecting *selecting, sfmi_u128 *losses,
                                              sfm_rows *rows, sfm_error *error);
/* Draws a candidate. */
size_t sfmi_selecting_draw(sfmi_selecting *selecting, const sfmi_u128 *losses);

/* sfm_density_release for settings with candidates. */
SFM_MUST_CHECK sfm_status sfmi_density_select(sfm_release **out, sfm_density_plan *plan,
                                              sfm_rows *rows, const sfm_density_settings *settings,
                                              sfm_error *error);

#endif
