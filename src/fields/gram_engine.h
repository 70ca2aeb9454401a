/* gram_engine.h - the engine gram: any kernel at any places, by a Cholesky factor. */
#ifndef SFMI_GRAM_ENGINE_H
#define SFMI_GRAM_ENGINE_H

#include "gaussian_field.h"

/* Most places: the matrix is places x places. */
#define SFMI_GRAM_MAX ((size_t)10000)

/* row[j] = K(point i, point j) for j <= i, and the nugget added at i.  Refuses what is not finite,
 * and K(x, x) beyond sfm_kernel_sup: the nugget is measured by that. */
SFM_MUST_CHECK sfm_status sfmi_gram_row(double *row, const double *points, size_t i,
                                        const sfm_kernel *kernel, double nugget, sfm_error *error);

/* Kernel and places suit (sfmi_field_suits), nugget >= 0. */
SFM_MUST_CHECK sfm_status sfmi_gram_create(sfmi_field **out, const sfm_kernel *kernel,
                                           const sfmi_places *places, double nugget,
                                           sfm_error *error);

#endif
