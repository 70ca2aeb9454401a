/* making.h - the steps of a density release, for those who do something in between: sessions.
 *
 * begin: everything that can be refused, from public input alone, and the noise ready to be drawn;
 * then the charge (billing.h), under sfmi_making_parameters; then the rows: sfmi_making_finish, or
 * for a session sfmi_process_sums; then the answer is stored. */
#ifndef SFMI_MAKING_H
#define SFMI_MAKING_H

#include "data/digest.h"
#include "mechanisms/billing.h"
#include "mechanisms/integers.h"
#include "mechanisms/knorm.h"
#include "mechanisms/placed.h"

typedef struct sfmi_making {
  sfm_rows *rows;                       /* borrowed */
  const sfm_density_settings *settings; /* borrowed */
  sfmi_design *design;
  sfm_release *release; /* all that is public of it, at first */
  sfmi_hardening hardening;
  sfmi_hardener *hardener; /* this, */
  sfmi_placer *placer;     /* or this, */
  sfmi_knorm *knorm;       /* or this */
  sfmi_bill bill;
  uint8_t fingerprint[SFMI_DIGEST_BYTES]; /* of the rows, once they are read under a charge */
} sfmi_making;

/* values: for how many answers the noise of an engine other than spectral is to suffice; 0: for the
 * places of the release. */
SFM_MUST_CHECK sfm_status sfmi_making_begin(sfmi_making *making, sfm_rows *rows,
                                            const sfm_density_settings *settings, double values,
                                            sfm_error *error);
/* Frees what is there, also after a failure. */
void sfmi_making_clear(sfmi_making *making);

/* What was asked for, as a ledger remembers it; places: also where values are released. */
json_t *sfmi_making_parameters(const sfmi_making *making, const char *mechanism, bool places);

/* Reads the rows, draws, and completes the release. */
SFM_MUST_CHECK sfm_status sfmi_making_finish(sfmi_making *making, sfm_error *error);

#endif
