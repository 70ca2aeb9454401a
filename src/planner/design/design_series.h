/* design_series.h - what is chosen for a series from public numbers: basis, terms
 * (series_candidates.h), lattice, sensitivity, step. */
#ifndef SFMI_DESIGN_SERIES_H
#define SFMI_DESIGN_SERIES_H

#include "series_candidates.h"
#include "releases/core/release_data.h"

typedef struct sfmi_design_series {
  sfmi_basis *basis;        /* owned */
  sfmi_basis_sums *moments; /* owned */
  uint32_t contributions;
  double rate;        /* epsilon, or mu for normal noise */
  sfmi_diameter one;  /* what one row can do: certificate, in units of b_j */
  double step;        /* what sums over rows are rounded to, a power of two */
  double sensitivity; /* of the rounded sums, in the noise's norm */
  sfm_series_choice plan;
} sfmi_design_series;

/* Checks all settings but the shape.  rate: what the sensitivity is divided by, which is epsilon,
 * or mu for normal noise. */
SFM_MUST_CHECK sfm_status sfmi_design_series_check(double *rate,
                                                   const sfm_series_settings *settings,
                                                   sfm_error *error);

/* For checked settings.  rows: the public n.  Clear also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_design_series_init(sfmi_design_series *series_design,
                                                  const sfm_series_settings *settings,
                                                  uint64_t rows, double rate, sfm_error *error);
/* The same with candidates that were made for the settings. */
SFM_MUST_CHECK sfm_status sfmi_design_series_from(sfmi_design_series *series_design,
                                                  sfmi_series_candidates *series_candidates,
                                                  uint64_t rows, double rate, sfm_error *error);
void sfmi_design_series_clear(sfmi_design_series *series_design);

/* The largest error of the released density that is not noise, anywhere: rows are moved to a
 * lattice, and numbers are rounded to integers. */
double sfmi_design_series_systematic(const sfmi_design_series *series_design, double rows);

/* The release with all that is public filled in, but for its basis and band, and room for its
 * numbers, the noise of that scale.  The caller destroys it, also after a failure. */
SFM_MUST_CHECK sfm_status sfmi_design_series_template(sfm_release **out,
                                                      const sfmi_design_series *series_design,
                                                      const sfm_series_settings *settings,
                                                      uint64_t rows, double scale,
                                                      sfm_error *error);

#endif
