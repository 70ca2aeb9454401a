/* smooth_spread.h - how far apart records are: an order statistic of the differences of pairs,
 * smoothed so that one record changes it by a factor of at most e^beta.
 *
 * Records i and i + m are a pair, m = floor(n/2), h_i = |x_i - x_(i+m)|, and h_(1) <= h_(2) <= ..
 * are the h_i in order, h_(j) = width for j > m.  The smoothed statistic of rank k is
 *   s = max over j >= 0 of e^(-beta j) h_(k + j).
 * Proof: docs/proofs/random-dp.md */
#ifndef SFMI_SMOOTH_SPREAD_H
#define SFMI_SMOOTH_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/system/status.h"

/* The rank k = m + 1 - floor(gamma m): a fresh pair exceeds the k-th order statistic of the pairs
 * of n records with probability at most gamma.  m + 1 means that no order statistic does, and the
 * width is used. */
uint64_t sfmi_smooth_spread_rank(uint64_t n, double gamma);

/* The largest beta for which Laplace noise of scale 2 s/epsilon hides a move of s: the lesser of
 * epsilon/(2 ln(2/delta)) and what (epsilon/2 + beta)/(e^beta - 1) >= ln(1/delta) leaves, rounded
 * down.  delta in (0, 1/2]. */
double sfmi_smooth_spread_beta(double epsilon, double delta);

/* s of n values, n >= 2; the values of the first half are overwritten by the differences. */
double sfmi_smooth_spread(double *values, uint64_t n, uint64_t rank, double beta, double width);

#endif
