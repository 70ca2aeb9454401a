/* curve_law.h - the mean and covariance of curves of a guessed law, once they are fitted and
 * clipped, in the basis of a design.
 *
 * A record is y = mean + spread G at the points, G ~ GP(0, K) of the fits' own kernel, measured
 * without error: with Phi the basis at the points (Phi Phi' = K there) G = Phi z, z standard
 * normal.  Its fit is w = A y, A = Phi'(K + ridge)^-1 (curve_smoother.h), so normal with mean A
 * mean and covariance spread^2 M^2, M = A Phi.  Where curves may be clipped, mean and covariance
 * are those of 4,096 simulated curves.  Between two points the mean is the cubic that has its
 * values and slopes there, the slope at a point that of the polynomial through five points.
 *
 * Nothing of it depends on the number of records or the guarantee. */
#ifndef SFMI_CURVE_LAW_H
#define SFMI_CURVE_LAW_H

#include "base/system/arena.h"
#include "planner/design/design_curve.h"

typedef struct sfmi_curve_law {
  sfmi_arena arena;
  size_t count;       /* m */
  double *mean;       /* of the clipped fits */
  double *inner;      /* the integral of b_j times the guessed mean */
  double *covariance; /* m x m; NULL: the spread is not known */
  double smoothing;   /* the integral of (mean of the clipped fits - guessed mean)^2 */
  double straight;    /* the same, were the mean straight between the points */
} sfmi_curve_law;

/* For settings with a guessed mean, and their design.  Clear also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_curve_law_init(sfmi_curve_law *curve_law,
                                              const sfmi_design_curve *curve_design,
                                              const sfm_curve_settings *settings, sfm_error *error);
void sfmi_curve_law_clear(sfmi_curve_law *curve_law);

/* Phi: points x m, row by row; from the arena. */
SFM_MUST_CHECK sfm_status sfmi_curve_law_basis(double **out, sfmi_arena *arena,
                                               const sfmi_basis *basis, sfm_error *error);

/* The guessed mean at a place of the grid's range. */
double sfmi_curve_law_mean_at(const sfm_curve_settings *settings, double x);

#endif
