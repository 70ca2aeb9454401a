/* density_interval.h - how far the squared error of one release may lie from its mean
 * (docs/proofs/forecasts.md).
 *
 * The error of a release is int (B + Z + N)^2: B the bias, Z what sampling adds, N the noise, the
 * last two of mean zero with covariances C over the domain.  Its mean is int B^2 + tr C_Z + tr C_N,
 * its variance about
 *   2 tr C_N^2 (1 + excess) + 2 tr C_Z^2 + 4 tr C_N C_Z + 4 <B, (C_N + C_Z) B>,
 * and its law about a gamma, shifted, with that mean and variance and the skewness of the parts. */
#ifndef SFMI_DENSITY_INTERVAL_H
#define SFMI_DENSITY_INTERVAL_H

#include "density_candidates.h"

/* What the covariances of a candidate come to. */
typedef struct sfmi_density_interval {
  double noise;    /* variance of the noise's error over its mean's square */
  double along;    /* <B, C_N B> over int B^2 and tr C_N */
  double sampling; /* as noise, of sampling, but for its being over n */
  double density;  /* <B, C_Z B> n over int B^2 */
} sfmi_density_interval;

/* For a candidate at the bounds and boundaries of a design; stated gammas of sobolev or NULL. */
void sfmi_density_interval_init(sfmi_density_interval *interval, const sfmi_candidate *candidate,
                                const sfmi_design_density *design, const double *gamma,
                                const sfmi_kde_risk *kde_risk, const sfmi_kde_bias *kde_bias);

/* Widens the intervals of a forecast by those that errors (at a rate) give for so many records. */
void sfmi_density_interval_widen(sfm_forecast *forecast, const sfmi_density_interval *interval,
                                 const sfmi_density_errors *errors, double rows, double rate);

#endif
