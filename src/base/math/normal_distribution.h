/* normal_distribution.h - tails of the normal distribution, in doubles, for predictions and bands.
 */
#ifndef SFMI_NORMAL_DISTRIBUTION_H
#define SFMI_NORMAL_DISTRIBUTION_H

/* P(N > x). */
double sfmi_normal_tail(double x);
/* The x with P(N > x) = p, for p in (0, 1). */
double sfmi_normal_tail_inverse(double p);

#endif
