/* eigen_basis.h - the eigenfunctions of a kernel on an interval, computed: what a basis eigen
 * states. */
#ifndef SFMI_EIGEN_BASIS_H
#define SFMI_EIGEN_BASIS_H

#include "basis.h"

/* Most Legendre polynomials that an eigenfunction is a sum of. */
#define SFMI_EIGEN_NODES_MAX ((size_t)512)

/* What sfmi_basis_create needs to make the first count eigenfunctions of a stationary kernel of one
 * variable (checked by the caller) on [lower, upper]; on success the table in it is the caller's,
 * until sfmi_basis_create takes it over.  Their eigenvalues (count; may be NULL), those of
 *   (A f)(x) = integral over [lower, upper] of K(x, y) f(y) dy,
 * come in descending order.  The functions are orthonormal to 1e-12 and positive at `upper`.
 *
 * The rule has so many nodes that eigenvalues of smooth kernels (gaussian, cauchy) above 1e-10 of
 * the largest are right to 1e-12 of it, and near the smallest bandwidth to 1e-6; the k-th of the
 * others, with N nodes and r bandwidths in the interval, to about ((k + r/3)/N)^4 of itself
 * (laplacian, matern12, matern32) or that to the sixth power (matern52), N = 64 + 8k + 8r up to
 * 512.
 *
 * Refuses more functions than there are with a meaning (sfmi_eigen_most), and a bandwidth of less
 * than 1/128 of the interval, which the nodes would not resolve. */
SFM_MUST_CHECK sfm_status sfmi_eigen_stated(sfmi_basis *stated, double *eigenvalues,
                                            const sfm_kernel *kernel, double lower, double upper,
                                            size_t count, sfm_error *error);

/* How many it has: those whose eigenvalue is above 1e-13 of the largest (what is below is made of
 * rounding), and of those no more than the nodes resolve. */
SFM_MUST_CHECK sfm_status sfmi_eigen_most(size_t *most, const sfm_kernel *kernel, double lower,
                                          double upper, sfm_error *error);

/* Its part of sfmi_basis_create: checks what it alone needs; sets constant, derived, at. */
SFM_MUST_CHECK sfm_status sfmi_eigen_basis_complete(sfmi_basis *basis, sfm_error *error);

#endif
