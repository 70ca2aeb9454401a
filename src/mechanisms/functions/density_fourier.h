/* density_fourier.h - the steps of fourier-laplace and caratheodory that are theirs alone. */
#ifndef SFMI_DENSITY_FOURIER_H
#define SFMI_DENSITY_FOURIER_H

#include "mechanisms/core/hardened_noise.h"
#include "mechanisms/core/knorm.h"
#include "planner/density/design_density.h"
#include "releases/core/release_data.h"

/* The constant's coefficient, which is public: n, in steps. */
sfmi_i128 sfmi_fourier_constant(const sfmi_design_density *design, const sfmi_hardening *hardening);

/* caratheodory: the release's coefficients from the integers. */
SFM_MUST_CHECK sfm_status sfmi_fourier_idealise(sfm_release *release, sfmi_knorm *knorm,
                                                const sfmi_i128 *values, double step,
                                                const sfm_context *context, sfm_error *error);

#endif
