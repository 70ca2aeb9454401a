/* forecast.h - a forecast: its sums, and the interval that a squared error lies in 19
 * times in 20. */
#ifndef SFMI_FORECAST_H
#define SFMI_FORECAST_H

#include "sfumato/plan.h"

/* Fills in total, cost and relative from the parts.  volume: of the domain; peak: of the shape. */
void sfmi_forecast_sum(sfm_forecast *forecast, double volume, double peak);
/* The same, with the intervals, of a forecast whose error is all that privacy costs, of that mean
 * and variance. */
void sfmi_forecast_cost(sfm_forecast *forecast, double mean, double variance, double volume,
                        double peak);

/* Sets *best to f if f is better: hardened where *best is not, or as good in that and with a
 * smaller total.  hardened: whether *best is.  At first its total is infinite, and it is not
 * hardened. */
void sfmi_forecast_prefer(sfm_forecast *best, bool *hardened, const sfm_forecast *f,
                          bool f_hardened);

/* Predictions themselves are off by no more than this part. */
#define SFMI_FORECAST_INTERVAL_FLOOR 0.02

/* The interval of an error bias + W + S, from means and variances:
 * - bias: a number that is there whatever happens;
 * - W >= 0, a sum of squares, of that mean and variance;
 * - S, the bias times what varies: of mean zero and variance slope.
 * W is taken to have a gamma distribution.  That is exact for a sum of squares of normal errors of
 * equal size, and near otherwise.  Where S counts for more than W, the whole is taken
 * to have one. */
void sfmi_forecast_interval(double *low, double *high, double bias, double mean, double variance,
                            double slope);

#endif
