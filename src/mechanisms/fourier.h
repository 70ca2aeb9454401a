/* fourier.h - the steps of fourier-laplace and caratheodory that are theirs alone. */
#ifndef SFMI_FOURIER_H
#define SFMI_FOURIER_H

#include "mechanisms/harden.h"
#include "mechanisms/knorm.h"
#include "planner/design.h"
#include "releases/contents.h"

/* fourier-laplace: law, step and sensitivity.  caratheodory: the unit of the integers, which are
 * not rounded, and the sensitivity. */
SFM_MUST_CHECK sfm_status sfmi_fourier_hardening(sfmi_hardening *out, const sfmi_design *design,
                                                 double epsilon, sfm_error *error);

/* The constant's coefficient, which is public: n, in steps. */
sfmi_i128 sfmi_fourier_constant(const sfmi_design *design, const sfmi_hardening *hardening);

/* All that is public of the release but for its columns. */
SFM_MUST_CHECK sfm_status sfmi_fourier_outline(sfm_release *release, const sfmi_design *design,
                                               const sfmi_hardening *hardening, double epsilon,
                                               sfm_error *error);

/* caratheodory: the release's coefficients from the integers. */
SFM_MUST_CHECK sfm_status sfmi_fourier_idealise(sfm_release *release, sfmi_knorm *knorm,
                                                const sfmi_i128 *values, double step,
                                                sfmi_knorm_listener listener, sfm_error *error);

#endif
