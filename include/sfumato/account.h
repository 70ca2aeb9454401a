/* account.h - computes what several releases promise together.
 *
 * There are two ways to add up guarantees.
 *   Sums: pure epsilon adds, rho of zCDP adds, mu^2 of GDP adds.  A ledger keeps such a sum.  It
 *   holds even if each release is chosen after seeing the earlier ones.
 *   The privacy-loss distribution, for mechanisms that are all fixed beforehand.  It gives a
 *   smaller epsilon for the same releases.  The result is an interval with certified ends, which
 *   contains the exact value.  Use it for reports, never to decide whether another release may be
 *   made. */
#ifndef SFUMATO_ACCOUNT_H
#define SFUMATO_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "sfumato/guarantee.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the charges of a dataset add up.  A further charge is checked against the same sum. */
typedef enum sfm_accounting {
  SFM_ACCOUNTING_BASIC, /* epsilon adds, delta adds */
  SFM_ACCOUNTING_ZCDP,  /* rho adds; pure epsilon has rho = epsilon^2/2, mu-GDP rho = mu^2/2 */
  SFM_ACCOUNTING_GDP,   /* mu^2 adds; pure epsilon has mu = 2 Phi^-1(e^eps/(1+e^eps)) */
} sfm_accounting;

/* Returns "basic", "zcdp" or "gdp".  Static storage. */
SFM_API const char *sfm_accounting_name(sfm_accounting accounting);

/* Mechanisms whose privacy-loss distribution is known exactly, and the parameter of each. */
typedef enum sfm_privacy_loss_kind {
  SFM_PRIVACY_LOSS_GAUSSIAN,            /* sigma/Delta, Delta the l2 sensitivity; any dimension */
  SFM_PRIVACY_LOSS_LAPLACE,             /* epsilon; one number with real Laplace noise */
  SFM_PRIVACY_LOSS_DISCRETE_LAPLACE,    /* epsilon; one integer with sensitivity 1 */
  SFM_PRIVACY_LOSS_DISCRETE_GAUSSIAN,   /* sigma; one integer with sensitivity 1 */
  SFM_PRIVACY_LOSS_RANDOMISED_RESPONSE, /* epsilon; one of `categories` answers, 2 or more */
  SFM_PRIVACY_LOSS_PURE,                /* epsilon; any epsilon-DP mechanism */
} sfm_privacy_loss_kind;

/* One mechanism, used `count` times. */
typedef struct sfm_privacy_loss {
  sfm_privacy_loss_kind kind;
  double parameter;
  uint64_t count;      /* 1 to 1e9 */
  uint32_t categories; /* randomised response only; 0 means 2 */
} sfm_privacy_loss;

/* The exact value is between lower and upper. */
typedef struct sfm_interval {
  double lower, upper;
} sfm_interval;

/* The functions below compose all losses.  The order does not matter.  All mechanisms must be
 * fixed beforehand.  Ranges of the parameters: epsilon in [1e-6, 1e3], sigma/Delta in [1e-3, 1e6].
 * Thread-safe.
 * Proof: docs/proofs/composition.md. */

/* Computes the least epsilon at this delta, which is in [1e-300, 1).  The relative width of the
 * interval is usually at most 1e-6. */
SFM_API SFM_MUST_CHECK sfm_status sfm_account_epsilon(sfm_interval *epsilon,
                                                      const sfm_privacy_loss *losses, size_t count,
                                                      double delta, sfm_error *error);

/* Computes the least delta at this epsilon, which is in [0, 1e6]. */
SFM_API SFM_MUST_CHECK sfm_status sfm_account_delta(sfm_interval *delta,
                                                    const sfm_privacy_loss *losses, size_t count,
                                                    double epsilon, sfm_error *error);

/* Computes the least delta at `points` values of epsilon, evenly spaced from first to last, both
 * included. */
SFM_API SFM_MUST_CHECK sfm_status sfm_account_curve(sfm_interval *deltas, size_t points,
                                                    const sfm_privacy_loss *losses, size_t count,
                                                    double first, double last, sfm_error *error);

/* Computes the sum as a guarantee of one kind, rounded up.  SFM_GUARANTEE_PURE is refused if there
 * is a Gaussian or a discrete Gaussian.  SFM_GUARANTEE_ZCDP accepts every loss.  SFM_GUARANTEE_GDP
 * is refused if there is a discrete Gaussian, which is not GDP with mu = 1/sigma. */
SFM_API SFM_MUST_CHECK sfm_status sfm_account_sum(sfm_guarantee *out,
                                                  const sfm_privacy_loss *losses, size_t count,
                                                  sfm_guarantee_kind kind, sfm_error *error);

/* Adds up the guarantees of releases that were fixed beforehand, of which some are under random
 * differential privacy.  Epsilon, delta and gamma add, rounded up.  The result is always random-dp.
 * A part is pure, approximate or random-dp, or GDP or zCDP with the (epsilon, delta) that it was
 * requested for.  Part i is used counts[i] times; counts NULL: once each.  SFM_INVALID if a part
 * has no such guarantee, or if delta or gamma would reach 1, where nothing is promised.
 * Proof: docs/proofs/random-dp.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_account_random(sfm_guarantee *out, const sfm_guarantee *parts,
                                                     const uint64_t *counts, size_t count,
                                                     sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
