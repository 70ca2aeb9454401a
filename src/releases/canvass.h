/* canvass.h - a density release of any kind being asked: integrals of the function itself by the
 * trapezoidal rule, and intervals from its simultaneous error band.  The band bounds the function
 * everywhere at once, so that |S - s| <= the integral of the band's half-width: right, and wide. */
#ifndef SFMI_CANVASS_H
#define SFMI_CANVASS_H

#include "releases/contents.h"
#include "sfumato/query.h"

typedef struct sfmi_canvass {
  sfm_release *release; /* as it was, with the band of the confidence asked for; parts borrowed */
  sfm_evaluator *evaluator;
  bool banded; /* false for a refined release, which has none */
  double whole, whole_width;
  /* Of one dimension: values and half-widths at points, and integrals up to them. */
  size_t count;
  double *x, *values, *widths, *sums, *slacks;
} sfmi_canvass;

/* Borrows the release. */
SFM_MUST_CHECK sfm_status sfmi_canvass_init(sfmi_canvass *canvass, const sfm_release *release,
                                            double confidence, sfm_error *error);
void sfmi_canvass_clear(sfmi_canvass *canvass);

/* As in sfumato/query.h. */
SFM_MUST_CHECK sfm_status sfmi_canvass_probability(const sfmi_canvass *canvass, sfm_estimate *out,
                                                   const double *from, const double *to,
                                                   sfm_error *error);
void sfmi_canvass_mean(const sfmi_canvass *canvass, sfm_estimate *out);
void sfmi_canvass_cdf(const sfmi_canvass *canvass, sfm_estimate *out, const double *x,
                      size_t count);
SFM_MUST_CHECK sfm_status sfmi_canvass_quantiles(const sfmi_canvass *canvass, sfm_estimate *out,
                                                 const double *p, size_t count, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_canvass_mode(const sfmi_canvass *canvass, sfm_estimate *out,
                                            double *pieces, size_t *count, size_t most,
                                            sfm_error *error);

#endif
