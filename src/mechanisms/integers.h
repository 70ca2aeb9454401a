/* integers.h - the two halves of a density release that the audit repeats many times: what is
 * public about its noise, and the private integers the noise is added to. */
#ifndef SFMI_INTEGERS_H
#define SFMI_INTEGERS_H

#include "data/intake.h"
#include "mechanisms/harden.h"
#include "planner/design.h"

/* Law, step and sensitivity of a design.  Opens no rows, so it also refuses before they are. */
SFM_MUST_CHECK sfm_status sfmi_density_hardening(sfmi_hardening *out, const sfmi_design *design,
                                                 double epsilon, sfm_error *error);

/* How many integers are released. */
size_t sfmi_density_length(const sfmi_design *design);

/* Reads the rows: the integers before noise.  PRIVATE; the caller wipes and frees them. */
SFM_MUST_CHECK sfm_status sfmi_density_integers(sfmi_i128 **values, const sfmi_design *design,
                                                const sfmi_hardening *hardening, sfm_rows *rows,
                                                const sfm_density_settings *settings,
                                                sfm_error *error);

#endif
