/* stability_threshold.h - certified thresholds: of cells that exist only because somebody is in
 * them (docs/proofs/sparse.md), and of cells so small that a random person is hardly ever in them
 * (docs/proofs/random-dp.md). */
#ifndef SFMI_STABILITY_THRESHOLD_H
#define SFMI_STABILITY_THRESHOLD_H

#include <stdbool.h>

#include "base/system/status.h"
#include "sfumato/noise.h"

/* The least whole tau >= k with P(k + Z > tau) <= cost, Z discrete Laplace of the scale (at most
 * 2^52), rounded up; 0 < cost < 1, cost >= 1e-310. */
int64_t sfmi_stability_threshold(sfm_ratio scale, uint32_t k, double cost);

/* delta/(parts), rounded down: what each of so many cells may cost. */
double sfmi_stability_share(double delta, uint64_t parts);

/* The largest whole s with 2 p (s + 1) <= gamma n, rounded down; false when there is none. */
bool sfmi_stability_exempt(uint64_t *s, double gamma, uint64_t n, uint64_t p);

#endif
