/* circulant_engine.h - the engine circulant: a stationary kernel on a regular grid. */
#ifndef SFMI_CIRCULANT_ENGINE_H
#define SFMI_CIRCULANT_ENGINE_H

#include "gaussian_field.h"

/* Most dimensions, and most places of the torus that a grid is laid into (1 GiB of numbers, and as
 * many normals). */
#define SFMI_CIRCULANT_DIMENSIONS 3
#define SFMI_CIRCULANT_MAX ((size_t)1 << 27)

/* Whether sfmi_circulant_create is likely to find a torus, judged by bandwidths and grid alone.
 * Only sfmi_circulant_create tries it. */
bool sfmi_circulant_likely(const sfm_kernel *kernel, const sfmi_places *places);

/* Kernel and places suit (sfmi_field_suits), nugget >= 0; the torus has at most `most` places. */
SFM_MUST_CHECK sfm_status sfmi_circulant_create(sfmi_field **out, const sfm_kernel *kernel,
                                                const sfmi_places *places, double nugget,
                                                size_t most, sfm_error *error);

#endif
