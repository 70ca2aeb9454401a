/* saddle_point.h - where to invert, the tilt lambda at which (epsilon, delta) is typical; and
 * Chernoff's bounds, which need no inversion.
 *
 * With K(lambda) = ln E e^(lambda S), the integrand of the inversion is least at its real point
 * where K'(lambda) - 1/lambda - 1/(lambda + 1) = epsilon, and there
 *   delta is about e^(K(lambda) - lambda epsilon)/(lambda (lambda + 1) sqrt(2 pi C)),
 *   C = K''(lambda) + 1/lambda^2 + 1/(lambda + 1)^2.
 * The saddle is not certified, and need not be: any lambda > 0 inverts.  The bounds are. */
#ifndef SFMI_SADDLE_POINT_H
#define SFMI_SADDLE_POINT_H

#include "privacy_loss.h"

typedef struct sfmi_saddle {
  double lambda;
  double gap;       /* top - epsilon */
  double log_delta; /* about */
  double curvature; /* C */
} sfmi_saddle;

/* The point that belongs to this lambda. */
sfmi_saddle sfmi_saddle_at(const sfmi_total_loss *total, double lambda);
/* The point for an epsilon = top - gap, and for a delta, with lambda to a percent. */
sfmi_saddle sfmi_saddle_for_gap(const sfmi_total_loss *total, double gap);
sfmi_saddle sfmi_saddle_for_delta(const sfmi_total_loss *total, double log_delta);

/* ln E e^(lambda (S - top)) for lambda > -1, other than -1/2, after smoothing S by a normal loss of
 * this variance; *off grows by what it is known to. */
long double sfmi_total_loss_log_moment(const sfmi_total_loss *total, double lambda,
                                       double smoothing, long double *off);

/* ln of max (1 - e^-x) e^(-lambda x) over x. */
double sfmi_log_hockey_stick(double lambda);

/* At top - epsilon = gap, lambda > 0: ln delta <= this. */
long double sfmi_chernoff_above(const sfmi_total_loss *total, double lambda, long double gap);
/* ln(1 - delta) <= s (epsilon - top) + ln E e^(-s (S - top)) for 0 < s < 1.  The least of a few s:
 * ln(1 - delta) at a gap; and top - epsilon where that is log_rest, from above. */
long double sfmi_chernoff_below(const sfmi_total_loss *total, long double gap);
long double sfmi_chernoff_gap(const sfmi_total_loss *total, long double log_rest);

#endif
