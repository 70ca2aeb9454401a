/* online_creation.h - making an online session, where it meets rows and secrets: the steps of a run
 * (release_run.h), to which the session room adds its files. */
#ifndef SFMI_ONLINE_CREATION_H
#define SFMI_ONLINE_CREATION_H

#include "mechanisms/functions/density_run.h"
#include "online_function.h"
#include "session_identity.h"

typedef struct sfmi_online_creation {
  sfmi_density_run run;          /* its release is the facts */
  sfm_density_settings settings; /* as a release of one place, where the engine is not spectral */
  double place[SFM_MAX_DIMENSION];
  sfmi_i128 *sums; /* PRIVATE */
  sfmi_new_session drawn;
} sfmi_online_creation;

/* The first public checks.  Not moved until it is cleared. */
SFM_MUST_CHECK sfm_status sfmi_online_creation_init(sfmi_online_creation *creation, sfm_rows *rows,
                                                    const sfm_density_settings *settings,
                                                    sfm_error *error);
extern const sfmi_release_steps sfmi_online_creation_steps;
void sfmi_online_creation_clear(sfmi_online_creation *creation);

#endif
