/* optimal.h - computes the private mechanism with the least risk for one count.
 *
 * A count of at most n records is one of 0 to n.  Consider all epsilon-differentially private
 * mechanisms whose answer is one of 0 to n; counts of neighbours differ by at most one.  A linear
 * program finds one with the least risk: on average over a prior, or at the worst count.  The
 * result contains a mechanism and no data.  It is public and costs no privacy, and anyone who has
 * the file can verify it.
 *
 * Proof: docs/proofs/optimal.md. */
#ifndef SFUMATO_OPTIMAL_H
#define SFUMATO_OPTIMAL_H

#include <stdbool.h>

#include "sfumato/release.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The loss of an answer, given the true count. */
typedef enum sfm_optimal_loss {
  SFM_OPTIMAL_LOSS_ABSOLUTE, /* |count - answer| */
  SFM_OPTIMAL_LOSS_SQUARED,  /* its square */
  SFM_OPTIMAL_LOSS_ZERO_ONE, /* 0 if the answer is the count, otherwise 1 */
  SFM_OPTIMAL_LOSS_OWN,      /* a table of the caller's */
} sfm_optimal_loss;

/* The risk is the mean loss. */
typedef enum sfm_optimal_objective {
  SFM_OPTIMAL_OBJECTIVE_BAYES,     /* the least mean risk over a prior */
  SFM_OPTIMAL_OBJECTIVE_MINIMAX,   /* the least risk at the worst count */
  SFM_OPTIMAL_OBJECTIVE_EQUALISER, /* the least risk among mechanisms with the same risk at every
                                      count */
} sfm_optimal_objective;

/* How a mechanism answers. */
typedef enum sfm_optimal_form {
  /* Discrete Laplace noise of scale 1/epsilon is added to the count, the sum is clamped to 0 to n,
   * and a public table turns it into a random answer.  Private for any table. */
  SFM_OPTIMAL_REMAP,
  /* A table with one row per count gives the probabilities of the answers.  Private because of the
   * ratios in the table, which are checked in integers. */
  SFM_OPTIMAL_MATRIX,
} sfm_optimal_form;

typedef struct sfm_optimal_settings {
  size_t size;           /* of this struct */
  size_t n;              /* the largest count: 1 to 500, or 60 if the form must be a matrix */
  double epsilon;        /* 1e-6 to 15; it stands for its shortest decimal */
  sfm_optimal_loss loss; /* default: ABSOLUTE */
  const double *losses;  /* own: (n+1) x (n+1), rows: counts, columns: answers; none negative */
  sfm_optimal_objective objective; /* default: MINIMAX */
  const double *prior;             /* Bayes: n+1 weights that sum to one; NULL: uniform */
} sfm_optimal_settings;

/* Returns the defaults.  n and epsilon must be set. */
SFM_API void sfm_optimal_settings_init(sfm_optimal_settings *settings, size_t size);
SFM_DEFAULT(sfm_optimal_settings)

/* Finds the mechanism, kind "mechanism".  Takes up to some seconds.  The caller destroys the
 * release.
 * Privacy: no data are read and nothing is charged.  An answer by this mechanism is pure epsilon
 * for neighbours whose counts differ by at most one.
 * Proof: docs/proofs/optimal.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_optimal_design(sfm_release **out,
                                                     const sfm_optimal_settings *settings,
                                                     sfm_error *error);

/* The facts of a mechanism. */
typedef struct sfm_optimal_facts {
  size_t n;
  double epsilon;
  sfm_optimal_loss loss;
  sfm_optimal_objective objective;
  bool uniform; /* whether the prior is uniform */
  sfm_optimal_form form;
  double risk;        /* of this mechanism: the mean over the prior, or at the worst count */
  double lp_risk;     /* the optimum of the linear program */
  double repair_cost; /* (risk - lp_risk)/lp_risk: the increase due to exact arithmetic */
  double limit;       /* no private mechanism has a smaller risk; NaN: not proved in the file */
} sfm_optimal_facts;

/* Return "absolute", "squared", "zero-one", "own"; "bayes", "minimax", "equaliser"; "remap",
 * "matrix".  Static storage. */
SFM_API const char *sfm_optimal_loss_name(sfm_optimal_loss loss);
SFM_API const char *sfm_optimal_objective_name(sfm_optimal_objective objective);
SFM_API const char *sfm_optimal_form_name(sfm_optimal_form form);

/* The functions below fail with SFM_INVALID if the release is not of kind "mechanism".
 * Thread-safe. */

/* Sets the facts. */
SFM_API SFM_MUST_CHECK sfm_status sfm_optimal_describe(const sfm_release *release,
                                                       sfm_optimal_facts *facts, sfm_error *error);
/* Sets law to the probabilities of the answers 0 to n if the count is truth: n+1 numbers, each with
 * a relative error of at most 1e-12. */
SFM_API SFM_MUST_CHECK sfm_status sfm_optimal_law(const sfm_release *release, double *law,
                                                  size_t truth, sfm_error *error);
/* Computes the risk if the count is truth, with a relative error of at most 1e-12. */
SFM_API SFM_MUST_CHECK sfm_status sfm_optimal_risk(const sfm_release *release, double *risk,
                                                   size_t truth, sfm_error *error);
/* Computes the least d such that |answer - count| <= d with probability at least confidence, in
 * (0, 1), for every count. */
SFM_API SFM_MUST_CHECK sfm_status sfm_optimal_error(const sfm_release *release, size_t *distance,
                                                    double confidence, sfm_error *error);

/* The result of a check. */
typedef struct sfm_optimal_report {
  size_t entries;     /* the number of non-zero entries of the table */
  size_t ratios;      /* matrix: ratios of neighbouring entries, compared in integers; remap: 0 */
  double epsilon;     /* the largest log ratio of probabilities at neighbouring counts */
  double risk, limit; /* recomputed */
} sfm_optimal_report;

/* Checks a mechanism from its numbers alone: every row of its table sums to exactly one; every
 * ratio of neighbouring entries is within e^epsilon, in integers; risk and limit are as stated, to
 * 1e-9.  SFM_FORMAT if something does not hold; the message says what and where. */
SFM_API SFM_MUST_CHECK sfm_status sfm_optimal_verify(const sfm_release *release,
                                                     sfm_optimal_report *report, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
