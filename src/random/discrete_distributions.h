/* discrete_distributions.h - exact small laws: uniform integers, Bernoulli, geometric, binomial,
 * permutations and subsets (docs/proofs/samplers.md). */
#ifndef SFMI_DISCRETE_DISTRIBUTIONS_H
#define SFMI_DISCRETE_DISTRIBUTIONS_H

#include "stream.h"
#include "sfumato/noise.h"

#define SFMI_BINOMIAL_MAX (UINT64_C(1) << 62)

/* Uniform in [0, n), n >= 1. */
uint64_t sfmi_uniform(sfmi_stream *stream, uint64_t n);

/* The same for n up to 2^127. */
sfmi_u128 sfmi_uniform_wide(sfmi_stream *stream, sfmi_u128 n);

/* True with probability p (numerator <= denominator, denominator > 0). */
bool sfmi_bernoulli(sfmi_stream *stream, sfm_ratio p);

/* True with probability exp(-t), t any ratio >= 0 (denominator > 0). */
bool sfmi_bernoulli_exp(sfmi_stream *stream, sfm_ratio t);

/* P(k) = p (1 - p)^k, k >= 0: failures before the first success, 0 < p <= 1.  Saturates at 2^128 -
 * 1, which has probability below exp(-2^63). */
sfmi_u128 sfmi_geometric(sfmi_stream *stream, sfm_ratio p);

/* A probability that may be irrational: a ratio, or P(Z > tau) for Z discrete Laplace (any positive
 * ratio as scale). */
typedef struct sfmi_probability {
  enum { SFMI_PROBABILITY_RATIO, SFMI_PROBABILITY_LAPLACE_TAIL } kind;
  sfm_ratio ratio; /* the probability, or the scale */
  int64_t tau;
} sfmi_probability;

/* Successes among n <= SFMI_BINOMIAL_MAX independent trials. */
uint64_t sfmi_binomial(sfmi_stream *stream, uint64_t n, sfmi_probability chance);

/* Successes among n <= SFMI_BINOMIAL_MAX fair trials. */
uint64_t sfmi_binomial_half(sfmi_stream *stream, uint64_t n);

/* A uniform permutation of 0 .. n-1. */
void sfmi_permutation(sfmi_stream *stream, uint64_t *out, size_t n);

/* A uniform subset of k out of 0 .. n-1 (k <= n <= SFMI_BINOMIAL_MAX), ascending. */
SFM_MUST_CHECK sfm_status sfmi_subset(sfmi_stream *stream, uint64_t *out, size_t k, uint64_t n,
                                      sfm_error *error);

#endif
