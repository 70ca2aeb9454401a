/* forecast_interval.h - where a squared error lies 19 times in 20, as far as its mean and variance
 * tell. */
#ifndef SFMI_FORECAST_INTERVAL_H
#define SFMI_FORECAST_INTERVAL_H

/* Predictions themselves are off by no more than this part. */
#define SFMI_FORECAST_INTERVAL_FLOOR 0.02

/* The error is bias + W + S: a bias that is there whatever happens, W >= 0 of that mean and
 * variance, a sum of squares, and S of mean zero and variance slope, the bias times what varies.  W
 * is taken to be of the gamma distribution, which it is for a sum of squares of as large normal
 * errors, and near otherwise; where S counts for more than W, so is the whole. */
void sfmi_forecast_interval(double *low, double *high, double bias, double mean, double variance,
                            double slope);

#endif
