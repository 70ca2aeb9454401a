/* series_errors.h - the errors of the first terms of a series for a public shape, and about how far
 * one row can move them.  These numbers are for choosing terms; no guarantee rests on them.
 *
 * Where no shape is given it is a normal density of standard deviation a tenth of the domain's
 * width, cut at the bounds and of integral one again, and everything is the mean over 16 places
 * for its centre, evenly spread over the bounds.  Where a basis is named, the column is taken to
 * suit it: for fourier and db4, which wrap round, the shape wraps round too, and for hermite the
 * centres are in the middle third of the bounds.
 *
 * All errors are integrated over the bounds.  With m_j = E b_j(row), S the covariance of the
 * b_j(row) and G the Gram matrix of the first D functions over the bounds (the identity, but for
 * hermite, whose functions are orthonormal over all of R),
 *   truncation  integral f^2 - 2 |m|^2 + m'G m   (less the constant's part),   sampling  tr G S. */
#ifndef SFMI_SERIES_ERRORS_H
#define SFMI_SERIES_ERRORS_H

#include "base/system/arena.h"
#include "features/bases/basis.h"
#include "shape_model.h"

/* For the first D functions of a basis, D = 0 .. count. */
typedef struct sfmi_series_errors {
  sfmi_arena arena;
  size_t count;
  double *truncation; /* the integrated square of what they miss */
  double *sampling;   /* to be divided by the number of rows */
  double *trace;      /* of G: what noise of variance 1 on each adds */
  double *reach;      /* about how far apart two rows are, or one from zero, in l1 or l2 */
} sfmi_series_errors;

/* shape_model: over the domain of the basis; NULL: no shape is given.  named: the basis was named.
 * Clear also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_series_errors_init(sfmi_series_errors *series_errors,
                                                  const sfmi_basis *basis,
                                                  const sfmi_shape_model *shape_model, bool named,
                                                  bool l1, sfm_error *error);
void sfmi_series_errors_clear(sfmi_series_errors *series_errors);

#endif
