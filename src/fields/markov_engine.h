/* markov_engine.h - the engine markov: laplacian and matern kernels of one variable. */
#ifndef SFMI_MARKOV_ENGINE_H
#define SFMI_MARKOV_ENGINE_H

#include "gaussian_field.h"

/* Kernel and places suit (sfmi_field_suits), nugget >= 0. */
SFM_MUST_CHECK sfm_status sfmi_markov_create(sfmi_field **out, const sfm_kernel *kernel,
                                             const sfmi_places *places, double nugget,
                                             sfm_error *error);

#endif
