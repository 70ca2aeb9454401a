/* fourier.h - the steps of fourier-laplace and caratheodory that are theirs alone. */
#ifndef SFMI_FOURIER_H
#define SFMI_FOURIER_H

#include "mechanisms/harden.h"
#include "mechanisms/knorm.h"
#include "planner/design.h"
#include "releases/contents.h"

/* The constant's coefficient, which is public: n, in steps. */
sfmi_i128 sfmi_fourier_constant(const sfmi_design *design, const sfmi_hardening *hardening);

/* caratheodory: the release's coefficients from the integers. */
SFM_MUST_CHECK sfm_status sfmi_fourier_idealise(sfm_release *release, sfmi_knorm *knorm,
                                                const sfmi_i128 *values, double step,
                                                sfmi_knorm_listener listener, sfm_error *error);

#endif
