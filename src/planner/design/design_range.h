/* design_range.h - what is public of a private range: the grid its values lie on, the quantiles,
 * and how far one person moves the loss of a cell (estimators/quantiles/ranks.h). */
#ifndef SFMI_DESIGN_RANGE_H
#define SFMI_DESIGN_RANGE_H

#include "estimators/quantiles/ranks.h"
#include "sfumato/range.h"

typedef struct sfmi_design_range {
  double lower, upper;
  sfmi_ranks grid; /* without counts */
  size_t count;
  sfm_ratio quantiles[SFM_RANGE_QUANTILES_MAX];
  double moves[SFM_RANGE_QUANTILES_MAX]; /* sensitivity of a quantile's losses: an integer */
  double epsilon;                        /* of one quantile */
  double sensitivity;                    /* the largest of all, in records */
} sfmi_design_range;

/* Checks every setting. */
SFM_MUST_CHECK sfm_status sfmi_design_range_init(sfmi_design_range *range_design,
                                                 const sfm_range_settings *settings,
                                                 sfm_error *error);

#endif
