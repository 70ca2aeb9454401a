/* interact_creation.h - making an interactive session, where it meets rows, secrets and the ledger:
 * in the order of online_creation.h. */
#ifndef SFMI_INTERACT_CREATION_H
#define SFMI_INTERACT_CREATION_H

#include "mechanisms/machines/train_run.h"
#include "private_model.h"
#include "session_identity.h"

typedef struct sfmi_interact_creation {
  const sfm_interact_settings *settings; /* borrowed */
  sfm_train_settings train;              /* as the machine is learned */
  sfmi_train_run train_run;              /* without noise of its own; its release is the facts */
  sfmi_design_interact found;
} sfmi_interact_creation;

/* All public checks, and the plan.  Not moved until the end. */
SFM_MUST_CHECK sfm_status sfmi_interact_creation_begin(sfmi_interact_creation *creation,
                                                       sfm_rows *rows,
                                                       const sfm_interact_settings *settings,
                                                       sfm_error *error);
/* The path of the ledger to be charged, from the root; NULL: none. */
const char *sfmi_interact_creation_ledger(const sfmi_interact_creation *creation);
/* As those of online_creation.h. */
SFM_MUST_CHECK sfm_status sfmi_interact_creation_charge(sfmi_interact_creation *creation,
                                                        bool *made,
                                                        uint8_t identity[SFMI_SESSION_IDENTITY],
                                                        sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_interact_creation_draw(sfmi_interact_creation *creation,
                                                      sfmi_new_session *drawn, sfm_error *error);
SFM_MUST_CHECK sfm_status
sfmi_interact_creation_store(sfmi_interact_creation *creation, sfmi_stored *stored,
                             const uint8_t identity[SFMI_SESSION_IDENTITY], sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_interact_creation_end(sfmi_interact_creation *creation,
                                                     sfm_status status, sfm_error *error);

#endif
