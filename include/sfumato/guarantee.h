/* guarantee.h - what a release promises, and how much noise that takes.
 *
 * A guarantee is a pure epsilon, mu-Gaussian DP or rho-zCDP; each converts to a curve
 * delta(epsilon).  Two more kinds exist in files: approximate (epsilon, delta and nothing better
 * known) and random-dp, which is never differential privacy. */
#ifndef SFUMATO_GUARANTEE_H
#define SFUMATO_GUARANTEE_H

#include "sfumato/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_guarantee_kind {
  SFM_PURE,
  SFM_GDP,
  SFM_ZCDP,
  SFM_APPROXIMATE,
  SFM_RANDOM_DP,
} sfm_guarantee_kind;

typedef enum sfm_neighbours {
  SFM_REPLACE,    /* one record replaced; the record count n is public */
  SFM_ADD_REMOVE, /* one record added or removed; n is private */
} sfm_neighbours;

typedef enum sfm_calibration {
  SFM_CALIBRATION_EXACT,     /* solves the Gaussian trade-off: the least noise that is private */
  SFM_CALIBRATION_CLASSICAL, /* sqrt(2 ln(2/delta))/epsilon, refused above epsilon = 1 */
} sfm_calibration;

/* Fields that do not belong to the kind are zero: a pure guarantee has epsilon; GDP has mu and the
 * (epsilon, delta) it was asked for; zCDP has rho; approximate epsilon and delta; random-dp these
 * and gamma. */
typedef struct sfm_guarantee {
  sfm_guarantee_kind kind;
  double epsilon;
  double delta;
  double mu;
  double rho;
  double gamma; /* random-dp: with so much probability over the records it may fail */
} sfm_guarantee;

/* "pure", "gdp", "zcdp", "approximate", "random-dp".  Static storage. */
SFM_API const char *sfm_guarantee_kind_name(sfm_guarantee_kind kind);

/* The functions below are thread-safe, and every one rounds in the private direction: a delta, an
 * epsilon, a ratio or a converted guarantee is never below the true one, a mu for use never above.
 * Guarantees have a curve for pure epsilon up to 1e3, mu up to 1e3, rho up to 5e5 and are asked at
 * epsilon from 0 to 1e6; what lies outside is refused with SFM_INVALID.
 * Proof: docs/proofs/gaussian.md. */

/* The delta of mu-GDP at epsilon: Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2). */
SFM_API SFM_MUST_CHECK sfm_status sfm_gdp_delta(double *delta, double mu, double epsilon,
                                                sfm_error *error);

/* The largest mu whose curve passes at or below (epsilon, delta), to 1e-12 relative, rounded
 * towards zero (less mu is more private).  epsilon in [1e-6, 1e3], delta in [1e-300, 1). */
SFM_API SFM_MUST_CHECK sfm_status sfm_gdp_calibrate(double *mu, double epsilon, double delta,
                                                    sfm_error *error);

/* sigma/Delta for the Gaussian mechanism at (epsilon, delta) by the calibration named; rounded up.
 * The classical one is refused for epsilon > 1, where its proof ends. */
SFM_API SFM_MUST_CHECK sfm_status sfm_gaussian_ratio(double *ratio, double epsilon, double delta,
                                                     sfm_calibration calibration, sfm_error *error);

/* The delta that any pure, GDP or zCDP guarantee implies at epsilon: tight for pure and GDP, the
 * bound of Canonne, Kamath & Steinke (2020) for zCDP. */
SFM_API SFM_MUST_CHECK sfm_status sfm_guarantee_delta(double *delta, const sfm_guarantee *guarantee,
                                                      double epsilon, sfm_error *error);

/* The least epsilon that a guarantee implies at delta (0 is allowed for pure only). */
SFM_API SFM_MUST_CHECK sfm_status sfm_guarantee_epsilon(double *epsilon,
                                                        const sfm_guarantee *guarantee,
                                                        double delta, sfm_error *error);

/* Conversions between kinds, each an upper bound: pure -> zCDP (epsilon^2/2), pure -> GDP
 * (mu = 2 Phi^-1(e^eps/(1+e^eps))), GDP -> zCDP (mu^2/2).  zCDP never becomes GDP: refused.  To
 * its own kind a guarantee is copied. */
SFM_API SFM_MUST_CHECK sfm_status sfm_guarantee_convert(sfm_guarantee *out,
                                                        const sfm_guarantee *guarantee,
                                                        sfm_guarantee_kind kind, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
