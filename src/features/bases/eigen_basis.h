/* eigen_basis.h - the eigenfunctions of a kernel on an interval: how the basis eigen is computed.
 */
#ifndef SFMI_EIGEN_BASIS_H
#define SFMI_EIGEN_BASIS_H

#include "basis.h"

/* Most Legendre polynomials that an eigenfunction is a sum of. */
#define SFMI_EIGEN_NODES_MAX ((size_t)512)

/* Fills in what sfmi_basis_create needs for the first count eigenfunctions of a stationary kernel
 * of one variable (checked by the caller) on [lower, upper].  On success the caller owns the table
 * in it, until sfmi_basis_create takes it over.  Their eigenvalues (count; may be NULL), those of
 *   (A f)(x) = integral over [lower, upper] of K(x, y) f(y) dy,
 * come in descending order.  The functions are orthonormal to 1e-12 and positive at `upper`.
 *
 * The rule has so many nodes that eigenvalues of smooth kernels (gaussian, cauchy) above 1e-10 of
 * the largest are right to 1e-12 of it, and near the smallest bandwidth to 1e-6.  Of the other
 * kernels, with N nodes and r bandwidths in the interval, the k-th eigenvalue is right to about ((k
 * + r/3)/N)^4 of itself (laplacian, matern12, matern32) or to the sixth power of that quotient
 * (matern52), N = 64 + 8k + 8r up to 512.
 *
 * Refuses more functions than can be computed (sfmi_eigen_most), and a bandwidth of less than 1/128
 * of the interval, which the nodes would not resolve. */
SFM_MUST_CHECK sfm_status sfmi_eigen_stated(sfmi_basis *stated, double *eigenvalues,
                                            const sfm_kernel *kernel, double lower, double upper,
                                            size_t count, sfm_error *error);

/* How many eigenfunctions can be computed: those whose eigenvalue is above 1e-13 of the largest
 * (below that an eigenvalue is rounding alone), and no more than the nodes resolve. */
SFM_MUST_CHECK sfm_status sfmi_eigen_most(size_t *most, const sfm_kernel *kernel, double lower,
                                          double upper, sfm_error *error);

/* Its part of sfmi_basis_create: checks what it alone needs; sets constant, derived, at. */
SFM_MUST_CHECK sfm_status sfmi_eigen_basis_complete(sfmi_basis *basis, sfm_error *error);

#endif
