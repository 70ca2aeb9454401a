/* state_space.h - laplacian and matern processes of one variable as linear systems driven by white
 * noise.
 *
 * Lengths are in units of 1/a, a = sqrt(2 nu)/h (sfmi_state_rate).  In them the process of order
 * p = nu + 1/2 (1, 2 or 3) solves (d/dt + 1)^p f = c w for white noise w, and its state is
 *   s_k = (d/dt + 1)^k f, k < p:   f,   f + f',   f + 2 f' + f''
 * so that across a gap t it becomes A s + r, where
 *   A_jk = exp(-t) t^(k-j)/(k-j)! for k >= j, else 0,
 *   Q_jk = cov(r)_jk = c^2 integral_0^t exp(-2u) u^(i+l)/(i! l!) du, i = p-1-j, l = p-1-k,
 * and c^2 = 2, 4, 16/3 makes Var f = Q_00 of an infinite gap 1.  Every entry is a sum of positive
 * terms here, and is right relatively for every gap: f's own entry is of the order t^(2p-1), which
 * a difference of stationary covariances would lose. */
#ifndef SFMI_STATE_SPACE_H
#define SFMI_STATE_SPACE_H

#include "features/kernels/kernel.h"

#define SFMI_STATE_MAX 3

/* For a kernel with sfmi_kernel_markov: p, and a. */
unsigned sfmi_state_order(const sfm_kernel *kernel);
double sfmi_state_rate(const sfm_kernel *kernel);

/* Across a gap: A by its first row (each further row is that one moved to the right), and the lower
 * Cholesky factor of Q, row by row. */
typedef struct sfmi_transition {
  double carry[SFMI_STATE_MAX];
  double noise[SFMI_STATE_MAX * (SFMI_STATE_MAX + 1) / 2];
} sfmi_transition;

/* gap > 0; INFINITY forgets the state: noise is then the stationary factor. */
void sfmi_transition_set(sfmi_transition *step, unsigned order, double gap);

/* The middle of an interval.  Of the states at its ends the right one is A(length) left + rise; the
 * rise of its first half is gain rise + noise z, so that, with A(length/2) in carry,
 *   middle = carry left + first,  second half's rise = rise - carry first.
 * Rises shrink with the interval, and this splits them without loss where (left, right) -> middle
 * would take differences of nearly equal states. */
typedef struct sfmi_bridge {
  double carry[SFMI_STATE_MAX];
  double gain[SFMI_STATE_MAX * SFMI_STATE_MAX]; /* order x order, row by row */
  double noise[SFMI_STATE_MAX * (SFMI_STATE_MAX + 1) / 2];
} sfmi_bridge;

/* bridges[l] halves an interval of length 2^-l length, l < count.  Computed with as many bits as it
 * takes and rounded to doubles.  0x1p-200 <= length < infinity. */
void sfmi_bridges_set(sfmi_bridge *bridges, size_t count, unsigned order, double length);

/* out := A in; out may be in. */
static inline void sfmi_state_carry(double *out, const double *carry, const double *in,
                                    unsigned order) {
  for (unsigned j = 0; j < order; j++) {
    double sum = 0;
    for (unsigned k = j; k < order; k++) sum += carry[k - j] * in[k];
    out[j] = sum;
  }
}

/* out += noise z. */
static inline void sfmi_state_noise(double *out, const double *noise, const double *z,
                                    unsigned order) {
  for (unsigned j = 0; j < order; j++, noise += j)
    for (unsigned k = 0; k <= j; k++) out[j] += noise[k] * z[k];
}

#endif
