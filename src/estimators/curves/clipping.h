/* clipping.h - vectors brought into a ball of integers, so that it is known exactly how far one of
 * them can move a sum.
 *
 * The ball is that of the integer vectors q with sum q_j^2 <= radius^2, in steps of a public size.
 * Doubles only propose a vector; the decision is made in 128-bit integers, and a proposal outside
 * the ball is shrunk until it is inside. */
#ifndef SFMI_CLIPPING_H
#define SFMI_CLIPPING_H

#include <stdbool.h>

#include "base/system/status.h"

/* The largest radius, and the most numbers of a vector: sums of squares then fit 128 bits. */
#define SFMI_CLIPPING_RADIUS_MAX ((int64_t)1 << 52)
#define SFMI_CLIPPING_LENGTH_MAX ((size_t)1 << 20)

/* What truncation, rounded scaling and one more shrinking take off a number, in steps. */
#define SFMI_CLIPPING_STEPS(radius) (3 + (double)(radius)*0x1p-39)

typedef struct sfmi_clipping {
  double step;    /* a power of two */
  int64_t radius; /* 1 to SFMI_CLIPPING_RADIUS_MAX */
} sfmi_clipping;

/* out = weights 2^exponent, scaled into the ball when it is outside, in steps, each number towards
 * zero, and at most SFMI_CLIPPING_STEPS off.  Zero when a weight is not finite.  Depends on its
 * arguments alone. */
void sfmi_clipping_quantise(const sfmi_clipping *clipping, int64_t *out, const double *weights,
                            int exponent, size_t count);

/* The same for a vector of steps, each below 2^62 in size, in place. */
void sfmi_clipping_apply(const sfmi_clipping *clipping, int64_t *vector, size_t count);

/* Whether a vector lies in the ball: exact. */
bool sfmi_clipping_contains(const sfmi_clipping *clipping, const int64_t *vector, size_t count);

#endif
