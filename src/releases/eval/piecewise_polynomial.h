/* piecewise_polynomial.h - a trigonometric polynomial of one variable as a table of polynomials of
 * degree seven, one per cell: an evaluation is one look-up in a cache line and seven
 * multiplications, whatever the release.
 *
 * Each cell matches f and three derivatives at both ends, so that the error is at most
 * (omega delta)^8 / (8! 2^8) of the amplitude at angular frequency omega: with the cell delta at an
 * eighth of the shortest half-wave, 5e-11. */
#ifndef SFMI_PIECEWISE_POLYNOMIAL_H
#define SFMI_PIECEWISE_POLYNOMIAL_H

#include "trig_polynomial.h"

typedef struct sfmi_piecewise_polynomial {
  double lower, upper;   /* the domain */
  double inverse, shift; /* cell of x = (x - lower) inverse + shift */
  size_t cells;
  double (*polynomials)[8];
} sfmi_piecewise_polynomial;

SFM_MUST_CHECK sfm_status sfmi_piecewise_polynomial_create(sfmi_piecewise_polynomial **out,
                                                           const sfmi_trig_poly *poly, double lower,
                                                           double upper, sfm_error *error);
void sfmi_piecewise_polynomial_destroy(sfmi_piecewise_polynomial *table);
/* NaN outside the domain. */
void sfmi_piecewise_polynomial_at(const sfmi_piecewise_polynomial *table, double *values,
                                  const double *x, size_t count);

#endif
