/* sobolev_norm.h - Gaussian functions in the Sobolev space H1 of an interval: inner products and
 * norms (docs/proofs/sobolev.md).
 *
 * Lengths are in bandwidths.  On [0, width] the kernel exp(-rate |s - t|) has the space of
 * functions with the norm
 *   |f|^2 = (f(0)^2 + f(width)^2)/2 + 1/(2 rate) int_0^width (f'^2 + rate^2 f^2).
 * The inner product of two bumps f_x(t) = exp(-(t - x)^2/2), x from 0 to width, is known in closed
 * form: with m = (x + y)/2, d = (x - y)/2, p = exp(-m^2), q = exp(-(width - m)^2) and E =
 * int_0^width exp(-(t - m)^2) dt,
 *   <f_x, f_y> = exp(-d^2) ((p + q)/2 +
 *                ((1/2 + rate^2 - d^2) E - (m p + (width - m) q)/2)/(2 rate)).
 * On a product of intervals, with the product of the kernels, norms and inner products of products
 * of functions multiply. */
#ifndef SFMI_SOBOLEV_NORM_H
#define SFMI_SOBOLEV_NORM_H

#include <stddef.h>

/* The least and the largest rate, in one over a bandwidth. */
#define SFMI_SOBOLEV_RATE_MIN 1e-4
#define SFMI_SOBOLEV_RATE_MAX 1e4

/* One interval with its kernel. */
typedef struct sfmi_sobolev_axis {
  double width, rate;
} sfmi_sobolev_axis;

/* The width of [lower, upper] in bandwidths, plus a little more than the rounding that can put a
 * place beyond a bound.  A wider interval has norms that are no less, and more bumps. */
double sfmi_sobolev_width(double lower, double upper, double bandwidth);

/* <f_x, f_y>, and its derivatives in x and in y (slope may be NULL). */
double sfmi_sobolev_inner(const sfmi_sobolev_axis *axis, double x, double y, double slope[2]);
/* |f_x|^2, and its derivative. */
double sfmi_sobolev_square(const sfmi_sobolev_axis *axis, double x, double *slope);
/* |f_x - f_y|^2, and its derivatives. */
double sfmi_sobolev_square_distance(const sfmi_sobolev_axis *axis, double x, double y,
                                    double slope[2]);

/* On the whole line: the square of the norm of the k-th derivative of a bump in x, k = 0, 1, 2,
 * which is at least that on any interval; and the largest |f_x - f_y|^2. */
double sfmi_sobolev_line_square(double rate, unsigned k);
double sfmi_sobolev_line_square_distance(double rate);

#endif
