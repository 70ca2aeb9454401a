/* noise_sum.h - how far the sum of independent integer noises strays.
 *
 * A sum Z of m noises with characteristic function phi has, over N points t_j = 2 pi j/N,
 *   (1/N) sum_j phi(t_j)^m sin((w + 1/2) t_j)/sin(t_j/2) = P(|Z| <= w) + P(Z is as near to another
 *   multiple of N),
 * so that P(|Z| > w) is known up to P(|Z| >= N - w), which Chernoff's bound makes as small as one
 * likes.  phi is (1 - r)^2/(1 - 2 r cos t + r^2), r = e^(-1/b), for discrete Laplace noise, and for
 * rounded normal noise a sum over t + 2 pi k of exp(-s^2 t^2/2) sin(t/2)/(t/2). */
#ifndef SFMI_NOISE_SUM_H
#define SFMI_NOISE_SUM_H

#include <stdbool.h>
#include <stdint.h>

/* A whole w with P(|Z| > w) <= p, the least to the accuracy of doubles (a little more where p is
 * below 1e-9, or the scale so small that sums are far from smooth). */
double sfmi_noise_sum_width(double scale, bool normal, uint64_t count, double p);

/* The least whole w with P(|Z| > w) <= p for one discrete Laplace noise of scale b: P(|Z| > w) is
 * 2 r^(w+1)/(1 + r), r = e^(-1/b). */
double sfmi_discrete_laplace_width(double b, double p);

/* The variance of one noise, a whole number. */
double sfmi_integer_noise_variance(double scale, bool normal);

#endif
