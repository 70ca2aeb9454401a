/* curves.h - the parts of the release of a mean curve that the audit repeats many times: what is
 * public about its noise, and the private integers the noise is added to. */
#ifndef SFMI_CURVES_H
#define SFMI_CURVES_H

#include "data/intake.h"
#include "mechanisms/harden.h"
#include "planner/draft.h"

/* Law, step and sensitivity of a draft. */
SFM_MUST_CHECK sfm_status sfmi_curve_hardening(sfmi_hardening *out, const sfmi_draft *draft,
                                               double epsilon, sfm_error *error);

/* Reads the rows: the integers before noise, draft->released of them.  PRIVATE; the caller wipes
 * and frees them. */
SFM_MUST_CHECK sfm_status sfmi_curve_integers(sfmi_i128 **values, sfmi_draft *draft, sfm_rows *rows,
                                              const sfm_curve_settings *settings, sfm_error *error);

#endif
