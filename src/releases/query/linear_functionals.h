/* linear_functionals.h - integrals or values of a density of one variable at many points, with
 * draws of their noise: what distribution function, quantiles and mode are read from. */
#ifndef SFMI_LINEAR_FUNCTIONALS_H
#define SFMI_LINEAR_FUNCTIONALS_H

#include "query_exact.h"

typedef struct sfmi_functionals {
  size_t size, count; /* coefficients, functionals */
  size_t noisy;       /* the first coefficient that has noise */
  double *weights;    /* count x size */
  double *values;     /* S of each */
  sfmi_noise_draws draws;
} sfmi_functionals;

/* The functionals of integrands.  draws: simulate their noise, where that is affordable.  To be
 * cleared, also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_functionals_init(sfmi_functionals *p, const sfmi_query_exact *query,
                                                const sfmi_integrand *integrands, size_t count,
                                                bool draws, sfm_error *error);
/* Integrals up to the points x, and in the end the one within the bounds. */
SFM_MUST_CHECK sfm_status sfmi_functionals_init_cumulative(sfmi_functionals *p,
                                                           const sfmi_query_exact *query,
                                                           const double *x, size_t count,
                                                           bool draws, sfm_error *error);
void sfmi_functionals_clear(sfmi_functionals *p);

/* Of the weights that meet noise: the product of two functionals', the largest size, the sum of
 * sizes. */
double sfmi_functionals_dot(const sfmi_functionals *p, size_t k, size_t l);
double sfmi_functionals_largest_weight(const sfmi_functionals *p, size_t k);
double sfmi_functionals_weight_sum(const sfmi_functionals *p, size_t k);

/* Of integrals up to points: that up to point k against all within the bounds, but for what is not
 * noise, which sfmi_functionals_add_fixed adds for the place x that the point is. */
sfmi_contrast sfmi_functionals_contrast(const sfmi_functionals *p, size_t k);
void sfmi_functionals_add_fixed(sfmi_contrast *c, const sfmi_query_exact *query,
                                const sfmi_functionals *p, size_t k, double x);

/* `count` places from one to another, both included. */
void sfmi_equispaced(double *x, double from, double to, size_t count);

#endif
