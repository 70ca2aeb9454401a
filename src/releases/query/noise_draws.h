/* noise_draws.h - what sums of a release's noise, with given weights, can be: simulated with the
 * public generator, and bounded.  The noise is the release's law without its rounding to steps,
 * which moves a coefficient by less than sfmi_noise_rounding. */
#ifndef SFMI_NOISE_DRAWS_H
#define SFMI_NOISE_DRAWS_H

#include "releases/core/release_data.h"

typedef struct sfmi_noise_draws {
  size_t draws;   /* 0: too many to simulate */
  size_t count;   /* sums */
  double *values; /* sum by sum, one per draw */
} sfmi_noise_draws;

/* Draws of `count` sums of weights x noise; weights: length x count, where length is the number of
 * coefficients: as many as a quantile at that risk takes, none when too few are affordable. */
SFM_MUST_CHECK sfm_status sfmi_noise_draws_init(sfmi_noise_draws *out, const sfm_release *release,
                                                const double *weights, size_t length, size_t count,
                                                double risk, sfm_error *error);
void sfmi_noise_draws_clear(sfmi_noise_draws *draws);
/* How many draws that would be: a multiplication each for every weight. */
size_t sfmi_noise_draws_affordable(size_t length, size_t count, double risk);

/* The x with P(|sum| > x) <= p, from the sum of squares of the weights and the largest of them:
 * exact for normal noise, else a bound (docs/proofs/bands.md). */
double sfmi_noise_sum_tail(const sfm_release *release, double squares, double largest, double p);
/* How far a coefficient is at most from what its noise would be without steps. */
double sfmi_noise_rounding(const sfm_release *release);

#endif
