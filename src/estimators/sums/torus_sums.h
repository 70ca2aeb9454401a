/* torus_sums.h - the sum over rows of torus features, in integers, at a cost that does not multiply
 * rows by features.
 *
 * Rows are spread over a fine lattice (lattice.h); a row's features are then the linear map
 *   phi~_J(x) = prod_a 2^-(bits+precision) sum_k w_k(x_a) A_a[j_a][k],
 * where A_a[j][k] is the integer nearest to 2^precision phi_j(x_k)/sinc(f_j s)^order.  The map of
 * the summed lattice is computed exactly in 128-bit integers, so the result is the integer sum of
 * the rows' own integers: neither order nor rounding matters.
 *
 * Certificate.  Along each axis |phi~(x) - phi(x)| <= error (aliases of the spline, rounding of
 * weights and of A), so on the product space
 *   |phi~(x) - phi(x)| <= prod(kappa+error) - prod(kappa) = defect,
 *   |phi~(x) - phi~(x')|^2 <= (sqrt(2 kappa^2 - 2 least) + 2 defect)^2,   |phi~(x)| <= kappa +
 * defect. An axis whose bounds reflect has cosines alone, of a torus without margins.  Its rows are
 * spread over an open lattice too: cosines are their own mirror images, at the points beyond a
 * bound also.
 *
 * Flat.  With amplitudes 1 the features are psi themselves: 1, sqrt2 cos(2 pi j u), sqrt2 sin(2 pi
 * j u).  Then the certificate is in l1 and for one axis: sum_j |psi~_j(x) - psi_j(x)| <= slip, and
 * psi~ of the constant is exactly 1 for a row that is kept.
 *
 * Overflow: |sum| <= rows 2^(d (bits+precision)) prod_a max|phi_j/sinc^order|, and the last factor
 * is at most 1 (docs/proofs/gp.md), so with d (bits+precision) <= 90 and fewer than 2^36
 * rows 128 bits suffice, between the passes too.  Flat: the last factor is below 2^d, which is
 * taken off the bits, and the rows are given. */
#ifndef SFMI_TORUS_SUMS_H
#define SFMI_TORUS_SUMS_H

#include "estimators/lattice/lattice.h"
#include "features/kernels/gaussian_torus.h"

/* log2 of the rows that the overflow argument allows. */
#define SFMI_TORUS_SUMS_ROWS_BITS 36

typedef struct sfmi_torus_sums {
  size_t dimension;
  sfmi_torus torus[SFM_MAX_DIMENSION];
  size_t features[SFM_MAX_DIMENSION]; /* sfmi_torus_size */
  size_t length;                      /* product of features */
  size_t modes;                       /* product of 2 terms + 1: of the function that is released */
  sfmi_lattice lattice;               /* where the rows are spread */
  unsigned precision;                 /* of A, per axis */
  double kappa;                       /* largest |phi(x)| on the product space */
  double least; /* <phi(x), phi(y)> is at least this on it: above 0 only where all bounds reflect */
  double defect;
  bool flat;                      /* the features are psi: no kappa, no defect, but */
  double slip[SFM_MAX_DIMENSION]; /* the l1 certificate of each axis */
} sfmi_torus_sums;

/* The sums for a box, bandwidths and boundaries (none periodic; NULL: all open); everything in it
 * is public.  Fails when the bandwidth is far too small.  Sizes are for the caller to judge before
 * allocating: where one of them is beyond 2^60, all are SIZE_MAX, and nothing else is set. */
SFM_MUST_CHECK sfm_status sfmi_torus_sums_init(sfmi_torus_sums *spectrum, const double *lower,
                                               const double *upper, const double *h,
                                               const sfm_boundary *boundary, size_t dimension,
                                               sfm_error *error);

/* A flat one on tori laid over the box; rows: the largest number of rows, below
 * 2^SFMI_TORUS_SUMS_ROWS_BITS.  Sizes as above. */
void sfmi_torus_sums_init_flat(sfmi_torus_sums *spectrum, const double *lower, const double *upper,
                               const sfmi_torus *torus, size_t dimension, double rows);
/* The same for some of `columns` columns; each axis has the bits and points that it would have
 * among all of them. */
void sfmi_torus_sums_init_part(sfmi_torus_sums *spectrum, const double *lower, const double *upper,
                               const sfmi_torus *torus, size_t dimension, size_t columns,
                               double rows);

/* Bits of weights and of A per axis, by the number of axes. */
unsigned sfmi_torus_sums_bits(size_t dimension);

/* features (length numbers, last axis fastest) from the lattice sums; the caller frees them.  One
 * unit of the result is 2^-(dimension (bits + precision)) of a row. */
SFM_MUST_CHECK sfm_status sfmi_torus_sums_transform(const sfmi_torus_sums *spectrum,
                                                    sfmi_i128 **features, const sfmi_i128 *sums,
                                                    sfm_error *error);

#endif
