/* query.c - questions to a density: by the law of the noise in its integrals where that is known
 * (query_exact.h), else by its error band (query_by_band.h). */
#include "sfumato/query.h"

#include <math.h>
#include <stdlib.h>

#include "query_exact.h"
#include "query_by_band.h"

struct sfm_query {
  const sfm_release *release;
  double confidence;
  bool sharp;
  sfmi_query_exact exact;     /* sharp */
  sfmi_query_by_band by_band; /* else */
};

static sfm_status check(const sfm_release *release, double confidence, sfm_error *error) {
  if (!sfmi_release_is_density(release))
    return sfmi_fail(error, SFM_INVALID, "queries need a density, and this release is a %s",
                     sfm_kind_name(sfm_release_kind(release)));
  sfm_status status = sfmi_release_single(release, error);
  if (status) return status;
  if (!(confidence > 0 && confidence < 1))
    return sfmi_fail(error, SFM_INVALID,
                     "the confidence must be between 0 and 1 (0.95, say), not %g", confidence);
  return SFM_OK;
}

sfm_status sfm_query_create(sfm_query **out, const sfm_release *release, double confidence,
                            sfm_error *error) {
  *out = NULL;
  if (confidence == 0) confidence = release->refined.done ? 0.95 : release->band.confidence;
  sfm_status status = check(release, confidence, error);
  if (status) return status;
  if (sfmi_release_too_few(release))
    return sfmi_fail(error, SFM_INVALID,
                     "this group has too few records: its noisy size is %.6g, and noise alone "
                     "could be that large",
                     sfmi_release_total(release));
  sfm_query *query = sfmi_alloc(1, sizeof *query);
  if (!query) return sfmi_fail_memory(error);
  query->release = release;
  query->confidence = release->refined.done ? NAN : confidence;
  query->sharp = sfmi_integral_applies(release);
  status = query->sharp ? sfmi_query_exact_init(&query->exact, release, confidence, error)
                        : sfmi_query_by_band_init(&query->by_band, release, confidence, error);
  if (status) {
    sfm_query_destroy(query);
  } else {
    *out = query;
  }
  return status;
}

void sfm_query_destroy(sfm_query *query) {
  if (!query) return;
  sfmi_query_exact_clear(&query->exact);
  sfmi_query_by_band_clear(&query->by_band);
  free(query);
}

double sfm_query_confidence(const sfm_query *query) {
  return query->confidence;
}

bool sfm_query_sharp(const sfm_query *query) {
  return query->sharp;
}

sfm_status sfm_query_probability(const sfm_query *query, sfm_estimate *out, const double *from,
                                 const double *to, sfm_error *error) {
  const sfm_release *release = query->release;
  sfmi_integrand integrands[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < release->dimension; a++) {
    if (!(from[a] < to[a]))
      return sfmi_fail(error, SFM_INVALID,
                       "an interval goes from a number to a larger one, not from %.10g to %.10g "
                       "(column %s)",
                       from[a], to[a], release->columns[a]);
    if (from[a] < release->lower[a] || to[a] > release->upper[a])
      return sfmi_fail(error, SFM_INVALID,
                       "from %.10g to %.10g reaches beyond the bounds of %s, which are %.10g and "
                       "%.10g",
                       from[a], to[a], release->columns[a], release->lower[a], release->upper[a]);
    integrands[a] = (sfmi_integrand){SFMI_INTEGRAND_INTERVAL, from[a], to[a]};
  }
  return query->sharp ? sfmi_query_exact_ratio(&query->exact, out, integrands, error)
                      : sfmi_query_by_band_probability(&query->by_band, out, from, to, error);
}

static sfm_status check_single(const sfm_query *query, const char *what, sfm_error *error) {
  if (query->release->dimension == 1) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "the %s is asked of one column, and this density has %zu: take a marginal first",
                   what, query->release->dimension);
}

sfm_status sfm_query_mean(const sfm_query *query, sfm_estimate *out, sfm_error *error) {
  const sfm_release *release = query->release;
  sfm_status status = check_single(query, "mean", error);
  if (status) return status;
  if (!query->sharp) {
    sfmi_query_by_band_mean(&query->by_band, out);
    return SFM_OK;
  }
  const sfmi_integrand ramp = {.kind = SFMI_INTEGRAND_RAMP};
  const double lower = release->lower[0], width = release->upper[0] - lower;
  status = sfmi_query_exact_ratio(&query->exact, out, &ramp, error);
  if (!status)
    *out = (sfm_estimate){lower + width * out->value, lower + width * out->lower,
                          lower + width * out->upper};
  return status;
}

sfm_status sfm_query_quantiles(const sfm_query *query, sfm_estimate *out, const double *p,
                               size_t count, sfm_error *error) {
  sfm_status status = check_single(query, "quantile", error);
  for (size_t i = 0; i < count && !status; i++)
    if (!(p[i] > 0 && p[i] < 1))
      status = sfmi_fail(error, SFM_INVALID,
                         "a quantile's share lies strictly between 0 and 1 (0.5 is the median), "
                         "and %g does not",
                         p[i]);
  if (status) return status;
  return query->sharp ? sfmi_query_exact_quantiles(&query->exact, out, p, count, error)
                      : sfmi_query_by_band_quantiles(&query->by_band, out, p, count, error);
}

sfm_status sfm_query_mode(const sfm_query *query, sfm_estimate *out, double *pieces, size_t *count,
                          size_t most, sfm_error *error) {
  size_t ignored;
  sfm_status status = check_single(query, "mode", error);
  if (status) return status;
  if (!count) count = &ignored;
  return query->sharp ? sfmi_query_exact_mode(&query->exact, out, pieces, count, most, error)
                      : sfmi_query_by_band_mode(&query->by_band, out, pieces, count, most, error);
}

sfm_status sfm_query_cdf(const sfm_query *query, sfm_estimate *out, const double *x, size_t count,
                         sfm_error *error) {
  const sfm_release *release = query->release;
  sfm_status status = check_single(query, "distribution function", error);
  for (size_t i = 0; i < count && !status; i++)
    if (!(x[i] >= release->lower[0] && x[i] <= release->upper[0]))
      status = sfmi_fail(error, SFM_INVALID,
                         "%.10g is outside the bounds of %s, which are %.10g and %.10g", x[i],
                         release->columns[0], release->lower[0], release->upper[0]);
  if (status) return status;
  if (query->sharp) return sfmi_query_exact_cdf(&query->exact, out, x, count, error);
  sfmi_query_by_band_cdf(&query->by_band, out, x, count);
  return SFM_OK;
}
