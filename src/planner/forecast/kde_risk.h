/* kde_risk.h - the risk of a kernel density estimate without privacy: what smoothing and sampling
 * cost for a public shape.
 *
 * With p the shape, K the kernel (of integral one on the line; on a ring with all its images) and
 * all integrals over the domain,
 *   smoothing = int (K p - p)^2,   sampling = (row - square)/n,
 *   row = int int K(q, x)^2 p(x),  square = int (K p)^2.
 * Where columns are independent all of it is products over the columns of numbers of one column;
 * where a pilot of two or three columns is the shape, K is applied along the axes of a grid.  (A
 * matern kernel of several columns is replaced by the product of those of one column.) */
#ifndef SFMI_KDE_RISK_H
#define SFMI_KDE_RISK_H

#include "base/system/arena.h"
#include "features/kernels/kernel.h"
#include "shape_model.h"

/* A shape over a domain with boundaries, and a family of kernels; all of it borrowed. */
typedef struct sfmi_kde_problem {
  const sfmi_shape_model *shape_model;
  size_t dimension;
  const double *lower, *upper;
  const sfm_boundary *boundary;
  sfm_kernel_family family; /* stationary; others than gaussian only where all is open */
} sfmi_kde_problem;

/* Of one column; e = K p - p. */
typedef struct sfmi_kde_risk_axis {
  double pp, pe, ee; /* int p^2, int p e, int e^2 */
  double kk;         /* int (K p)^2 */
  double row;        /* int int K^2 p */
  double inside;     /* row over int K^2: the part of it which lies in the domain */
} sfmi_kde_risk_axis;

typedef struct sfmi_kde_risk {
  double smoothing, row, square;
  double shape, cross; /* int p^2, int p (K p) */
  sfmi_kde_risk_axis axis[SFM_MAX_DIMENSION];
} sfmi_kde_risk;

SFM_MUST_CHECK sfm_status sfmi_kde_risk_init(sfmi_kde_risk *kde_risk,
                                             const sfmi_kde_problem *problem,
                                             const double *bandwidth, sfm_error *error);

/* The bias B = K p - p and fluctuations: int (K B)^2 over int B^2, and the variance of (K B)(X), X
 * from the shape, over int B^2.  (Columns of a pilot are taken as independent, and other kernels as
 * gaussian.) */
typedef struct sfmi_kde_bias {
  double passed, variance;
} sfmi_kde_bias;

SFM_MUST_CHECK sfm_status sfmi_kde_bias_init(sfmi_kde_bias *kde_bias,
                                             const sfmi_kde_problem *problem,
                                             const double *bandwidth, sfm_error *error);

/* Where one column is integrated: places, weights, the density there, and the density smoothed. */
typedef struct sfmi_axis_quadrature {
  size_t count;
  double *places, *weights, *density, *smoothed;
} sfmi_axis_quadrature;

/* For functions that change as quickly as the density smoothed by h, and at most once within
 * `grain`. In the arena. */
SFM_MUST_CHECK sfm_status sfmi_axis_quadrature_init(sfmi_axis_quadrature *nodes,
                                                    const sfmi_kde_problem *problem, size_t a,
                                                    double h, double grain, sfmi_arena *arena,
                                                    sfm_error *error);

/* int K^2 of a normal kernel on the line, or on a ring of that length. */
double sfmi_kde_square_line(double h);
double sfmi_kde_square_ring(double length, double h);

/* prod (a + b) - prod a, prod (a + 2 b + c) - 2 prod (a + b) + prod a over count of each, without
 * cancellation. */
double sfmi_first_difference(const double *a, const double *b, size_t count);
double sfmi_second_difference(const double *a, const double *b, const double *c, size_t count);

/* K p by matrices along the axes of a pilot's grid. */
typedef struct sfmi_pilot_grid {
  size_t dimension, points, length; /* points: per axis */
  double *weights; /* of the trapezoidal rule along an axis, in units of the step */
  double cell;     /* the product of the steps */
  double *density, *result, *spare;
} sfmi_pilot_grid;

SFM_MUST_CHECK sfm_status sfmi_pilot_grid_init(sfmi_pilot_grid *grid,
                                               const sfmi_kde_problem *problem, sfmi_arena *arena,
                                               sfm_error *error);
/* The density through one matrix (points x points) per axis; the result is valid until the next
 * call. */
const double *sfmi_pilot_grid_apply(sfmi_pilot_grid *grid, double *const *matrices);
/* The matrix of the kernel along axis a. */
void sfmi_pilot_grid_kernel(const sfmi_pilot_grid *grid, const sfmi_kde_problem *problem, size_t a,
                            double h, double *matrix);
/* int f g over the domain. */
double sfmi_pilot_grid_inner(const sfmi_pilot_grid *grid, const double *f, const double *g);

#endif
