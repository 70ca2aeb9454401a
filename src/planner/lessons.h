/* lessons.h - how well a function is known after so many noisy answers: the learning curve of a
 * Gaussian process.
 *
 * A typical function has the covariance K/kappa^2 (values of order 1).  With the eigenvalues l_i of
 * that covariance over the points that matter, n answers at points like those and noise of variance
 * v, the mean squared error of the posterior mean is about the solution of
 *   e = sum_i l_i/(1 + n l_i/(v + e))
 * (Sollich 1999; Opper and Vivarelli 1999).  Points that are chosen where the error is largest do
 * better; the forecast does not count on it.  docs/proofs/tdil.md. */
#ifndef SFMI_LESSONS_H
#define SFMI_LESSONS_H

#include "features/lift.h"
#include "features/net.h"

/* Most points whose matrix is decomposed. */
#define SFMI_LESSONS_POINTS ((size_t)400)

typedef struct sfmi_lessons {
  double *spectrum; /* l_i >= 0, owned */
  size_t count;
  double repeated; /* every eigenvalue counts so often */
} sfmi_lessons;

/* Of the kernel of the lift (any form) over a net: evenly spaced points of it. */
SFM_MUST_CHECK sfm_status sfmi_lessons_net(sfmi_lessons *lessons, const sfmi_lift *lift,
                                           const sfmi_net *net, sfm_error *error);
/* Of the linear kernel over the ball of the lift's radius: E z z' = radius^2/(d + 2) I. */
SFM_MUST_CHECK sfm_status sfmi_lessons_ball(sfmi_lessons *lessons, const sfmi_lift *lift,
                                            sfm_error *error);
void sfmi_lessons_clear(sfmi_lessons *lessons);

/* What is not known before any answer, and the mean squared error after so many. */
double sfmi_lessons_prior(const sfmi_lessons *lessons);
double sfmi_lessons_error(const sfmi_lessons *lessons, double answers, double variance);

#endif
