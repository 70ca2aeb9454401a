/* pupil.h - the public model of an interactive session: a function <w, phi> fitted to values that
 * were released at points.  Everything here is post-processing.
 *
 *   ridge  w = sum alpha_j phi(z_j), alpha = (K + ridge I)^-1 y, K_ij = <phi(z_i), phi(z_j)>: the
 *          mean of w given the values, where w is normal with variance 1/kappa^2 a coordinate and
 *          ridge/kappa^2 is the variance of a value's noise
 *   step   alpha_j = stride sign(y_j - <w, phi(z_j)>), with the w of the values before it
 * A further value takes time that grows with the square of their number: the Cholesky factor of
 * K + ridge I gains a row. */
#ifndef SFMI_PUPIL_H
#define SFMI_PUPIL_H

#include "features/lift.h"

typedef struct sfmi_pupil sfmi_pupil;

/* lift is borrowed, and not of the form points. */
SFM_MUST_CHECK sfm_status sfmi_pupil_create(sfmi_pupil **out, const sfmi_lift *lift, bool step,
                                            double ridge, double stride, sfm_error *error);
void sfmi_pupil_destroy(sfmi_pupil *pupil);

size_t sfmi_pupil_count(const sfmi_pupil *pupil);
/* Learns the value y at the point with these coordinates u, ascending. */
SFM_MUST_CHECK sfm_status sfmi_pupil_add(sfmi_pupil *pupil, const uint32_t *indices,
                                         const double *u, size_t nonzeros, double y,
                                         sfm_error *error);
/* Forgets all but the first so many. */
void sfmi_pupil_truncate(sfmi_pupil *pupil, size_t count);

/* w, of as many numbers as the lift has features; good until the next change. */
const double *sfmi_pupil_weights(sfmi_pupil *pupil);

/* The coordinates u of point i, and how many there are. */
size_t sfmi_pupil_point(const sfmi_pupil *pupil, const uint32_t **indices, const double **u,
                        size_t i);

/* The same function as coefficients at its points, a new lift of the form points and alpha: of
 * random features that of their kernel, fitted with it anew.  At least one value was learned.  The
 * caller destroys and frees both. */
SFM_MUST_CHECK sfm_status sfmi_pupil_points(sfmi_pupil *pupil, sfmi_lift **points, double **alpha,
                                            sfm_error *error);

#endif
