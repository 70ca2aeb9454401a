/* evaluator.h - a function of a release, ready to be evaluated (internal face of
 * sfumato/release.h). */
#ifndef SFMI_EVALUATOR_H
#define SFMI_EVALUATOR_H

#include "basis_expansion.h"
#include "kriging.h"
#include "nufft.h"
#include "piecewise_polynomial.h"

struct sfm_evaluator {
  const sfm_release *release;
  sfmi_trig_poly *poly;
  sfmi_piecewise_polynomial *table;
  sfmi_nufft *nufft;
  sfmi_kriging *kriging;     /* of values at places; then none of the above */
  sfmi_expansion *expansion; /* of a basis; then none of the above */
  bool gridded;              /* refined: then none of the above */
};

/* What is done to the coefficients of a function before it is evaluated: to the polynomial of the
 * release's coefficients times factor, or to those of a series, by a factor for each. */
typedef struct sfmi_evaluator_filter {
  sfm_status (*polynomial)(sfmi_trig_poly *poly, double factor, sfm_error *error);
  sfm_status (*series)(double *factors, const sfm_release *release, sfm_error *error);
} sfmi_evaluator_filter;

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
