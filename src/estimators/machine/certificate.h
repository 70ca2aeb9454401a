/* certificate.h - how near computed weights are to the exact minimiser, for any duals.
 *
 * For any duals a in their range, w(a) = (1/lambda n) sum_i a_i phi_i and any weights w, with t_i =
 * <w, phi_i> + offset_i,
 *   P(w) - D(a) = (1/n) sum_i slack(t_i, a_i) + (lambda/2)|w - w(a)|^2 >= (lambda/2)|w - w*|^2.
 * (Expand: sum_i a_i <w, phi_i>/n = lambda <w, w(a)>.  P is lambda-strongly convex and P(w*) >=
 * D(a).)  The computed value is within e_i of t_i.  A slack is convex in t, so it is at most the
 * slack at the computed value plus e_i times the larger of its slopes |l' + a_i| at both ends of
 * the interval.  Everything is >= 0: nothing cancels, and the sum is kept in two doubles.
 *
 * A row whose features are all zero does not enter: its dual can be the best one, whose slack is
 * zero, and moves nothing. */
#ifndef SFMI_CERTIFICATE_H
#define SFMI_CERTIFICATE_H

#include "base/math/double_double.h"
#include "machine_problem.h"

/* Half the distance from 1 to the next double: the largest relative error of one operation. */
#define SFMI_UNIT_ROUNDOFF 0x1p-53

/* Sums over rows; start from {0}. */
typedef struct sfmi_slacks {
  sfmi_dd slack;   /* at the computed values */
  double rounding; /* by how much the exact ones may be larger */
  sfmi_dd loss;    /* at the computed values */
} sfmi_slacks;

/* A row: its computed value t (offset included), which is within e of the exact one, its dual and
 * label. */
void sfmi_slacks_add(sfmi_slacks *sums, const sfmi_loss *loss, double t, double a, double y,
                     double e);
/* A row without features: its loss only. */
void sfmi_slacks_add_empty(sfmi_slacks *sums, const sfmi_loss *loss, double t, double y);
void sfmi_slacks_merge(sfmi_slacks *sums, const sfmi_slacks *other);

/* Fills in gap, rounding, distance, primal and dual.  square: |w|^2; away: |w - w(a)| is at most
 * this. */
void sfmi_certify(sfmi_solution *solution, const sfmi_problem *problem, const sfmi_slacks *sums,
                  double square, double away);

/* The most additions, one after the other, that any term of a sum of `terms` products goes through:
 * sums are made in blocks of SFMI_SUM_BLOCK terms, and then of blocks.  A value <w, phi> is then
 * within (depth + a few) SFMI_UNIT_ROUNDOFF |w||phi|. */
#define SFMI_SUM_BLOCK ((size_t)128)
double sfmi_sum_depth(size_t terms);

#endif
