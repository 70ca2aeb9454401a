/* laplace_sum.h - how large a weighted sum of Laplace variables is, from its characteristic
 * function.
 *
 * S = sum_i a_i z_i, where the z_i are independent with E exp(i t z) = (1 + t^2)^-power: Laplace
 * variables of scale 1 for power 1.  One coordinate of a vector of density prop. to exp(-|x|) in D
 * dimensions is such a z with power (D + 1)/2. */
#ifndef SFMI_LAPLACE_SUM_H
#define SFMI_LAPLACE_SUM_H

#include <stddef.h>

/* An x with P(|S| > x) <= p, and hardly larger than needed; power >= 1, p in (0, 1).
 * docs/proofs/bands.md. */
double sfmi_laplace_sum_width(const double *a, size_t count, double power, double p);

/* The same for whatever weights of which the sum of squares is one, power 1. */
double sfmi_laplace_sum_worst_width(double p);

/* The x with P(|sum_i a_i z_i| > x) <= p for independent Laplace z_i of scale b, variance the sum
 * of a_i^2 and largest no less than any |a_i|: Bernstein from the moment generating function, ln E
 * exp(t noise) <= b^2 t^2 V/(1 - b^2 t^2 M^2), minimised over t. */
double sfmi_laplace_sum_bound(double b, double variance, double largest, double p);

/* The x with P(|z| > x) <= p for one coordinate z of a vector of density prop. to exp(-|x|/b) in D
 * dimensions: its radius is beyond D(1 + e) b with probability at most exp(-D(e - ln(1 + e))),
 * given a tenth of p, and a uniform direction beyond y in one coordinate with probability at most
 * 2 exp(-D y^2/2). */
double sfmi_gamma_coordinate_bound(double b, double D, double p);

#endif
