/* ball_least_squares.h - least squares within a ball, for a diagonal matrix.
 *
 *   minimise sum_i (s_i b_i - v_i)^2 over |b| <= radius,   s_i >= 0
 *
 * The minimiser (the shortest one) is b_i = s_i v_i/(s_i^2 + nu), with nu = 0 when that
 * b lies in the ball, and else with nu > 0 the only root of |b(nu)| = radius (the secular equation
 * of a trust region).  1/|b(nu)| is concave and increasing, so Newton's steps from the left of the
 * root approach it and do not pass it.  A step that leaves the bracket because of rounding is
 * replaced by a bisection. */
#ifndef SFMI_BALL_LEAST_SQUARES_H
#define SFMI_BALL_LEAST_SQUARES_H

#include <stddef.h>

/* Numbers are finite, radius > 0; |b| <= radius exceeds it by no more than a few ulps.  Returns nu.
 */
double sfmi_ball_least_squares(double *b, const double *s, const double *v, size_t count,
                               double radius);

#endif
