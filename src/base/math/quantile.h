/* quantile.h - upper bounds of quantiles, from simulated draws. */
#ifndef SFMI_QUANTILE_H
#define SFMI_QUANTILE_H

#include <stddef.h>

/* The order statistic that is at least the quantile of the draws' law with probability 0.99;
 * infinite when the draws are too few for that.  Changes their order. */
double sfmi_quantile_select(double *values, size_t draws, double confidence);

#endif
