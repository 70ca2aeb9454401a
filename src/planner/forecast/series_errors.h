/* series_errors.h - what the first terms of a series would make of a public shape, and about how
 * far one row can move them: numbers to choose terms by, not to protect anybody.
 *
 * Where no shape is given it is a normal density of standard deviation a tenth of the domain's
 * width, cut at the bounds and of integral one again, and everything is the mean over 16 places
 * for its centre, evenly spread over the bounds.  Who names a basis knows that the column suits it:
 * then for fourier and db4, which wrap round, the shape does too, and for hermite the centres are
 * in the middle third of the bounds.
 *
 * All errors are integrated over the bounds.  With m_j = E b_j(row), S the covariance of the
 * b_j(row) and G the Gram matrix of the first D functions over the bounds (the identity, but for
 * hermite, whose functions are orthonormal over all of R),
 *   truncation  integral f^2 - 2 |m|^2 + m'G m   (less the constant's part),   sampling  tr G S. */
#ifndef SFMI_SERIES_ERRORS_H
#define SFMI_SERIES_ERRORS_H

#include "features/bases/basis.h"
#include "shape_model.h"

/* For the first D functions of a basis, D = 0 .. count. */
typedef struct sfmi_series_errors {
  size_t count;
  double *truncation; /* the integrated square of what they miss */
  double *sampling;   /* to be divided by the number of rows */
  double *trace;      /* of G: what noise of variance 1 on each adds */
  double *reach;      /* about how far apart two rows are, or one from zero, in l1 or l2 */
} sfmi_series_errors;

/* shape_model: of the basis' domain; NULL: none is given.  named: the basis is.  Clear also after a
 * failure. */
SFM_MUST_CHECK sfm_status sfmi_series_errors_init(sfmi_series_errors *series_errors,
                                                  const sfmi_basis *basis,
                                                  const sfmi_shape_model *shape_model, bool named,
                                                  bool l1, sfm_error *error);
void sfmi_series_errors_clear(sfmi_series_errors *series_errors);

#endif
