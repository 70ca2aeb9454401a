/* field_engines.h - what gaussian_field.c knows of each engine. */
#ifndef SFMI_FIELD_ENGINES_H
#define SFMI_FIELD_ENGINES_H

#include "gaussian_field.h"

/* Circulant: most dimensions, and most places of the torus a grid is laid into (1 GiB of numbers,
 * and as many normals). */
#define SFMI_CIRCULANT_DIMENSIONS 3
#define SFMI_CIRCULANT_MAX ((size_t)1 << 27)

/* Spectral: most features. */
#define SFMI_SPECTRAL_MAX ((size_t)1 << 24)

/* An engine's own state begins with this. */
struct sfmi_field {
  size_t count;   /* places */
  size_t normals; /* of a path */
  double nugget;
  double excess;
  void (*path)(sfmi_field *field, double *path, double *normals);
  void (*destroy)(sfmi_field *field);
};

/* Whether the places are finite, distinct if they are a grid, not too many, and of the kernel's
 * dimension. */
SFM_MUST_CHECK sfm_status sfmi_places_check(const sfmi_places *places, const sfm_kernel *kernel,
                                            sfm_error *error);

/* Whether sfmi_circulant_create will find a torus, as far as can be said from bandwidths and grid:
 * it is what tries. */
bool sfmi_circulant_likely(const sfm_kernel *kernel, const sfmi_places *places);

/* row[j] = K(point i, point j) for j <= i, and the nugget added at i.  Refuses what is not finite,
 * and K(x, x) beyond sfm_kernel_sup: the nugget is measured by that. */
SFM_MUST_CHECK sfm_status sfmi_gram_row(double *row, const double *points, size_t i,
                                        const sfm_kernel *kernel, double nugget, sfm_error *error);

/* Each of them: kernel and places suit, nugget >= 0. */
SFM_MUST_CHECK sfm_status sfmi_spectral_create(sfmi_field **out, const sfm_kernel *kernel,
                                               const sfmi_places *places, double nugget,
                                               sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_circulant_create(sfmi_field **out, const sfm_kernel *kernel,
                                                const sfmi_places *places, double nugget,
                                                size_t most, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_markov_create(sfmi_field **out, const sfm_kernel *kernel,
                                             const sfmi_places *places, double nugget,
                                             sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_gram_create(sfmi_field **out, const sfm_kernel *kernel,
                                           const sfmi_places *places, double nugget,
                                           sfm_error *error);

#endif
