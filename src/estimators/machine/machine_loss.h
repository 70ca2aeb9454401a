/* machine_loss.h - the loss of the value t where the label is y.
 *
 *   hinge                max(0, 1 - y t)                          y = +-1
 *   squared-hinge        max(0, 1 - y t)^2                        y = +-1
 *   logistic             ln(1 + exp(-y t))                        y = +-1
 *   huber                r^2/2 up to |r| = p, p |r| - p^2/2 beyond,   r = t - y
 *   epsilon-insensitive  max(0, |t - y| - p)
 *   squared              (t - y)^2/2
 *
 * Labels are +-1 or, for regression, in [-1, 1].  All losses are convex.  With the conjugate l*(s)
 * = sup_t (s t - l(t)), the slack l(t) + l*(-a) + a t of a dual variable a is >= 0, and zero at the
 * optimum (Fenchel and Young); it is computed without cancellation. */
#ifndef SFMI_MACHINE_LOSS_H
#define SFMI_MACHINE_LOSS_H

#include "sfumato/machine.h"

typedef struct sfmi_loss {
  sfm_machine_loss kind;
  double parameter; /* huber, epsilon-insensitive: in units of the label as it is here */
} sfmi_loss;

double sfmi_loss_at(const sfmi_loss *loss, double t, double y);
/* A (sub)derivative in t. */
double sfmi_loss_slope(const sfmi_loss *loss, double t, double y);
/* Where a dual variable may be, [*least, *most] (infinite: anywhere). */
void sfmi_loss_duals(const sfmi_loss *loss, double *least, double *most, double y);
/* Whether a dual is free: strictly inside a piece [*least, *most] of its range where the conjugate
 * l*(-a) is smooth.  Of hinge, squared hinge and epsilon-insensitive that is away from 0 and from
 * the ends, of the others away from the ends. */
bool sfmi_loss_dual_is_free(const sfmi_loss *loss, double a, double y, double *least, double *most);
/* A Newton step of a free dual of logistic leaves this part of its way to either end of the range.
 */
#define SFMI_LOSS_LOGISTIC_MARGIN 0.1
/* l(t) + l*(-a) + a t for a in its range: >= 0, and off by at most a few ulps of itself plus the
 * error of t times the larger of |a| and the Lipschitz constant. */
double sfmi_loss_slack(const sfmi_loss *loss, double t, double a, double y);
/* The a that maximises -l*(-a) - a t - q (a - a0)^2/2, q > 0: one step of coordinate ascent. */
double sfmi_loss_step(const sfmi_loss *loss, double t, double a0, double q, double y);
/* Where the dual is best and at a corner of the loss: how far t may move without another dual
 * becoming best; 0 elsewhere. */
double sfmi_loss_corner_room(const sfmi_loss *loss, double t, double a, double y);
/* Largest second derivative; infinite for hinge and epsilon-insensitive. */
double sfmi_loss_curvature(const sfmi_loss *loss);

/* An upper bound on the norm of any minimiser of (1/n) sum l + (lambda/2)|w|^2 over rows of norm <=
 * kappa. */
double sfmi_loss_reach(const sfmi_loss *loss, double lambda, double kappa);
/* The Lipschitz constant where |t| <= kappa * reach; for hinge, huber and epsilon-insensitive it is
 * global. */
double sfmi_loss_lipschitz(const sfmi_loss *loss, double lambda, double kappa);
/* The Lipschitz constant everywhere; infinite for the squared losses. */
double sfmi_loss_lipschitz_everywhere(const sfmi_loss *loss);

#endif
