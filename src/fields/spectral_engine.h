/* spectral_engine.h - the engine spectral: a Gaussian kernel through its features on a torus. */
#ifndef SFMI_SPECTRAL_ENGINE_H
#define SFMI_SPECTRAL_ENGINE_H

#include "gaussian_field.h"

/* Most features. */
#define SFMI_SPECTRAL_MAX ((size_t)1 << 24)

/* Kernel and places suit (sfmi_field_suits), nugget >= 0. */
SFM_MUST_CHECK sfm_status sfmi_spectral_create(sfmi_field **out, const sfm_kernel *kernel,
                                               const sfmi_places *places, double nugget,
                                               sfm_error *error);

#endif
