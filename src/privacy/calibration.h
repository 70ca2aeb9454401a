/* calibration.h - the trade-off between epsilon, delta and Gaussian noise
 * (docs/proofs/gaussian.md).
 *
 * Invariants of everything here:
 *  1. a delta that is returned is never below the true one; a mu that is returned for use is never
 *     above the true one.  Rounding always goes in the private direction.
 *  2. comparisons with the curve are decided by enclosures in MPFR whose precision grows until they
 *     decide; what stays undecided counts as not private. */
#ifndef SFMI_CALIBRATION_H
#define SFMI_CALIBRATION_H

#include <stdbool.h>

#include "base/system/status.h"
#include "sfumato/guarantee.h"

/* The range in which noise is calibrated. */
#define SFMI_EPSILON_MIN 1e-6
#define SFMI_EPSILON_MAX 1e3
#define SFMI_DELTA_MIN 1e-300
/* The range in which curves are followed: mu up to MU_MAX, epsilon from 0 to CURVE_EPSILON_MAX.
 * mu^2/2 + 39 mu, past which delta(epsilon) is below every double, stays inside. */
#define SFMI_MU_MAX 1e3
#define SFMI_CURVE_EPSILON_MAX 1e6

/* mu = Delta/sigma that the Gaussian mechanism may use at (epsilon, delta): what is released with
 * it is exactly mu-GDP.  Exact: the largest double that is private.  Classical:
 * epsilon/sqrt(2 ln(2/delta)) rounded down, refused for epsilon > 1. */
SFM_MUST_CHECK sfm_status sfmi_gdp_mu_for(double *mu, double epsilon, double delta,
                                          sfm_calibration calibration, sfm_error *error);

/* The guarantee of noise that is calibrated so: normal noise of that mu; of any other noise, where
 * mu is 0, pure epsilon. */
sfm_guarantee sfmi_guarantee_of_noise(double epsilon, double delta, double mu);

/* Whether mu-GDP implies (epsilon, delta).  0 <= mu <= MU_MAX, 0 <= epsilon <= CURVE_EPSILON_MAX,
 * delta > 0. */
bool sfmi_gdp_implies(double mu, double epsilon, double delta);

/* Whether it is certain that delta(mu, epsilon) >= delta; the ranges are the same. */
bool sfmi_gdp_exceeds(double mu, double epsilon, double delta);
/* The doubles on either side of delta(mu, epsilon), up to an enclosure of 2^-80. */
void sfmi_gdp_delta_bounds(double *lower, double *upper, double mu, double epsilon);

#endif
