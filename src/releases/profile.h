/* profile.h - integrals or values of a density of one variable at many points, with draws of their
 * noise: what distribution function, quantiles and mode are read from. */
#ifndef SFMI_PROFILE_H
#define SFMI_PROFILE_H

#include "releases/inquiry.h"

typedef struct sfmi_profile {
  size_t size, count; /* coefficients, functionals */
  size_t noisy;       /* the first coefficient that has noise */
  double *weights;    /* count x size */
  double *values;     /* S of each */
  sfmi_draws draws;
} sfmi_profile;

/* The functionals of sides.  draws: simulate their noise, where that is affordable.  To be cleared,
 * also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_profile_init(sfmi_profile *p, const sfmi_inquiry *inquiry,
                                            const sfmi_side *sides, size_t count, bool draws,
                                            sfm_error *error);
/* Integrals up to the points x, and in the end the one within the bounds. */
SFM_MUST_CHECK sfm_status sfmi_profile_below(sfmi_profile *p, const sfmi_inquiry *inquiry,
                                             const double *x, size_t count, bool draws,
                                             sfm_error *error);
void sfmi_profile_clear(sfmi_profile *p);

/* Of the weights that meet noise: the product of two functionals', the largest size, the sum of
 * sizes. */
double sfmi_profile_dot(const sfmi_profile *p, size_t k, size_t l);
double sfmi_profile_largest(const sfmi_profile *p, size_t k);
double sfmi_profile_sum(const sfmi_profile *p, size_t k);

/* Of integrals up to points: that up to point k against all within the bounds, but for what is not
 * noise, which sfmi_profile_fix adds for the place x that the point is. */
sfmi_contrast sfmi_profile_contrast(const sfmi_profile *p, size_t k);
void sfmi_profile_fix(sfmi_contrast *c, const sfmi_inquiry *inquiry, const sfmi_profile *p,
                      size_t k, double x);

/* `count` places from one to another, both included. */
void sfmi_profile_places(double *x, double from, double to, size_t count);

#endif
