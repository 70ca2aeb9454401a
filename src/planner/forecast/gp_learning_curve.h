/* gp_learning_curve.h - how well a function is known after so many noisy answers: the learning
 * curve of a Gaussian process.
 *
 * A typical function has the covariance K/kappa^2 (values of order 1).  With the eigenvalues l_i of
 * that covariance over the points that matter, n answers at points like those and noise of variance
 * v, the mean squared error of the posterior mean is about the solution of
 *   e = sum_i l_i/(1 + n l_i/(v + e))
 * (Sollich 1999; Opper and Vivarelli 1999).  Points that are chosen where the error is largest do
 * better; the forecast does not rely on it.  docs/proofs/tdil.md. */
#ifndef SFMI_GP_LEARNING_CURVE_H
#define SFMI_GP_LEARNING_CURVE_H

#include "features/maps/feature_map.h"
#include "features/maps/point_net.h"

/* Most points whose matrix is decomposed. */
#define SFMI_LEARNING_CURVE_POINTS ((size_t)400)

typedef struct sfmi_learning_curve {
  double *spectrum; /* l_i >= 0, owned */
  size_t count;
  double repeated; /* how often every eigenvalue is there */
} sfmi_learning_curve;

/* Of the kernel of the map (any form) over a net: evenly spaced points of it. */
SFM_MUST_CHECK sfm_status sfmi_learning_curve_net(sfmi_learning_curve *learning_curve,
                                                  const sfmi_feature_map *map, const sfmi_net *net,
                                                  sfm_error *error);
/* Of the linear kernel over the ball of the map's radius: E z z' = radius^2/(d + 2) I. */
SFM_MUST_CHECK sfm_status sfmi_learning_curve_ball(sfmi_learning_curve *learning_curve,
                                                   const sfmi_feature_map *map, sfm_error *error);
void sfmi_learning_curve_clear(sfmi_learning_curve *learning_curve);

/* The mean squared error before any answer, and after so many. */
double sfmi_learning_curve_prior(const sfmi_learning_curve *learning_curve);
double sfmi_learning_curve_error(const sfmi_learning_curve *learning_curve, double answers,
                                 double variance);

#endif
