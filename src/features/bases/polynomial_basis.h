/* polynomial_basis.h - the bases legendre and hermite (basis.h), and Legendre polynomials for
 * others, normalised: p_k(t) = sqrt(2k + 1) P_k(t), of mean square 1 on [-1, 1]. */
#ifndef SFMI_POLYNOMIAL_BASIS_H
#define SFMI_POLYNOMIAL_BASIS_H

#include "basis.h"

/* Three numbers for each degree. */
enum { SFMI_LEGENDRE_FACTORS = 3 };
void sfmi_legendre_factors(double *factors, size_t count);

/* row[k - 1] = scale p_k(t) for k = 1 .. count at t = left - right, left = (1 + t)/2 and right =
 * (1 - t)/2, the shares of the interval on either side: near an end the polynomials are as exact as
 * the distance from it, to about k roundings. */
void sfmi_legendre_row(double *row, const double *factors, size_t count, double left, double right,
                       double scale);

/* Its part of sfmi_basis_create: checks what it alone needs; sets constant, derived, at. */
SFM_MUST_CHECK sfm_status sfmi_polynomial_basis_complete(sfmi_basis *basis, sfm_error *error);

#endif
