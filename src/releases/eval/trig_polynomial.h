/* trig_polynomial.h - the trigonometric polynomial on a torus that a density release is: by
 * lattice, by gp with the engine spectral, by fourier-laplace and by caratheodory.
 *
 *   f(x) = sum over j in prod_a {-m_a..m_a} of c_j prod_a exp(2 pi i j_a u_a),
 *   u_a = (x_a - lower_a + margin_a)/period_a
 *
 * c is stored in the transform's order (0..m, -m..-1) on each axis, last axis fastest, and belongs
 * to a real function: c_{-j} = conj(c_j).
 *
 * lattice: masses H_k at lower - margin + k s on a ring of N points per axis,
 * c_j = (1/N s) DFT(H)_j gaussian(j/Ns) / sinc(j/N)^order.
 *  open: zero-padded, N odd, N s >= the lattice and 9 bandwidths, so that images do not meet;
 *  periodic: N = cells, the ring is the domain;
 *  reflect: N = 2 cells, the ring is the domain and its mirror image, H even about both bounds.
 * Where N is even its highest frequency, which has no partner, is left out: N - 1 modes.
 * gp: c from the real features by the change of basis, over the torus' unit per axis; where it
 * reflects, from cosines alone, c_{-j} = c_j.
 * fourier-laplace and caratheodory: the same change of basis, times lambda_j/period per axis. */
#ifndef SFMI_TRIG_POLYNOMIAL_H
#define SFMI_TRIG_POLYNOMIAL_H

#include "base/math/fft/fft.h"
#include "releases/core/release_data.h"

typedef struct sfmi_trig_poly {
  size_t dimension;
  size_t modes[SFM_MAX_DIMENSION]; /* 2 m + 1 */
  size_t shape[SFM_MAX_DIMENSION]; /* N: modes, or one more */
  size_t length;                   /* product of modes */
  double lower[SFM_MAX_DIMENSION], margin[SFM_MAX_DIMENSION], period[SFM_MAX_DIMENSION];
  double complex *c;                   /* points into fft where shape and modes agree, else owned */
  double complex *scratch;             /* gp: one line of features */
  sfmi_fft *fft;                       /* lattice */
  size_t *sources;                     /* lattice: which masses lie along the last axis */
  double *transfer[SFM_MAX_DIMENSION]; /* per axis as many numbers as modes */
  const sfm_release *release;          /* borrowed: its geometry */
} sfmi_trig_poly;

/* A polynomial for the release's geometry, with c = 0.  Refuses a padded size beyond
 * SFMI_PADDED_MAX. */
SFM_MUST_CHECK sfm_status sfmi_trig_poly_create(sfmi_trig_poly **out, const sfm_release *release,
                                                sfm_error *error);
void sfmi_trig_poly_destroy(sfmi_trig_poly *poly);
/* Sets c from coefficients (release->length of them, in the unit of one record), times factor. */
void sfmi_trig_poly_load(sfmi_trig_poly *poly, const double *coefficients, double factor);

/* E |c_j|^2 along axis a at position i, when the coefficients are independent with variance one;
 * over all axes it is the product. */
double sfmi_trig_poly_power(const sfmi_trig_poly *poly, size_t a, size_t i);
/* Linear functionals along axis a: from the integrals of functions g against its exponentials
 * (count x modes[a], in the transform's order) the weights (count x what a coefficient's index runs
 * over along the axis) by which coefficients enter the integral of g f.  In more dimensions weights
 * multiply. */
SFM_MUST_CHECK sfm_status sfmi_trig_poly_dual(const sfmi_trig_poly *poly, size_t a, double *weights,
                                              const double complex *integrals, size_t count,
                                              sfm_error *error);

/* f at one point, by the sum itself. */
double sfmi_trig_poly_at(const sfmi_trig_poly *poly, const double *x);
/* f on the product of points[a] (counts[a] each), last axis fastest. */
SFM_MUST_CHECK sfm_status sfmi_trig_poly_grid(const sfmi_trig_poly *poly, double *values,
                                              double *const *points, const size_t *counts,
                                              sfm_error *error);
/* Copies c into the buffer of a larger transform (shape[a] >= modes[a]) and zeros the rest, so that
 * its backward transform samples f at lower - margin + k period/shape.  weights[a], if not NULL,
 * multiplies mode j of axis a. */
void sfmi_trig_poly_pad(const sfmi_trig_poly *poly, sfmi_fft *fft, const size_t *shape,
                        double *const *weights);

#endif
