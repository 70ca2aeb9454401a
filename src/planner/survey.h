/* survey.h - what is public of a private range: the grid its values lie on, the quantiles, and how
 * far one person moves a cell's loss (estimators/ranks.h). */
#ifndef SFMI_SURVEY_H
#define SFMI_SURVEY_H

#include "estimators/ranks.h"
#include "sfumato/range.h"

typedef struct sfmi_survey {
  double lower, upper;
  sfmi_ranks grid; /* without counts */
  size_t count;
  sfm_ratio quantiles[SFM_RANGE_QUANTILES_MAX];
  double moves[SFM_RANGE_QUANTILES_MAX]; /* sensitivity of a quantile's losses: an integer */
  double epsilon;                        /* of one quantile */
  double sensitivity;                    /* the largest of all, in records */
} sfmi_survey;

/* Checks every setting. */
SFM_MUST_CHECK sfm_status sfmi_survey_init(sfmi_survey *survey, const sfm_range_settings *settings,
                                           sfm_error *error);

#endif
