/* series_candidates.h - the numbers of functions that a series may have: what each predicts for a
 * shape, and how far one row can move it.
 *
 *   privacy     tr G times the variance of the noise on one coefficient, over n^2
 *   sampling    tr G S/n
 *   truncation  what they miss of the shape (series_errors.h)
 *
 * How far a row moves them is certified for every number that may be the best, so that what is
 * chosen is the least of what is reported.  Neither it nor the series_errors depends on the number
 * of rows or the guarantee: for any one number of functions the prediction falls with both, and so
 * does the least of them. */
#ifndef SFMI_SERIES_CANDIDATES_H
#define SFMI_SERIES_CANDIDATES_H

#include "estimators/sums/basis_sums.h"
#include "planner/forecast/series_errors.h"
#include "sfumato/series.h"

/* What one row can do to the sums of so many functions. */
typedef struct sfmi_series_sensitivity {
  sfmi_diameter one;  /* certificate, in units of b_j; upper 0: not looked for yet */
  double step;        /* what sums over rows are rounded to, a power of two */
  double sensitivity; /* of the rounded sums, in the noise's norm; contributions included */
} sfmi_series_sensitivity;

typedef struct sfmi_series_candidates {
  sfm_series_settings settings;  /* its pointers are borrowed */
  sfmi_shape_model *shape_model; /* NULL: no shape is given */
  uint32_t contributions;
  sfmi_series_errors series_errors;
  sfmi_series_sensitivity *movements; /* by the number of functions, up to series_errors.count */
} sfmi_series_candidates;

/* For checked settings.  named: the basis was named, so that where no shape is given the column is
 * taken to suit it (series_errors.h).  Clear also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_series_candidates_init(sfmi_series_candidates *series_candidates,
                                                      const sfm_series_settings *settings,
                                                      bool named, sfm_error *error);
void sfmi_series_candidates_clear(sfmi_series_candidates *series_candidates);

/* The number of functions of least predicted error, or the one that was asked for, and its
 * forecast. rate: epsilon, or mu for normal noise.  enough: where no number predicts less than
 * this, any plan may be returned whose total is not less. */
SFM_MUST_CHECK sfm_status sfmi_series_candidates_choose(sfmi_series_candidates *series_candidates,
                                                        sfm_series_choice *plan, double n,
                                                        double rate, double enough,
                                                        sfm_error *error);

/* The basis of so many functions.  The caller destroys it. */
SFM_MUST_CHECK sfm_status sfmi_series_candidates_basis(sfmi_basis **out,
                                                       const sfm_series_settings *settings,
                                                       size_t count, sfm_error *error);

#endif
