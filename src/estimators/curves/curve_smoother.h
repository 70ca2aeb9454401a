/* curve_smoother.h - a curve from its values at the points of a span, some of which may be missing.
 *
 * With Phi = the basis at the points (T x m), S the points where there is a value, y the values and
 * G = Phi Phi' + ridge I, w minimises |Phi_S w - y|^2 + ridge |w|^2, which is
 *
 *   w = Phi_S' G_SS^-1 y,
 *
 * for a complete curve one public matrix, w = Phi' G^-1 y.  A few holes H are filled: with the
 * values z for which (G^-1 (y, z))_H = 0, that is P_HH z = -P_HS y, P = G^-1, the complete curve
 * (y, z) has the same w.  Where more values are missing than there are, or the ridge is so small
 * that rounding in P could outweigh its least eigenvalue, G_SS itself is factorised.  Invariants:
 *  1. w depends on the record alone, bit for bit: all of it is loops in a fixed order.
 *  2. Nothing fails because of what a record holds: with ridge >= SFMI_RIDGE_FLOOR T the matrices
 *     have condition numbers of at most 1e10 + 1, and are positive definite in doubles too. */
#ifndef SFMI_CURVE_SMOOTHER_H
#define SFMI_CURVE_SMOOTHER_H

#include "features/bases/basis.h"

/* The least ridge, in units of the number of points. */
#define SFMI_RIDGE_FLOOR 1e-10

typedef struct sfmi_smoother sfmi_smoother;

/* The basis is of family span and borrowed; ridge >= SFMI_RIDGE_FLOOR times its nodes. */
SFM_MUST_CHECK sfm_status sfmi_smoother_create(sfmi_smoother **out, const sfmi_basis *basis,
                                               double ridge, sfm_error *error);
void sfmi_smoother_destroy(sfmi_smoother *smoother);

/* weights (basis->count) 2^*exponent = w, for values (basis->nodes, NaN where there is none). Sizes
 * up to the largest double do not overflow: the largest value is divided out.  All weights are zero
 * where there is no value.  Fails only when memory is short. */
SFM_MUST_CHECK sfm_status sfmi_smoother_fit(sfmi_smoother *smoother, double *weights, int *exponent,
                                            const double *values, sfm_error *error);

#endif
