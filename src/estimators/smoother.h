/* smoother.h - a curve from its values at the points of a span, some of which may be missing.
 *
 * With Phi = the basis at the points (T x m), S the points where there is a value and y the values,
 * w minimises |Phi_S w - y|^2 + ridge |w|^2, which is
 *
 *   w = Phi_S' (Phi_S Phi_S' + ridge I)^-1 y.
 *
 * For a complete curve that is one public matrix; for one with holes a Cholesky factor of a public
 * matrix's rows and columns S.  Invariants:
 *  1. w depends on the record alone, bit for bit: all of it is loops in a fixed order.
 *  2. Nothing fails because of what a record holds: with ridge >= SFMI_RIDGE_FLOOR T the matrix has
 *     a condition number of at most 1e10 + 1, and is positive definite in doubles too. */
#ifndef SFMI_SMOOTHER_H
#define SFMI_SMOOTHER_H

#include "features/basis.h"

/* The least ridge, in units of the number of points. */
#define SFMI_RIDGE_FLOOR 1e-10

typedef struct sfmi_smoother sfmi_smoother;

/* The basis is of family span and borrowed; ridge >= SFMI_RIDGE_FLOOR times its nodes. */
SFM_MUST_CHECK sfm_status sfmi_smoother_create(sfmi_smoother **out, const sfmi_basis *basis,
                                               double ridge, sfm_error *error);
void sfmi_smoother_destroy(sfmi_smoother *smoother);

/* weights (basis->count) 2^*exponent = w, for values (basis->nodes, NaN where there is none).
 * Sizes up to the largest double are harmless: the largest value is divided out.  All zero where
 * there is no value.  Fails when memory cannot be had. */
SFM_MUST_CHECK sfm_status sfmi_smoother_fit(sfmi_smoother *smoother, double *weights, int *exponent,
                                            const double *values, sfm_error *error);

#endif
