/* design_online.h - what is decided of a session before its rows are opened: engine, and for how
 * many answers its noise is made. */
#ifndef SFMI_DESIGN_ONLINE_H
#define SFMI_DESIGN_ONLINE_H

#include "sfumato/density.h"

/* Most answers of a gram session: m^2 2^-53 <= 2^-21, half of the nugget. */
#define SFMI_DESIGN_ONLINE_GRAM ((size_t)1 << 16)

/* Sets method and, when none is asked for, the engine: spectral, else markov, else gram; never
 * circulant, whose places are a grid known beforehand.  Refuses what no session can be. */
SFM_MUST_CHECK sfm_status sfmi_design_online_engine(sfm_density_settings *settings,
                                                    sfm_error *error);

/* For how many values, of all copies together, the sensitivity of an engine's noise is made.
 * markov: every place there is.  gram: more than there can be; what is not used of it pays for the
 * rounding of factors (docs/proofs/online.md). */
double sfmi_design_online_values(sfm_engine engine);

/* A session is planned and kept as a release of one place, which one does not matter: the lower
 * bounds, for which place has room.  spectral has none. */
void sfmi_design_online_place(sfm_density_settings *settings, double *place);

#endif
