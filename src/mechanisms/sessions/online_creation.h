/* online_creation.h - making a session, where it meets rows, secrets and the ledger: in this order,
 * with what the session room does in between.
 *
 *   sfmi_online_creation_begin    all public checks
 *                                 (paths are checked, and locked)
 *   sfmi_online_creation_charge   the charge, durable (charge_protocol.h); or the identity of the
 *                                 session that this request has made before
 *   sfmi_online_creation_draw     rows are read; where there is a ledger, they must be those that
 *                                 it knows; facts and state of a random function are drawn
 *                                 (the session file is written, durably, not yet to be asked)
 *   sfmi_online_creation_store    its identity goes into the ledger, durably
 *                                 (the file is sealed and gets its name)
 *   sfmi_online_creation_end
 *
 * So every session that can be asked was charged, and a charge has one session. */
#ifndef SFMI_ONLINE_CREATION_H
#define SFMI_ONLINE_CREATION_H

#include "mechanisms/functions/density_run.h"
#include "online_function.h"
#include "session_identity.h"

typedef struct sfmi_online_creation {
  sfm_density_settings settings; /* as a release of one place, where the engine is not spectral */
  double place[SFM_MAX_DIMENSION];
  sfmi_density_run run;
} sfmi_online_creation;

/* Not moved until the end. */
SFM_MUST_CHECK sfm_status sfmi_online_creation_begin(sfmi_online_creation *creation, sfm_rows *rows,
                                                     const sfm_density_settings *settings,
                                                     sfm_error *error);
sfm_engine sfmi_online_creation_engine(const sfmi_online_creation *creation);
/* The path of the ledger to be charged, from the root; NULL: none. */
const char *sfmi_online_creation_ledger(const sfmi_online_creation *creation);

/* *made: this request has a session already, and this is its identity. */
SFM_MUST_CHECK sfm_status sfmi_online_creation_charge(sfmi_online_creation *creation, bool *made,
                                                      uint8_t identity[SFMI_SESSION_IDENTITY],
                                                      sfm_error *error);

SFM_MUST_CHECK sfm_status sfmi_online_creation_draw(sfmi_online_creation *creation,
                                                    sfmi_new_session *drawn, sfm_error *error);

SFM_MUST_CHECK sfm_status sfmi_online_creation_store(sfmi_online_creation *creation,
                                                     sfmi_stored *stored,
                                                     const uint8_t identity[SFMI_SESSION_IDENTITY],
                                                     sfm_error *error);

/* The last step, also after a failure: what fails after the charge says so. */
SFM_MUST_CHECK sfm_status sfmi_online_creation_end(sfmi_online_creation *creation,
                                                   sfm_status status, sfm_error *error);

#endif
