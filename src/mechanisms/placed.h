/* placed.h - values of a private function at public places, with the noise of a Gaussian process:
 * the only place where such noise is drawn in a batch.
 *
 * Theorem (docs/proofs/fields.md).  Let neighbours' values differ by (f - f')(x_i) + r_i, with f -
 * f' of norm at most D in K's space and |r_i| at most 2 e.  Released with noise scale (G + W), G ~
 * GP(0, K), W independent of variance nugget, scale = (D + 2 e sqrt(m/(nugget/2)))/mu, they are
 * mu-GDP. Idealised: the normals are doubles. */
#ifndef SFMI_PLACED_H
#define SFMI_PLACED_H

#include "mechanisms/harden.h"
#include "releases/contents.h"

/* Everything that is needed to draw, taken before anything is charged. */
typedef struct sfmi_placer sfmi_placer;

SFM_MUST_CHECK sfm_status sfmi_placer_create(sfmi_placer **out, sfm_engine engine,
                                             const sfm_kernel *kernel, const sfmi_places *places,
                                             double nugget, sfmi_seed source, sfm_error *error);
/* Wipes and frees. */
void sfmi_placer_destroy(sfmi_placer *placer);

/* The process, for bands. */
sfmi_field *sfmi_placer_field(sfmi_placer *placer);

/* released[i] = values[i] unit + scale (G + W)(x_i), the sum taken in integers: it is rounded once,
 * to the unit, after the noise. */
void sfmi_placer_add_integers(sfmi_placer *placer, double *released, const sfmi_i128 *values,
                              double unit, double scale);
/* The same for doubles: what is not a finite number counts as zero. */
void sfmi_placer_add(sfmi_placer *placer, double *released, const double *values, double scale);

#endif
