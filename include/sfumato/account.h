/* account.h - what several releases promise together.
 *
 * Two ways of adding up.  A sum of guarantees (pure adds, zCDP adds, GDP adds in squares) is what a
 * ledger keeps, and stays true when each release is chosen after seeing the earlier ones.  The
 * privacy-loss distribution of mechanisms fixed beforehand gives less for the same releases: both
 * ends of it are certified, so that the truth lies between them.  It is for reporting, never for
 * deciding whether another release may be made. */
#ifndef SFUMATO_ACCOUNT_H
#define SFUMATO_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "sfumato/guarantee.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the charges of a dataset add up; also what a further charge is checked against. */
typedef enum sfm_accounting {
  SFM_ACCOUNTING_BASIC, /* epsilons add, deltas add */
  SFM_ACCOUNTING_ZCDP,  /* rho adds; a pure epsilon counts epsilon^2/2, mu-GDP mu^2/2 */
  SFM_ACCOUNTING_GDP,   /* mu^2 adds; a pure epsilon counts as mu = 2 Phi^-1(e^eps/(1+e^eps)) */
} sfm_accounting;

/* "basic", "zcdp", "gdp".  Static storage. */
SFM_API const char *sfm_accounting_name(sfm_accounting accounting);

/* A mechanism whose privacy-loss distribution is known exactly, used count times. */
typedef enum sfm_loss_kind {
  SFM_LOSS_GAUSSIAN,            /* parameter: sigma/Delta; in any dimension (l2) */
  SFM_LOSS_LAPLACE,             /* epsilon; one number with real Laplace noise */
  SFM_LOSS_DISCRETE_LAPLACE,    /* epsilon; one integer that moves by one step */
  SFM_LOSS_DISCRETE_GAUSSIAN,   /* sigma; one integer that moves by one step */
  SFM_LOSS_RANDOMISED_RESPONSE, /* epsilon; one of `categories` answers, 2 or more */
  SFM_LOSS_PURE,                /* epsilon; anything that is epsilon-DP */
} sfm_loss_kind;

typedef struct sfm_loss {
  sfm_loss_kind kind;
  double parameter;
  uint64_t count;      /* how often; 1 to 1e9 */
  uint32_t categories; /* randomised response only; 0 means 2 */
} sfm_loss;

/* The truth lies between the two. */
typedef struct sfm_interval {
  double lower, upper;
} sfm_interval;

/* The functions below compose all the losses, in any order, each fixed beforehand.  They are
 * thread-safe.  Parameters: epsilon in [1e-6, 1e3], sigma/Delta in [1e-3, 1e6].
 * Proof: docs/proofs/composition.md. */

/* The least epsilon at delta, in [1e-300, 1).  Usually at most 1e-6 relative wide. */
SFM_API SFM_MUST_CHECK sfm_status sfm_account_epsilon(sfm_interval *epsilon, const sfm_loss *losses,
                                                      size_t count, double delta, sfm_error *error);

/* The least delta at epsilon, in [0, 1e6]. */
SFM_API SFM_MUST_CHECK sfm_status sfm_account_delta(sfm_interval *delta, const sfm_loss *losses,
                                                    size_t count, double epsilon, sfm_error *error);

/* delta at `points` epsilons spaced evenly from first to last (both included). */
SFM_API SFM_MUST_CHECK sfm_status sfm_account_curve(sfm_interval *deltas, size_t points,
                                                    const sfm_loss *losses, size_t count,
                                                    double first, double last, sfm_error *error);

/* The sum as a guarantee of one kind, rounded up: SFM_PURE (refused when a Gaussian is there),
 * SFM_ZCDP, or SFM_GDP (refused when a discrete Gaussian is there, which is not GDP). */
SFM_API SFM_MUST_CHECK sfm_status sfm_account_sum(sfm_guarantee *out, const sfm_loss *losses,
                                                  size_t count, sfm_guarantee_kind kind,
                                                  sfm_error *error);

/* What releases fixed beforehand promise together where some are under random differential privacy:
 * epsilons, deltas and gammas add, rounded up, and the whole is random-dp, never the reverse.
 * Parts are pure, approximate or random-dp, or GDP and zCDP with the (epsilon, delta) they were
 * asked for; each counts `counts` times (NULL: once).  SFM_INVALID when a part is none of these, or
 * delta or gamma would reach 1, where nothing is promised.
 * Proof: docs/proofs/random-dp.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_account_random(sfm_guarantee *out, const sfm_guarantee *parts,
                                                     const uint64_t *counts, size_t count,
                                                     sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
