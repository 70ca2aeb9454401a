/* optimal.h - the best private mechanism for one count.
 *
 * A count of at most n records is one of 0 to n.  Among all mechanisms that answer with one of 0 to
 * n and are epsilon-differentially private (neighbouring databases have counts that differ by at
 * most one), a linear program finds one of least risk: on average over a prior, or at the worst
 * count.  What is made holds a mechanism and no data: it is public, costs nothing, and whoever has
 * the file can check it.
 *
 * Proof: docs/proofs/optimal.md. */
#ifndef SFUMATO_OPTIMAL_H
#define SFUMATO_OPTIMAL_H

#include <stdbool.h>

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_optimal_loss {
  SFM_OPTIMAL_ABSOLUTE, /* |truth - answer| */
  SFM_OPTIMAL_SQUARED,  /* its square */
  SFM_OPTIMAL_ZERO_ONE, /* 1 for any answer but the truth */
  SFM_OPTIMAL_OWN,      /* a table of the caller's */
} sfm_optimal_loss;

typedef enum sfm_optimal_objective {
  SFM_OPTIMAL_BAYES,     /* least mean risk over a prior */
  SFM_OPTIMAL_MINIMAX,   /* least risk of the worst count */
  SFM_OPTIMAL_EQUALISER, /* the same risk for all counts, and the least such */
} sfm_optimal_objective;

/* How a mechanism answers. */
typedef enum sfm_optimal_form {
  /* The count plus discrete Laplace noise of scale 1/epsilon, brought into 0 to n, then an answer
   * drawn by a public table: private whatever the table is. */
  SFM_OPTIMAL_REMAP,
  /* An answer drawn by a table, a row for each count: private because of the table, which is
   * checked in integers. */
  SFM_OPTIMAL_MATRIX,
} sfm_optimal_form;

typedef struct sfm_optimal_settings {
  size_t n;       /* the largest count: 1 to 500, or 60 where the form must be a matrix */
  double epsilon; /* 1e-6 to 15; stands for its shortest decimal */
  sfm_optimal_loss loss;
  const double *losses; /* own: (n+1) x (n+1), a row for each truth, a column for each answer; none
                           negative */
  sfm_optimal_objective objective;
  const double *prior; /* Bayes: n+1 weights that sum to one; NULL: uniform */
} sfm_optimal_settings;

/* Absolute loss, minimax; n and epsilon are 0 and must be set. */
SFM_API sfm_optimal_settings sfm_optimal_settings_default(void);

/* Finds the mechanism; takes up to some seconds.  The release is the caller's.
 * Privacy: no data are read and nothing is charged; an answer by this mechanism is pure epsilon for
 * neighbours whose counts differ by at most one.
 * Proof: docs/proofs/optimal.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_optimal_design(sfm_release **out,
                                                     const sfm_optimal_settings *settings,
                                                     sfm_error *error);

/* What there is to know about a mechanism. */
typedef struct sfm_optimal_facts {
  size_t n;
  double epsilon;
  sfm_optimal_loss loss;
  sfm_optimal_objective objective;
  bool uniform; /* the prior is */
  sfm_optimal_form form;
  double risk;        /* of this mechanism: the mean over the prior, or that of the worst count */
  double lp_risk;     /* the optimum as the linear program had it */
  double repair_cost; /* (risk - lp_risk)/lp_risk: what exactness costs */
  double limit;       /* no private mechanism has less; NaN when the file proves no such number */
} sfm_optimal_facts;

/* "absolute", "squared", "zero-one", "own"; "bayes", "minimax", "equaliser"; "remap", "matrix".
 * Static storage. */
SFM_API const char *sfm_optimal_loss_name(sfm_optimal_loss loss);
SFM_API const char *sfm_optimal_objective_name(sfm_optimal_objective objective);
SFM_API const char *sfm_optimal_form_name(sfm_optimal_form form);

/* The functions below fail with SFM_INVALID for a release that is no mechanism (sfm_release_kind
 * says "mechanism").  Thread-safe. */

SFM_API SFM_MUST_CHECK sfm_status sfm_optimal_describe(const sfm_release *release,
                                                       sfm_optimal_facts *facts, sfm_error *error);
/* The law of the answer when the count is truth: n+1 probabilities, right to 1e-12 of each. */
SFM_API SFM_MUST_CHECK sfm_status sfm_optimal_law(const sfm_release *release, double *law,
                                                  size_t truth, sfm_error *error);
/* The risk when the count is truth, right to 1e-12 of it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_optimal_risk(const sfm_release *release, double *risk,
                                                   size_t truth, sfm_error *error);
/* The least d with |answer - truth| <= d with this probability, in (0, 1), whatever the count. */
SFM_API SFM_MUST_CHECK sfm_status sfm_optimal_error(const sfm_release *release, size_t *distance,
                                                    double confidence, sfm_error *error);

/* What a check found. */
typedef struct sfm_optimal_report {
  size_t entries; /* of the table: non-zero ones */
  size_t ratios;  /* of neighbouring entries compared in integers; 0 of a remap, whose privacy is
                     that of the noise */
  double epsilon; /* the largest log ratio of neighbouring laws */
  double risk, limit; /* recomputed */
} sfm_optimal_report;

/* Checks a mechanism from nothing but its numbers: every row of its table sums to exactly one;
 * every ratio of neighbouring entries is within e^epsilon, in integers; the risk is the stated one
 * to 1e-9, and so is the limit.  SFM_FORMAT, saying what and where, when something does not hold.
 */
SFM_API SFM_MUST_CHECK sfm_status sfm_optimal_verify(const sfm_release *release,
                                                     sfm_optimal_report *report, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
