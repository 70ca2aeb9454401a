/* query_exact.h - a density release whose integrals are known with their noise (integral.h), being
 * asked.  All sums are in records. */
#ifndef SFMI_QUERY_EXACT_H
#define SFMI_QUERY_EXACT_H

#include "integral.h"
#include "sfumato/query.h"

/* What sums of a release's noise, with given weights, can be: simulated with the public generator,
 * and bounded.  The noise is the release's law without its rounding to steps, which moves a
 * coefficient by less than sfmi_noise_rounding. */
typedef struct sfmi_noise_draws {
  size_t draws;   /* 0: too many to simulate */
  size_t count;   /* sums */
  double *values; /* sum by sum, one per draw */
} sfmi_noise_draws;

/* Draws of `count` sums of weights x noise; weights: length x count, where length is the number of
 * coefficients: as many as a quantile at that risk takes, none when too few are affordable. */
SFM_MUST_CHECK sfm_status sfmi_noise_draws_init(sfmi_noise_draws *out, const sfm_release *release,
                                                const double *weights, size_t length, size_t count,
                                                double risk, sfm_error *error);
void sfmi_noise_draws_clear(sfmi_noise_draws *draws);
/* How many draws that would be: a multiplication each for every weight. */
size_t sfmi_noise_draws_affordable(size_t length, size_t count, double risk);

/* The x with P(|sum| > x) <= p, from the sum of squares of the weights and the largest of them:
 * exact for normal noise, else a bound (docs/proofs/bands.md). */
double sfmi_noise_sum_tail(const sfm_release *release, double squares, double largest, double p);
/* How far a coefficient is at most from what its noise would be without steps. */
double sfmi_noise_rounding(const sfm_release *release);

typedef struct sfmi_query_exact {
  sfmi_integral integral;
  double *coefficients; /* in records, as released */
  double confidence;
  double risk;    /* that an interval may be wrong, beside that of the number of records */
  double records; /* there are at most so many, but for the rest of the risk */
  double grain;   /* rounding moves a coefficient by at most this */
  double whole;   /* the integral within the bounds */
} sfmi_query_exact;

/* Borrows the release.  Fails when the mass within the bounds is not positive. */
SFM_MUST_CHECK sfm_status sfmi_query_exact_init(sfmi_query_exact *query, const sfm_release *release,
                                                double confidence, sfm_error *error);
void sfmi_query_exact_clear(sfmi_query_exact *query);

/* An integral S of g, the one within the bounds being W: what is known of the noise and of the rest
 * of the error in S - R W, at any R in [0, 1]. */
typedef struct sfmi_contrast {
  double part, whole;
  double squares, cross, whole_squares; /* of the weights */
  /* At R = 0 and at R = 1, convex in between: the largest weight, and what is not noise. */
  double largest[2], fixed[2];
  const double *draws, *whole_draws; /* of the noise, count of each; 0: none */
  size_t count;
} sfmi_contrast;

/* The sum of squares of the weights of S - R W. */
double sfmi_contrast_squares(const sfmi_contrast *contrast, double ratio);
/* Bounds on the noise in S - R W that hold but for the risk: without draws, and by them (exact for
 * normal noise without; scratch has room for count numbers). */
double sfmi_contrast_bound(const sfmi_contrast *contrast, const sfm_release *release, double ratio,
                           double risk);
double sfmi_contrast_noise(const sfmi_contrast *contrast, const sfm_release *release, double ratio,
                           double risk, double *scratch);
double sfmi_contrast_fixed(const sfmi_contrast *contrast, double ratio);

/* Integrals over boxes, or in one dimension against a ramp, over the mass within the bounds. */
SFM_MUST_CHECK sfm_status sfmi_query_exact_ratio(const sfmi_query_exact *query, sfm_estimate *out,
                                                 const sfmi_integrand *integrands,
                                                 sfm_error *error);

/* As in sfumato/query.h, of a density of one variable (query_cdf.c, query_mode.c,
 * query_quantiles.c). */
SFM_MUST_CHECK sfm_status sfmi_query_exact_cdf(const sfmi_query_exact *query, sfm_estimate *out,
                                               const double *x, size_t count, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_query_exact_mode(const sfmi_query_exact *query, sfm_estimate *out,
                                                double *pieces, size_t *count, size_t most,
                                                sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_query_exact_quantiles(const sfmi_query_exact *query,
                                                     sfm_estimate *out, const double *p,
                                                     size_t count, sfm_error *error);

#endif
