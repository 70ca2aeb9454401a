/* whitening.h - the whitening map of a public Gram matrix: of norm at most one, whatever LAPACK
 * computed.
 *
 * Let K be the Gram matrix of vectors phi_1, ..., phi_T, of which a computed matrix is known that
 * is within `entry` of K everywhere, and u_1, ..., u_T, lambda_1 >= ... what LAPACK says are its
 * eigenvectors and eigenvalues, U having the u_i as rows.  With R = U K U' - diag(lambda) and a tau
 * that is at least |R|,
 *   diag(lambda + tau) - U K U' >= 0,
 * so that the whitened map w -> c, c_i = u_i'p/sqrt(lambda_i + tau), p_j = <w, phi_j>, has a norm
 * of at most one, whatever U and lambda are.  |R| is bounded after the fact: its Frobenius norm as
 * computed, the rounding error of that computation, and the error of the entries.
 * docs/proofs/tddl.md. */
#ifndef SFMI_WHITENING_H
#define SFMI_WHITENING_H

#include "base/system/status.h"

typedef struct sfmi_whitening {
  size_t count;    /* T */
  double *vectors; /* rows u_i */
  double *values;  /* lambda_i, descending, as computed; some may be negative */
  double *roots;   /* sqrt(lambda_i + tau) */
  double residual; /* at least |R| */
  double tau;      /* max(floor, residual), and more where lambda_i + tau would be nothing */
  double skew;     /* at least |U U' - 1|; below 1/2 */
  double largest;  /* at least the largest eigenvalue of K */
} sfmi_whitening;

/* Of a symmetric matrix of finite numbers, which is kept.  entry and floor >= 0; floor > 0. */
SFM_MUST_CHECK sfm_status sfmi_whitening_create(sfmi_whitening **out, const double *matrix,
                                                size_t count, double entry, double floor,
                                                sfm_error *error);
void sfmi_whitening_destroy(sfmi_whitening *whitening);

/* c_i = u_i'p/roots_i for the first `directions`, in sums of two doubles. */
void sfmi_whitening_apply(const sfmi_whitening *whitening, double *c, const double *p,
                          size_t directions);
/* A bound of the distance between the computed c, as a vector of the first `directions`, and that
 * of the exact p.  Each given p_j is within `off` of the exact one, and |p| <= length. */
double sfmi_whitening_off(const sfmi_whitening *whitening, size_t directions, double off,
                          double length);

#endif
