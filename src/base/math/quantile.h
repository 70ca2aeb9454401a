/* quantile.h - upper bounds of quantiles, from simulated draws. */
#ifndef SFMI_QUANTILE_H
#define SFMI_QUANTILE_H

#include <stddef.h>

/* From sorted draws, the order statistic that is at least the quantile of their law with
 * probability 0.99; infinite when the draws are too few for that. */
double sfmi_quantile_above(const double *sorted, size_t draws, double confidence);

/* The same from draws in any order, which it changes, without sorting all of them. */
double sfmi_quantile_select(double *values, size_t draws, double confidence);

#endif
