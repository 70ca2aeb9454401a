/* summed.h - the steps of a series release that the audit repeats many times: what is public about
 * its noise, and the private integers the noise is added to. */
#ifndef SFMI_SUMMED_H
#define SFMI_SUMMED_H

#include "data/intake.h"
#include "mechanisms/harden.h"
#include "planner/expanse.h"

/* Law, step and sensitivity of laplace and normal noise. */
SFM_MUST_CHECK sfm_status sfmi_series_hardening(sfmi_hardening *out, const sfmi_expanse *expanse,
                                                const sfm_series_settings *settings,
                                                sfm_error *error);

/* Reads the rows: sums over rows of the basis' functions, in steps.  PRIVATE; the caller wipes and
 * frees them. */
SFM_MUST_CHECK sfm_status sfmi_series_integers(sfmi_i128 **values, const sfmi_expanse *expanse,
                                               sfm_rows *rows, const sfm_series_settings *settings,
                                               sfm_error *error);

#endif
