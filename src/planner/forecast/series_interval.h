/* series_interval.h - how the error of one release of a series of D terms varies about its mean,
 * for records drawn from a shape.
 *
 * With x = b(row) - E b(row), S its covariance, G the Gram matrix of the functions over the bounds,
 * t what they miss of the shape and q_j the integral of b_j t, the integrated squared error is
 *   integral t^2 + e'G e - 2 q'e,   e = the mean of n such x + noise z,
 * z of independent coordinates of variance v (gamma: uncorrelated).  So, third moments aside,
 *   Var e'G e = Var z'G z + 2 (n - 1)/n^3 tr (G S)^2 + (E (x'G x)^2 - (tr G S)^2)/n^3
 *               + 4 v/n tr G S G,     Var 2 q'e = 4 (v |q|^2 + q'S q/n). */
#ifndef SFMI_SERIES_INTERVAL_H
#define SFMI_SERIES_INTERVAL_H

#include "shape_model.h"
#include "features/bases/basis.h"
#include "sfumato/vector.h"

typedef struct sfmi_series_interval {
  size_t count;
  double truncation;                        /* integral t^2 */
  double trace, trace_square, diagonal;     /* tr G, tr G^2, sum G_jj^2 */
  double sampling, sampling_square, fourth; /* tr G S, tr (G S)^2, E (x'G x)^2 */
  double mixed;                             /* tr G S G */
  double slope, slope_sampling;             /* |q|^2, q'S q */
  double square;                            /* the integral of the shape's square */
  double kernel;                            /* the mean over the shape of sum_j b_j^2, the constant
                                               function's included */
} sfmi_series_interval;

SFM_MUST_CHECK sfm_status sfmi_series_interval_init(sfmi_series_interval *interval,
                                                    const sfmi_basis *basis,
                                                    const sfmi_shape_model *shape_model,
                                                    sfm_error *error);

/* The variance of noise of that scale on one of so many coefficients. */
double sfmi_series_variance(sfm_vector_noise noise, double count, double scale);

/* The intervals of the whole error, and of the error against the series of all terms of the same
 * records; for n records and noise of that scale on the mean of the coefficients. */
void sfmi_series_interval_find(const sfmi_series_interval *interval, double total[2],
                               double cost[2], sfm_vector_noise noise, double scale, double n);

#endif
