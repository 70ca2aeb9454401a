/* evaluator.h - a function of a release, ready to be evaluated (internal face of
 * sfumato/release.h). */
#ifndef SFMI_EVALUATOR_H
#define SFMI_EVALUATOR_H

#include "basis_expansion.h"
#include "kriging.h"
#include "nufft.h"
#include "piecewise_polynomial.h"

/* What is done to the coefficients of a function before it is evaluated: to the polynomial of the
 * release's coefficients times factor, or to those of a series, by a factor for each. */
typedef struct sfmi_evaluator_filter {
  sfm_status (*polynomial)(sfmi_trig_poly *poly, double factor, sfm_error *error);
  sfm_status (*series)(double *factors, const sfm_release *release, sfm_error *error);
} sfmi_evaluator_filter;

/* How a form of function (sfmi_form) is evaluated; create and destroy may be NULL. */
typedef struct sfmi_evaluator_form {
  /* What the evaluator keeps, of the coefficients over total; filter may be NULL. */
  sfm_status (*create)(sfm_evaluator *evaluator, double total, const sfmi_evaluator_filter *filter,
                       sfm_error *error);
  /* Takes what was made, also when it failed. */
  void (*destroy)(sfm_evaluator *evaluator);
  sfm_status (*at)(const sfm_evaluator *evaluator, double *values, const double *points,
                   size_t count, sfm_error *error);
  /* points: those of every axis. */
  sfm_status (*grid)(const sfm_evaluator *evaluator, double *values, double *const *points,
                     const size_t *counts, sfm_error *error);
} sfmi_evaluator_form;

struct sfm_evaluator {
  const sfm_release *release;
  const sfmi_evaluator_form *form;
  /* Of its form. */
  sfmi_trig_poly *poly; /* lattice, torus; and tables for many points, or NULL */
  sfmi_piecewise_polynomial *table;
  sfmi_nufft *nufft;
  sfmi_kriging *kriging;     /* places */
  sfmi_expansion *expansion; /* basis */
};

/* As sfm_evaluator_create, filtered; NULL: as it is.  Values at places and on a grid, and functions
 * that are neither polynomial nor series, have no filter. */
SFM_MUST_CHECK sfm_status sfmi_evaluator_create_filtered(sfm_evaluator **out,
                                                         const sfm_release *release, double total,
                                                         const sfmi_evaluator_filter *filter,
                                                         sfm_error *error);

/* As sfm_evaluator_at of a function that is not values at places, for points within the bounds; but
 * always in the same way (tables where there are some), so that a point has the same value, bit for
 * bit, alone and among others.  sfm_evaluator_at takes the exact sum for a few points. */
void sfmi_evaluator_at_reproducible(const sfm_evaluator *evaluator, double *values,
                                    const double *points, size_t count);

#endif
