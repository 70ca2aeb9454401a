/* curve_release.h - the parts of the release of a mean curve that the audit repeats many times:
 * what is public about its noise, and the private integers the noise is added to. */
#ifndef SFMI_CURVE_RELEASE_H
#define SFMI_CURVE_RELEASE_H

#include "data/rows/rows.h"
#include "mechanisms/core/hardened_noise.h"
#include "planner/design/design_curve.h"

/* Law, step and sensitivity of a design. */
SFM_MUST_CHECK sfm_status sfmi_curve_hardening(sfmi_hardening *out,
                                               const sfmi_design_curve *curve_design,
                                               double epsilon, sfm_error *error);

/* Reads the rows: the integers before noise, curve_design->released of them.  PRIVATE; the caller
 * wipes and frees them. */
SFM_MUST_CHECK sfm_status sfmi_curve_integers(sfmi_i128 **values, sfmi_design_curve *curve_design,
                                              sfm_rows *rows, const sfm_curve_settings *settings,
                                              sfm_error *error);

#endif
