/* binomial.h - exact binomial variables (docs/proofs/samplers.md). */
#ifndef SFMI_BINOMIAL_H
#define SFMI_BINOMIAL_H

#include "stream.h"
#include "sfumato/noise.h"

#define SFMI_BINOMIAL_MAX (UINT64_C(1) << 62)

/* A probability that may be irrational: a ratio, or P(Z > tau) for Z discrete Laplace (any positive
 * ratio as scale). */
typedef struct sfmi_probability {
  enum { SFMI_PROBABILITY_RATIO, SFMI_PROBABILITY_LAPLACE_TAIL } kind;
  sfm_ratio ratio; /* the probability, or the scale */
  int64_t tau;
} sfmi_probability;

/* Successes among n <= SFMI_BINOMIAL_MAX independent trials. */
uint64_t sfmi_binomial(sfmi_stream *stream, uint64_t n, sfmi_probability chance);

#endif
