/* gp_noise.h - values of a private function at public places, with the noise of a Gaussian process:
 * the only place where such noise is drawn in a batch.
 *
 * Theorem (docs/proofs/fields.md).  Let neighbours' values at m places differ by
 * (f - f')(x_i) + r_i, with f - f' of norm at most D in K's space and |r_i| at most 2 e.  Let
 * scale = (D + 2 e sqrt(m/(nugget/2)))/mu.  The values released with noise scale (G + W),
 * G ~ GP(0, K), W independent of variance nugget, are mu-GDP.  Idealised: the normals are doubles.
 */
#ifndef SFMI_GP_NOISE_H
#define SFMI_GP_NOISE_H

#include "hardened_noise.h"
#include "releases/core/release_data.h"

/* Everything that is needed to draw, taken before anything is charged. */
typedef struct sfmi_gp_noise sfmi_gp_noise;

SFM_MUST_CHECK sfm_status sfmi_gp_noise_create(sfmi_gp_noise **out, sfm_engine engine,
                                               const sfm_kernel *kernel, const sfmi_places *places,
                                               double nugget, sfmi_seed source, sfm_error *error);
/* Wipes and frees. */
void sfmi_gp_noise_destroy(sfmi_gp_noise *gp_noise);

/* The process, for bands. */
sfmi_field *sfmi_gp_noise_field(sfmi_gp_noise *gp_noise);

/* released[i] = values[i] unit + scale (G + W)(x_i), the sum taken in integers: it is rounded once,
 * to the unit, after the noise. */
void sfmi_gp_noise_add_integers(sfmi_gp_noise *gp_noise, double *released, const sfmi_i128 *values,
                                double unit, double scale);
/* The same for doubles: a value that is not a finite number is taken as 0. */
void sfmi_gp_noise_add(sfmi_gp_noise *gp_noise, double *released, const double *values,
                       double scale);

#endif
