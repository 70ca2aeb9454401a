/* draws.h - what sums of a release's noise, with given weights, can be: simulated with the public
 * generator, and bounded.  The noise is the release's law without its rounding to steps, which
 * moves a coefficient by less than sfmi_draws_grain. */
#ifndef SFMI_DRAWS_H
#define SFMI_DRAWS_H

#include "releases/contents.h"

typedef struct sfmi_draws {
  size_t draws;   /* 0: too many to simulate */
  size_t count;   /* sums */
  double *values; /* sum by sum, one a draw */
} sfmi_draws;

/* Draws of `count` sums of weights x noise; weights: length x count, where length is the number of
 * coefficients: as many as a quantile at that risk takes, none when too few are affordable. */
SFM_MUST_CHECK sfm_status sfmi_draws_init(sfmi_draws *out, const sfm_release *release,
                                          const double *weights, size_t length, size_t count,
                                          double risk, sfm_error *error);
void sfmi_draws_clear(sfmi_draws *draws);
/* How many draws that would be: a multiplication each for every weight. */
size_t sfmi_draws_affordable(size_t length, size_t count, double risk);

/* The x with P(|sum| > x) <= p, from the sum of squares of the weights and the largest of them:
 * exact for normal noise, else a bound (docs/proofs/bands.md). */
double sfmi_draws_tail(const sfm_release *release, double squares, double largest, double p);
/* How far a coefficient is at most from what its noise would be without steps. */
double sfmi_draws_grain(const sfm_release *release);

#endif
