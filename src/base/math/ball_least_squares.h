/* ball_least_squares.h - least squares within a ball, along axes that do not mix.
 *
 *   minimise sum_i (s_i b_i - v_i)^2 over |b| <= radius,   s_i >= 0
 *
 * The minimiser (the shortest one) is b_i = s_i v_i/(s_i^2 + nu), where nu >= 0 is zero when that
 * is short enough, and else the only root of |b(nu)| = radius: the secular equation of a trust
 * region. 1/|b(nu)| is concave and increasing, so Newton's steps from the left of the root come
 * nearer and do not pass it; where rounding makes one leave the bracket it is halved instead. */
#ifndef SFMI_BALL_LEAST_SQUARES_H
#define SFMI_BALL_LEAST_SQUARES_H

#include <stddef.h>

/* Numbers are finite, radius > 0; |b| <= radius exceeds it by no more than a few ulps.  Returns nu.
 */
double sfmi_ball_least_squares(double *b, const double *s, const double *v, size_t count,
                               double radius);

#endif
