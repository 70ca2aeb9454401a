/* enrolling.h - making an interactive session, where it meets rows, secrets and the ledger: in the
 * order of opening.h. */
#ifndef SFMI_ENROLLING_H
#define SFMI_ENROLLING_H

#include "mechanisms/machining.h"
#include "mechanisms/opening.h"
#include "mechanisms/tutor.h"

typedef struct sfmi_enrolling {
  const sfm_interact_settings *settings; /* borrowed */
  sfm_train_settings train;              /* as the machine is learned */
  sfmi_machining machining; /* of it the settings, rows, bill, learning, facts and fingerprint */
  sfmi_interacting found;
} sfmi_enrolling;

/* All public checks, and the plan.  Not moved until the end. */
SFM_MUST_CHECK sfm_status sfmi_enrolling_begin(sfmi_enrolling *enrolling, sfm_rows *rows,
                                               const sfm_interact_settings *settings,
                                               sfm_error *error);
/* The path of the ledger to be charged, from the root; NULL: none. */
const char *sfmi_enrolling_ledger(const sfmi_enrolling *enrolling);
/* As those of opening.h. */
SFM_MUST_CHECK sfm_status sfmi_enrolling_charge(sfmi_enrolling *enrolling, bool *made,
                                                uint8_t identity[SFMI_SESSION_IDENTITY],
                                                sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_enrolling_draw(sfmi_enrolling *enrolling, sfmi_drawn *drawn,
                                              sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_enrolling_store(sfmi_enrolling *enrolling, sfmi_stored *stored,
                                               const uint8_t identity[SFMI_SESSION_IDENTITY],
                                               sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_enrolling_end(sfmi_enrolling *enrolling, sfm_status status,
                                             sfm_error *error);

#endif
