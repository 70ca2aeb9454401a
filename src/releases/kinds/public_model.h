/* public_model.h - the public model of an interactive session: a function <w, phi> fitted to values
 * that were released at points.  Everything here is post-processing.
 *
 *   ridge  w = sum alpha_j phi(z_j), alpha = (K + ridge I)^-1 y, K_ij = <phi(z_i), phi(z_j)>: the
 *          mean of w given the values, where w is normal with variance 1/kappa^2 a coordinate and
 *          ridge/kappa^2 is the variance of a value's noise
 *   step   alpha_j = stride sign(y_j - <w, phi(z_j)>), with the w of the values before it
 * A further value takes time that grows with the square of their number: the Cholesky factor of
 * K + ridge I gains a row. */
#ifndef SFMI_PUBLIC_MODEL_H
#define SFMI_PUBLIC_MODEL_H

#include "features/maps/feature_map.h"

typedef struct sfmi_public_model sfmi_public_model;

/* map is borrowed, and not of the form points. */
SFM_MUST_CHECK sfm_status sfmi_public_model_create(sfmi_public_model **out,
                                                   const sfmi_feature_map *map, bool step,
                                                   double ridge, double stride, sfm_error *error);
void sfmi_public_model_destroy(sfmi_public_model *model);

/* Learns the value y at the point with these coordinates u, ascending. */
SFM_MUST_CHECK sfm_status sfmi_public_model_add(sfmi_public_model *model, const uint32_t *indices,
                                                const double *u, size_t nonzeros, double y,
                                                sfm_error *error);
/* Forgets all but the first so many. */
void sfmi_public_model_truncate(sfmi_public_model *model, size_t count);

/* w, of as many numbers as the map has features; good until the next change. */
const double *sfmi_public_model_weights(sfmi_public_model *model);

/* The coordinates u of point i, and how many there are. */
size_t sfmi_public_model_point(const sfmi_public_model *model, const uint32_t **indices,
                               const double **u, size_t i);

/* The same function as coefficients at its points, a new map of the form points and alpha: of
 * random features that of their kernel, fitted with it anew.  At least one value was learned.  The
 * caller destroys and frees both. */
SFM_MUST_CHECK sfm_status sfmi_public_model_points(sfmi_public_model *model,
                                                   sfmi_feature_map **points, double **alpha,
                                                   sfm_error *error);

#endif
