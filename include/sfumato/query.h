/* query.h - questions to a released density: mean, quantiles, mode, probabilities, distribution
 * function, with intervals for what the same rows say without privacy.  Everything here is
 * post-processing: it links neither secret randomness nor a ledger, and costs no privacy. */
#ifndef SFUMATO_QUERY_H
#define SFUMATO_QUERY_H

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A number read off the released function, which is divided by its own mass within the bounds, and
 * an interval that holds the same number of the density without privacy with the query's
 * confidence: each interval by itself, but those of sfm_query_cdf all together.  NaN: there is no
 * interval (a refined release).  Intervals are about privacy alone, not about a population. */
typedef struct sfm_estimate {
  double value, lower, upper;
} sfm_estimate;

/* A release that is being asked, which it borrows.  Using one from several threads is safe. */
typedef struct sfm_query sfm_query;

/* Of a density (not by groups: take one with sfm_release_group).  confidence in (0, 1); 0: that of
 * the release's band.  Fails when the noisy mass within the bounds is not positive.
 * Proof: docs/proofs/queries.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_query_create(sfm_query **out, const sfm_release *release,
                                                   double confidence, sfm_error *error);
SFM_API void sfm_query_destroy(sfm_query *query);
/* NaN where there are no intervals. */
SFM_API double sfm_query_confidence(const sfm_query *query);
/* Whether intervals come from the law of the noise in the integrals themselves (lattice, gp by the
 * engine spectral); else from the error band, and are wide. */
SFM_API bool sfm_query_sharp(const sfm_query *query);

/* The probability of a box: from[a] <= x_a <= to[a], within the bounds. */
SFM_API SFM_MUST_CHECK sfm_status sfm_query_probability(const sfm_query *query, sfm_estimate *out,
                                                        const double *from, const double *to,
                                                        sfm_error *error);

/* The rest is for densities of one column; of more, take the marginal first. */

SFM_API SFM_MUST_CHECK sfm_status sfm_query_mean(const sfm_query *query, sfm_estimate *out,
                                                 sfm_error *error);
/* The places that have a share p of the mass below them, 0 < p < 1. */
SFM_API SFM_MUST_CHECK sfm_status sfm_query_quantiles(const sfm_query *query, sfm_estimate *out,
                                                      const double *p, size_t count,
                                                      sfm_error *error);
/* Where the density is largest.  pieces (room for most pairs; may be NULL) are the intervals in
 * which the mode without privacy lies with the confidence, *count of them from left to right; when
 * there are more than most, the last ones are joined.  lower and upper are the ends of them all. */
SFM_API SFM_MUST_CHECK sfm_status sfm_query_mode(const sfm_query *query, sfm_estimate *out,
                                                 double *pieces, size_t *count, size_t most,
                                                 sfm_error *error);
/* The share of the mass below x[i], for all points of the call at once: the true distribution
 * function, which rises, is within all of these intervals with the confidence, and so it is between
 * them. */
SFM_API SFM_MUST_CHECK sfm_status sfm_query_cdf(const sfm_query *query, sfm_estimate *out,
                                                const double *x, size_t count, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
