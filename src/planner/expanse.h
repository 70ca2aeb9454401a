/* expanse.h - what is chosen for a series from public numbers: basis, terms, lattice, sensitivity,
 * step.
 *
 * Terms are those of least predicted error:
 *   privacy     D noise variance/n^2
 *   sampling    sum_j (E b_j^2 - (E b_j)^2)/n
 *   truncation  integral f^2 - sum_j (E b_j)^2
 * with f the public reference shape (sketch.h), and the noise that of the certified sensitivity
 * once terms are chosen, of an estimate of it before. */
#ifndef SFMI_EXPANSE_H
#define SFMI_EXPANSE_H

#include "estimators/moments.h"
#include "sfumato/series.h"

typedef struct sfmi_expanse {
  sfmi_basis *basis;     /* owned */
  sfmi_moments *moments; /* owned */
  uint32_t contributions;
  double rate;        /* epsilon, or mu for normal noise */
  sfmi_extremes one;  /* what one row can do: certificate, in units of b_j */
  double step;        /* what sums over rows are rounded to, a power of two */
  double sensitivity; /* of the rounded sums, in the noise's norm */
  sfm_series_plan plan;
} sfmi_expanse;

/* Checks what is asked of columns, basis and terms. */
SFM_MUST_CHECK sfm_status sfmi_expanse_check(const sfm_series_settings *settings, sfm_error *error);

/* For checked settings; rows is the public n.  Clear also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_expanse_init(sfmi_expanse *expanse,
                                            const sfm_series_settings *settings, uint64_t rows,
                                            double rate, sfm_error *error);
void sfmi_expanse_clear(sfmi_expanse *expanse);

/* No density of rows without noise is farther from the released one than this, anywhere: rows on a
 * lattice, numbers in integers. */
double sfmi_expanse_systematic(const sfmi_expanse *expanse, double rows);

#endif
