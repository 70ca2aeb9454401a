/* guarantee.h - describes what a release promises, and computes how much noise that takes.
 *
 * A guarantee is pure epsilon, mu-Gaussian DP (GDP) or rho-zCDP.  Each of these implies a curve
 * delta(epsilon).  Files also contain two other kinds: approximate (an epsilon and a delta, and no
 * better guarantee is known) and random-dp, which is not differential privacy. */
#ifndef SFUMATO_GUARANTEE_H
#define SFUMATO_GUARANTEE_H

#include "sfumato/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_guarantee_kind {
  SFM_GUARANTEE_PURE,
  SFM_GUARANTEE_GDP,
  SFM_GUARANTEE_ZCDP,
  SFM_GUARANTEE_APPROXIMATE,
  SFM_GUARANTEE_RANDOM_DP,
} sfm_guarantee_kind;

typedef enum sfm_neighbours {
  SFM_NEIGHBOURS_REPLACE, /* one record is replaced by another; the number of records n is public */
  SFM_NEIGHBOURS_ADD_REMOVE, /* one record is added or removed; n is private */
} sfm_neighbours;

/* Returns "replace" or "add-remove"; NULL for any other number.  Static storage. */
SFM_API const char *sfm_neighbours_name(sfm_neighbours neighbours);

/* How normal noise is scaled for (epsilon, delta). */
typedef enum sfm_calibration {
  SFM_CALIBRATION_EXACT,     /* solves the Gaussian trade-off: the least noise that is private */
  SFM_CALIBRATION_CLASSICAL, /* sqrt(2 ln(2/delta))/epsilon; refused for epsilon > 1 */
} sfm_calibration;

/* Pure has epsilon; GDP has mu and the (epsilon, delta) that it was requested for; zCDP has rho;
 * approximate has epsilon and delta; random-dp has epsilon, delta and gamma.  Other fields are
 * zero. */
typedef struct sfm_guarantee {
  sfm_guarantee_kind kind;
  double epsilon;
  double delta;
  double mu;
  double rho;
  double gamma; /* the probability, over the drawing of the records, that it fails */
} sfm_guarantee;

/* Returns "pure", "gdp", "zcdp", "approximate" or "random-dp".  Static storage. */
SFM_API const char *sfm_guarantee_kind_name(sfm_guarantee_kind kind);

/* The functions below are thread-safe.  Each rounds in the private direction: a delta, an epsilon,
 * a ratio or a converted guarantee is never below the exact one, and a mu to be used for noise is
 * never above it.
 * Ranges: pure epsilon up to 1e3, mu up to 1e3, rho up to 5e5; the epsilon of a curve from 0 to
 * 1e6.  Outside these ranges: SFM_INVALID.
 * Proof: docs/proofs/gaussian.md. */

/* Computes the delta of mu-GDP at epsilon: Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2). */
SFM_API SFM_MUST_CHECK sfm_status sfm_gdp_delta(double *delta, double mu, double epsilon,
                                                sfm_error *error);

/* Computes the largest mu whose curve is at or below delta at epsilon, to 1e-12 relative, rounded
 * towards zero (a smaller mu is more private).  epsilon in [1e-6, 1e3], delta in [1e-300, 1). */
SFM_API SFM_MUST_CHECK sfm_status sfm_gdp_calibrate(double *mu, double epsilon, double delta,
                                                    sfm_error *error);

/* Computes sigma/Delta of the Gaussian mechanism at (epsilon, delta), with the calibration named,
 * rounded up.  The classical calibration is refused for epsilon > 1, because its proof needs
 * epsilon <= 1. */
SFM_API SFM_MUST_CHECK sfm_status sfm_gaussian_ratio(double *ratio, double epsilon, double delta,
                                                     sfm_calibration calibration, sfm_error *error);

/* Computes the delta that a pure, GDP or zCDP guarantee implies at epsilon.  It is tight for pure
 * and GDP; for zCDP it is the bound of Canonne, Kamath & Steinke (2020). */
SFM_API SFM_MUST_CHECK sfm_status sfm_guarantee_delta(double *delta, const sfm_guarantee *guarantee,
                                                      double epsilon, sfm_error *error);

/* Computes the least epsilon that a guarantee implies at delta.  delta 0 is allowed for pure only.
 */
SFM_API SFM_MUST_CHECK sfm_status sfm_guarantee_epsilon(double *epsilon,
                                                        const sfm_guarantee *guarantee,
                                                        double delta, sfm_error *error);

/* Converts a guarantee to another kind.  Each conversion is an upper bound: pure -> zCDP
 * (epsilon^2/2), pure -> GDP (mu = 2 Phi^-1(e^eps/(1+e^eps))), GDP -> zCDP (mu^2/2).  zCDP -> GDP
 * is refused.  A conversion to the same kind is a copy. */
SFM_API SFM_MUST_CHECK sfm_status sfm_guarantee_convert(sfm_guarantee *out,
                                                        const sfm_guarantee *guarantee,
                                                        sfm_guarantee_kind kind, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
