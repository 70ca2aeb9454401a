/* torus_sensitivity.h - how large psi = (sqrt2 cos(2 pi j u), sqrt2 sin(2 pi j u)), 1 <= j <= m, is
 * in l1 over a column's domain, and how far two of its values are apart: certified upper bounds.
 *
 * On a grid of the domain of spacing s (in turns) a coordinate of psi and the chord between two
 * grid points differ by the integral of its second derivative against a positive kernel of mass
 * s^2/8.  So psi and its chord differ in l1 by at most bulge = 2 (2 pi s)^2/8 sum_j j^2, since
 * |cos| + |sin| <= sqrt2.  Norms of points on chords, and distances of two such points, are largest
 * at ends. */
#ifndef SFMI_TORUS_SENSITIVITY_H
#define SFMI_TORUS_SENSITIVITY_H

#include "features/kernels/gaussian_torus.h"

/* An upper bound on |psi(x)|_1 for x in a domain of that width; within 1e-3. */
double sfmi_torus_l1_norm(const sfmi_torus *torus, double width);

/* An upper bound on |psi(x) - psi(y)|_1 and on |psi(x)|_1.  For up to 300 frequencies it is within
 * 0.2 % of the supremum.  With more there are too many pairs, and it is twice sfmi_torus_l1_norm, a
 * third more. */
SFM_MUST_CHECK sfm_status sfmi_torus_l1_diameter(double *out, const sfmi_torus *torus, double width,
                                                 sfm_error *error);

#endif
