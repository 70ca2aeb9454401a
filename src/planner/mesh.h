/* mesh.h - nodes and weights of integrals over the domain of a basis of one variable: panels even
 * in the place, or for polynomials in the angle, cut where a shape asks for it, three nodes of
 * Gauss's rule in each. */
#ifndef SFMI_MESH_H
#define SFMI_MESH_H

#include "features/basis.h"

typedef struct sfmi_mesh {
  size_t count;
  double *points, *weights; /* integral of f = sum weights[i] f(points[i]).  Owned. */
} sfmi_mesh;

/* cuts: count ascending places within the domain.  Clear also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_mesh_init(sfmi_mesh *mesh, const sfmi_basis *basis,
                                         const double *cuts, size_t count, sfm_error *error);
void sfmi_mesh_clear(sfmi_mesh *mesh);

/* The point of the domain at t in [0, 1]. */
double sfmi_mesh_point(const sfmi_basis *basis, double t);

#endif
