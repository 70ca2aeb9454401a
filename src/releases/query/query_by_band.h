/* query_by_band.h - a density release of any kind being asked: integrals of the function itself by
 * the trapezoidal rule, and intervals from its simultaneous error band.  The band bounds the
 * function everywhere at once, so that |S - s| <= the integral of the band's half-width: right, and
 * wide. */
#ifndef SFMI_QUERY_BY_BAND_H
#define SFMI_QUERY_BY_BAND_H

#include "base/system/arena.h"
#include "releases/core/release_data.h"
#include "sfumato/query.h"

typedef struct sfmi_query_by_band {
  sfm_release *release; /* as it was, with the band of the confidence asked for; parts borrowed */
  sfm_evaluator *evaluator;
  bool banded; /* false for a refined release, which has none */
  double whole, whole_width;
  /* Of one dimension: values and half-widths at points, and integrals up to them. */
  size_t count;
  double *x, *values, *widths, *sums, *slacks; /* in the arena */
  sfmi_arena arena;
} sfmi_query_by_band;

/* Borrows the release. */
SFM_MUST_CHECK sfm_status sfmi_query_by_band_init(sfmi_query_by_band *query,
                                                  const sfm_release *release, double confidence,
                                                  sfm_error *error);
void sfmi_query_by_band_clear(sfmi_query_by_band *query);

/* As in sfumato/query.h. */
SFM_MUST_CHECK sfm_status sfmi_query_by_band_probability(const sfmi_query_by_band *query,
                                                         sfm_estimate *out, const double *from,
                                                         const double *to, sfm_error *error);
void sfmi_query_by_band_mean(const sfmi_query_by_band *query, sfm_estimate *out);
void sfmi_query_by_band_cdf(const sfmi_query_by_band *query, sfm_estimate *out, const double *x,
                            size_t count);
SFM_MUST_CHECK sfm_status sfmi_query_by_band_quantiles(const sfmi_query_by_band *query,
                                                       sfm_estimate *out, const double *p,
                                                       size_t count, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_query_by_band_mode(const sfmi_query_by_band *query,
                                                  sfm_estimate *out, double *pieces, size_t *count,
                                                  size_t most, sfm_error *error);

#endif
