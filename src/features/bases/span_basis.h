/* span_basis.h - the functions that a kernel spans at finitely many points: what curves measured at
 * those points are fitted in.
 *
 * K(., t_1) .. K(., t_T) span a subspace of K's space.  b_1 .. b_m are a basis of it that is
 * orthonormal there, and orthogonal in L2 of [t_1, t_T] too, in descending order of its L2 norms.
 * Among all orthonormal bases this one has the largest sum of squared L2 norms of the first m', for
 * every m' (Ky Fan): where noise is added to the first m' coefficients and the rest is left out, it
 * leaves out least. */
#ifndef SFMI_SPAN_BASIS_H
#define SFMI_SPAN_BASIS_H

#include "basis.h"

/* Directions of K's Gram matrix with eigenvalues below this part of the largest are left out. */
#define SFMI_SPAN_CUT 1e-12
/* Most points.  A value takes all of them, and a band takes values at all of them: a file with more
 * would keep its reader busy for hours. */
#define SFMI_SPAN_POINTS_MAX 2000
/* Largest size of a number of the table: the largest eigenvalue is at least 1, so none is above
 * SFMI_SPAN_CUT^-1/2. */
#define SFMI_SPAN_TABLE_MAX 1e9

/* Fills in a basis as it is stated (sfmi_basis_create takes it over), and in `weights`, which has
 * room for count numbers, the squared L2 norms of its functions.  points: count of them, at least
 * 2, in ascending order.  On failure nothing is owned. */
SFM_MUST_CHECK sfm_status sfmi_span_stated(sfmi_basis *stated, double *weights,
                                           sfm_kernel_family family, double bandwidth,
                                           const double *points, size_t count, sfm_error *error);

/* The first `count` functions of a basis, as it is stated; on failure nothing is owned. */
SFM_MUST_CHECK sfm_status sfmi_span_cut(sfmi_basis *stated, const sfmi_basis *basis, size_t count,
                                        sfm_error *error);

/* Its part of sfmi_basis_create: checks what it alone needs; sets constant, derived, at. */
SFM_MUST_CHECK sfm_status sfmi_span_basis_complete(sfmi_basis *basis, sfm_error *error);

#endif
