/* basis_quadrature.h - nodes and weights of integrals over the domain of a basis of one variable.
 * Panels are of equal width (for polynomials in the angle), and are cut where a shape needs it;
 * each has three nodes of Gauss's rule. */
#ifndef SFMI_BASIS_QUADRATURE_H
#define SFMI_BASIS_QUADRATURE_H

#include "base/system/arena.h"
#include "features/bases/basis.h"

typedef struct sfmi_quadrature {
  size_t count;
  double *points, *weights; /* integral of f = sum weights[i] f(points[i]) */
} sfmi_quadrature;

/* From the arena.  cuts: count ascending places within the domain. */
SFM_MUST_CHECK sfm_status sfmi_quadrature_init(sfmi_quadrature *quadrature, sfmi_arena *arena,
                                               const sfmi_basis *basis, const double *cuts,
                                               size_t count, sfm_error *error);

/* The point of the domain at t in [0, 1]. */
double sfmi_quadrature_point(const sfmi_basis *basis, double t);

#endif
