/* query.h - computes the mean, quantiles, mode, probabilities and distribution function of a
 * released density, with intervals.  Everything here is post-processing: it links neither secret
 * randomness nor a ledger, and costs no privacy. */
#ifndef SFUMATO_QUERY_H
#define SFUMATO_QUERY_H

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A number computed from the released function, which is first divided by its mass within the
 * bounds.  With the confidence of the query, the interval contains the same number of the density
 * without privacy.  Each interval holds by itself; those of one call of sfm_query_cdf hold all
 * together.  NaN: there is no interval (a refined release).  Intervals are about privacy alone, not
 * about a population. */
typedef struct sfm_estimate {
  double value, lower, upper;
} sfm_estimate;

/* A release prepared for queries.  It borrows the release.  Thread-safe. */
typedef struct sfm_query sfm_query;

/* Prepares a density.  A release by groups is refused: use sfm_release_group first.  confidence in
 * (0, 1); 0: that of the release's band.  Fails if the noisy mass within the bounds is not
 * positive.  The caller destroys *out.
 * Proof: docs/proofs/queries.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_query_create(sfm_query **out, const sfm_release *release,
                                                   double confidence, sfm_error *error);
SFM_API void sfm_query_destroy(sfm_query *query);
/* The confidence of the intervals; NaN if there are none. */
SFM_API double sfm_query_confidence(const sfm_query *query);
/* Whether intervals are computed from the distribution of the noise in the integrals (lattice, gp
 * with the engine spectral).  Otherwise they come from the error band, and are wide. */
SFM_API bool sfm_query_sharp(const sfm_query *query);

/* Computes the probability of a box: from[a] <= x_a <= to[a], within the bounds. */
SFM_API SFM_MUST_CHECK sfm_status sfm_query_probability(const sfm_query *query, sfm_estimate *out,
                                                        const double *from, const double *to,
                                                        sfm_error *error);

/* The functions below are for densities of one column.  For more columns compute the marginal first
 * (sfumato/marginal.h). */

/* Computes the mean. */
SFM_API SFM_MUST_CHECK sfm_status sfm_query_mean(const sfm_query *query, sfm_estimate *out,
                                                 sfm_error *error);
/* Computes quantiles: out[i] is the value below which the share p[i] of the mass lies,
 * 0 < p[i] < 1. */
SFM_API SFM_MUST_CHECK sfm_status sfm_query_quantiles(const sfm_query *query, sfm_estimate *out,
                                                      const double *p, size_t count,
                                                      sfm_error *error);
/* Computes the mode, where the density is largest.  With the confidence, the mode without privacy
 * is in one of *count intervals.  pieces (room for `most` pairs; may be NULL) is set to these
 * intervals, from left to right.  If there are more than `most`, the last ones are joined.
 * out->lower and out->upper are the ends of all of them together. */
SFM_API SFM_MUST_CHECK sfm_status sfm_query_mode(const sfm_query *query, sfm_estimate *out,
                                                 double *pieces, size_t *count, size_t most,
                                                 sfm_error *error);
/* Computes the distribution function at x[i]: the share of the mass below x[i].  With the
 * confidence, the distribution function without privacy is within all intervals of the call at
 * once.  Between the points it is bounded by the neighbouring intervals, because it increases. */
SFM_API SFM_MUST_CHECK sfm_status sfm_query_cdf(const sfm_query *query, sfm_estimate *out,
                                                const double *x, size_t count, sfm_error *error);

/* Of a table (sfumato/table.h): that a record has one of these values in a column: categories,
 * numbers (which stand for their bin), or bins as they are printed ("20:25"). */
typedef struct sfm_table_condition {
  const char *column;
  const char *const *values;
  size_t count;
} sfm_table_condition;

/* Computes the share of the records of a dense table of one margin that fulfil all conditions.  A
 * table that was not refined is refined first, by sfm_table_refine with its defaults, so that the
 * answer is that of the rows that sfm_table_sample_create draws; raw: from the counts as they were
 * released, which may give a share below 0 or above 1.  There is no interval: sfm_table_answer has
 * those of sums of raw counts.  Thread-safe.
 * Privacy: post-processing.  Proof: docs/proofs/tables.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_table_share(double *share, const sfm_release *release,
                                                  const sfm_table_condition *conditions,
                                                  size_t count, bool raw, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
