/* saddle_point.h - where to invert: the tilt lambda at which (epsilon, delta) is typical.
 *
 * With K(lambda) = ln E e^(lambda S), the integrand of the inversion is least at its real point
 * where K'(lambda) - 1/lambda - 1/(lambda + 1) = epsilon, and there
 *   delta is about e^(K(lambda) - lambda epsilon)/(lambda (lambda + 1) sqrt(2 pi C)),
 *   C = K''(lambda) + 1/lambda^2 + 1/(lambda + 1)^2.
 * The saddle is not certified, and need not be: any lambda > 0 inverts. */
#ifndef SFMI_SADDLE_POINT_H
#define SFMI_SADDLE_POINT_H

#include "privacy_loss.h"

typedef struct sfmi_saddle {
  double lambda;
  double gap;       /* top - epsilon */
  double log_delta; /* about */
  double curvature; /* C */
} sfmi_saddle;

/* The point for an epsilon = top - gap, and for a delta, with lambda to a percent. */
sfmi_saddle sfmi_saddle_for_gap(const sfmi_total_loss *total, double gap);
sfmi_saddle sfmi_saddle_for_delta(const sfmi_total_loss *total, double log_delta);

#endif
