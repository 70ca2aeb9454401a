#include "certificate.h"

#include <math.h>

/* The own error of slacks, losses and slopes, as a change of t in units of 1 + |t| (labels are at
 * most 1): the subtraction of the label, and for logistic the exponential. */
static const double INNER = 8 * SFMI_UNIT_ROUNDOFF;
/* Their relative error, together with that of the sums in two doubles. */
static const double UPWARD = 1 + 64 * SFMI_UNIT_ROUNDOFF;

static sfmi_dd add(sfmi_dd sum, double x) {
  const sfmi_dd s = sfmi_dd_two_sum(sum.hi, x);
  return sfmi_dd_two_sum(s.hi, s.lo + sum.lo);
}

/* Hinge, without calls of functions; the slopes are those of sfmi_loss_slope. */
static void add_hinge(sfmi_slacks *sums, double t, double a, double y, double e) {
  const double u = 1 - y * t, b = y * a, off = e + INNER * (1 + fabs(t));
  const double steepest = u > 2 * off ? 1 - b : u < -2 * off ? b : b > 0.5 ? b : 1 - b;
  sums->slack = add(sums->slack, u > 0 ? u * (1 - b) : -u * b);
  sums->rounding += off * (steepest + INNER * (1 + b));
  sums->loss = add(sums->loss, u > 0 ? u : 0);
}

void sfmi_slacks_add(sfmi_slacks *sums, const sfmi_loss *loss, double t, double a, double y,
                     double e) {
  if (loss->kind == SFM_MACHINE_LOSS_HINGE) {
    add_hinge(sums, t, a, y, e);
    return;
  }
  const double off = e + INNER * (1 + fabs(t));
  const double below = fabs(sfmi_loss_slope(loss, t - 2 * off, y) + a);
  const double above = fabs(sfmi_loss_slope(loss, t + 2 * off, y) + a);
  const double steepest = fmax(below, above);
  sums->slack = add(sums->slack, sfmi_loss_slack(loss, t, a, y));
  sums->rounding += off * (steepest + INNER * (1 + fabs(a)));
  sums->loss = add(sums->loss, sfmi_loss_at(loss, t, y));
}

void sfmi_slacks_add_empty(sfmi_slacks *sums, const sfmi_loss *loss, double t, double y) {
  sums->loss = add(sums->loss, sfmi_loss_at(loss, t, y));
}

void sfmi_slacks_merge(sfmi_slacks *sums, const sfmi_slacks *other) {
  sums->slack = sfmi_dd_add(sums->slack, other->slack);
  sums->loss = sfmi_dd_add(sums->loss, other->loss);
  sums->rounding += other->rounding;
}

void sfmi_certify(sfmi_solution *solution, const sfmi_problem *problem, const sfmi_slacks *sums,
                  double square, double away) {
  const double n = (double)problem->examples->rows, half = problem->lambda / 2;
  const double slack = sums->slack.hi / n;
  /* Sums of numbers >= 0, of n terms at most. */
  const double grown = 1 + 2 * SFMI_UNIT_ROUNDOFF * (n + 64);
  solution->gap = (slack + sums->rounding * grown / n + half * away * away) * UPWARD;
  solution->rounding = solution->gap - slack;
  solution->distance = sqrt(2 * solution->gap / problem->lambda) * UPWARD;
  solution->primal = sums->loss.hi / n + half * square;
  solution->dual = solution->primal - slack;
}

double sfmi_sum_depth(size_t terms) {
  return (double)(terms < SFMI_SUM_BLOCK ? terms : SFMI_SUM_BLOCK) +
         (double)(terms / SFMI_SUM_BLOCK);
}
