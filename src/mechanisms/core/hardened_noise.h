/* hardened_noise.h - the hardened vector release: the only place where secret noise is drawn for
 * integers.
 *
 * Theorem (docs/proofs/hardened.md).  Let v be an integer vector, a deterministic function of the
 * rows, that moves by at most D1 in l1 (D2 in l2) between neighbours.  v + independent discrete
 * Laplace noise of scale >= D1/epsilon is epsilon-DP; v + independent rounded normal noise of scale
 * >= D2/mu is mu-GDP; v + noise x of P(x) prop. to exp(-max |x_i|/scale), scale >= Dmax/epsilon, is
 * epsilon-DP where no integer moves by more than Dmax (docs/proofs/knorm.md).  Everything is done
 * in integers, so nothing depends on floating point except the scale, which is rounded up. */
#ifndef SFMI_HARDENED_NOISE_H
#define SFMI_HARDENED_NOISE_H

#include <stdbool.h>

#include "sfumato/noise.h"
#include "base/system/status.h"
#include "seed.h"

typedef struct sfmi_noise_law {
  sfm_noise_law law;
  sfm_ratio scale; /* in integer steps */
  bool joint;      /* of all numbers together: exp(-max |x_i|/scale), law is that of one alone */
} sfmi_noise_law;

/* How a vector becomes integers that noise makes private; all of it public. */
typedef struct sfmi_hardening {
  sfmi_noise_law law;
  double step;        /* one integer, in the vector's unit */
  double sensitivity; /* of the integers, in the vector's unit and the law's norm */
} sfmi_hardening;

/* A value in steps: NaN is 0, the rest is clamped to -range .. range and rounded once. */
int64_t sfmi_harden_steps(double value, double step, double range);

/* value / 2^shift to the nearest integer, halves up. */
static inline sfmi_i128 sfmi_shift_round(sfmi_i128 value, int shift) {
  return shift ? (value + ((sfmi_i128)1 << (shift - 1))) >> shift : value;
}

/* Discrete Laplace for l1 sensitivity (in steps) and epsilon. */
SFM_MUST_CHECK sfm_status sfmi_harden_laplace(sfmi_noise_law *out, double l1, double epsilon,
                                              sfm_error *error);
/* Rounded normal for l2 sensitivity (in steps) and mu. */
SFM_MUST_CHECK sfm_status sfmi_harden_normal(sfmi_noise_law *out, double l2, double mu,
                                             sfm_error *error);
/* Noise by the largest coordinate, for linf sensitivity (in steps), epsilon and so many numbers. */
SFM_MUST_CHECK sfm_status sfmi_harden_linf(sfmi_noise_law *out, double linf, double epsilon,
                                           size_t length, sfm_error *error);
/* The scale as a number of steps. */
double sfmi_noise_scale(const sfmi_noise_law *law);

/* Noise of one law, ready to be drawn: the tables of its sampler and a stream of its own. */
typedef struct sfmi_hardener sfmi_hardener;

SFM_MUST_CHECK sfm_status sfmi_hardener_create(sfmi_hardener **out, const sfmi_noise_law *law,
                                               sfmi_seed source, sfm_error *error);
void sfmi_hardener_destroy(sfmi_hardener *hardener);

/* released[i] = values[i] + fresh noise, the sum saturated at the ends of int64. */
void sfmi_hardener_add(sfmi_hardener *hardener, int64_t *released, const sfmi_i128 *values,
                       size_t length);

/* The same for counts. */
void sfmi_hardener_add_counts(sfmi_hardener *hardener, int64_t *released, const uint64_t *counts,
                              size_t length);

/* What sfmi_hardener_add would make of `zeros` zeros (at most 2^62), of which only those that end
 * above tau >= 0 are wanted: which they are, ascending, and their values.  The same law in a time
 * that grows with how many there are; discrete Laplace noise only.  The caller frees both. */
SFM_MUST_CHECK sfm_status sfmi_hardener_zeros_above(sfmi_hardener *hardener, uint64_t **places,
                                                    int64_t **released, size_t *count,
                                                    uint64_t zeros, int64_t tau, sfm_error *error);

#endif
