/* chernoff_bound.h - Chernoff's bounds of delta, which need no inversion.  Certified: rounding is
 * counted in. */
#ifndef SFMI_CHERNOFF_BOUND_H
#define SFMI_CHERNOFF_BOUND_H

#include "privacy_loss.h"

/* ln of max (1 - e^-x) e^(-lambda x) over x. */
double sfmi_log_hockey_stick(double lambda);

/* At top - epsilon = gap, lambda > 0: ln delta <= this. */
long double sfmi_chernoff_above(const sfmi_total_loss *total, double lambda, long double gap);
/* ln(1 - delta) <= s (epsilon - top) + ln E e^(-s (S - top)) for 0 < s < 1.  The least of a few s:
 * ln(1 - delta) at a gap; and top - epsilon where that is log_rest, from above. */
long double sfmi_chernoff_below(const sfmi_total_loss *total, long double gap);
long double sfmi_chernoff_gap(const sfmi_total_loss *total, long double log_rest);

#endif
