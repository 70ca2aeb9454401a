/* series_release.h - the steps of a series release that the audit repeats many times: what is
 * public about its noise, and the private integers the noise is added to. */
#ifndef SFMI_SERIES_RELEASE_H
#define SFMI_SERIES_RELEASE_H

#include "data/rows/rows.h"
#include "mechanisms/core/hardened_noise.h"
#include "planner/design/design_series.h"

/* Law, step and sensitivity of laplace and normal noise. */
SFM_MUST_CHECK sfm_status sfmi_series_hardening(sfmi_hardening *out,
                                                const sfmi_design_series *series_design,
                                                const sfm_series_settings *settings,
                                                sfm_error *error);

/* Reads the rows: sums over rows of the basis' functions, in steps.  PRIVATE; the caller wipes and
 * frees them. */
SFM_MUST_CHECK sfm_status sfmi_series_integers(sfmi_i128 **values,
                                               const sfmi_design_series *series_design,
                                               sfm_rows *rows, const sfm_series_settings *settings,
                                               sfm_error *error);

#endif
