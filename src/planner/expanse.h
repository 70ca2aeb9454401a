/* expanse.h - what is chosen for a series from public numbers: basis, terms (repertoire.h),
 * lattice, sensitivity, step. */
#ifndef SFMI_EXPANSE_H
#define SFMI_EXPANSE_H

#include "planner/repertoire.h"
#include "releases/contents.h"

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

/* Checks all that can be wrong with the settings but a shape; rate: what the sensitivity is divided
 * by, epsilon, or mu for normal noise. */
SFM_MUST_CHECK sfm_status sfmi_expanse_check(double *rate, const sfm_series_settings *settings,
                                             sfm_error *error);

/* For checked settings; rows is the public n.  Clear also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_expanse_init(sfmi_expanse *expanse,
                                            const sfm_series_settings *settings, uint64_t rows,
                                            double rate, sfm_error *error);
/* The same with a repertoire that was made for the settings. */
SFM_MUST_CHECK sfm_status sfmi_expanse_from(sfmi_expanse *expanse, sfmi_repertoire *repertoire,
                                            uint64_t rows, double rate, sfm_error *error);
void sfmi_expanse_clear(sfmi_expanse *expanse);

/* The guarantee of checked settings with that rate. */
sfm_guarantee sfmi_expanse_guarantee(const sfm_series_settings *settings, double rate);

/* No density of rows without noise is farther from the released one than this, anywhere: rows on a
 * lattice, numbers in integers. */
double sfmi_expanse_systematic(const sfmi_expanse *expanse, double rows);

/* The release with all that is public filled in, but for its basis and band, and room for its
 * numbers, the noise of that scale.  The caller destroys it, also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_expanse_outline(sfm_release **out, const sfmi_expanse *expanse,
                                               const sfm_series_settings *settings, uint64_t rows,
                                               double scale, sfm_error *error);

#endif
