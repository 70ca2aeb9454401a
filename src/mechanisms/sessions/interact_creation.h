/* interact_creation.h - making an interactive session, where it meets rows and secrets: the steps
 * of a run (release_run.h), to which the session room adds its files. */
#ifndef SFMI_INTERACT_CREATION_H
#define SFMI_INTERACT_CREATION_H

#include "mechanisms/machines/train_run.h"
#include "private_model.h"
#include "session_identity.h"

typedef struct sfmi_interact_creation {
  sfmi_train_run train_run;              /* without noise of its own; its release is the facts */
  const sfm_interact_settings *settings; /* borrowed */
  sfm_train_settings train;              /* as the machine is learned */
  sfmi_design_interact found;
  sfmi_new_session drawn;
} sfmi_interact_creation;

/* The first public checks.  Not moved until it is cleared. */
SFM_MUST_CHECK sfm_status sfmi_interact_creation_init(sfmi_interact_creation *creation,
                                                      sfm_rows *rows,
                                                      const sfm_interact_settings *settings,
                                                      sfm_error *error);
extern const sfmi_release_steps sfmi_interact_creation_steps;
void sfmi_interact_creation_clear(sfmi_interact_creation *creation);

#endif
