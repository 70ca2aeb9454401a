/* monomials.h - the finite features of polynomial kernels: <phi(x), phi(y)> = (<x, y> + c)^p.
 *
 * Coordinates z: with c > 0, z_0 = sqrt c and z_{j+1} = x_j; with c = 0, z_j = x_j.  A feature is a
 * monomial of degree p in z times the root of its multinomial coefficient:
 *   phi_k = sqrt(p!/prod_i e_i!) z_{j_1} ... z_{j_p},   j_1 <= ... <= j_p,  e_i = #{t: j_t = i},
 *   k = sum_t C(j_t + t - 1, t),
 * so k does not depend on the dimension: further coordinates append features.  The linear kernel is
 * c = 0, p = 1, whose features are x itself.  A computed feature is off by at most 5 p 2^-53 of
 * itself (unless it underflows). */
#ifndef SFMI_MONOMIALS_H
#define SFMI_MONOMIALS_H

#include "base/system/status.h"
#include "sfumato/kernel.h"

#define SFMI_MONOMIALS_MAX ((size_t)1 << 48)

typedef struct sfmi_monomials {
  size_t dimension; /* of x */
  unsigned degree;
  double root; /* sqrt c, or 0: there is no such coordinate */
  size_t count;
} sfmi_monomials;

/* For a checked polynomial or linear kernel; fails for others, and when there are more than
 * SFMI_MONOMIALS_MAX features. */
SFM_MUST_CHECK sfm_status sfmi_monomials_init(sfmi_monomials *monomials, const sfm_kernel *kernel,
                                              sfm_error *error);

/* How many features can be nonzero when that many coordinates of x are. */
size_t sfmi_monomials_nonzeros(const sfmi_monomials *monomials, size_t nonzeros);

/* The features that are not zero, for a row whose nonzeros are x[i] at indices[i] (ascending, below
 * dimension): sfmi_monomials_nonzeros(nonzeros) of them, in as many steps, in ascending order of
 * features[]. */
void sfmi_monomials_sparse(const sfmi_monomials *monomials, size_t *features, double *values,
                           const size_t *indices, const double *x, size_t nonzeros);

/* The same one by one, without memory for all of them. */
typedef void sfmi_monomial_callback(void *context, size_t feature, double value);
void sfmi_monomials_each(const sfmi_monomials *monomials, sfmi_monomial_callback *take,
                         void *context, const uint32_t *indices, const double *x, size_t nonzeros);

#endif
