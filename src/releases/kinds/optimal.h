/* optimal.h - a mechanism for a count in memory (internal face of sfumato/optimal.h).
 *
 * Notation: i is the truth, j the answer, k what the truncated geometric mechanism made of the
 * truth (the count plus discrete Laplace noise of scale exactly 1/epsilon, brought into 0..n), all
 * from 0 to n.  With a = e^-epsilon
 *
 *   G[i][k] = a^|i-k| (1-a)/(1+a) for 0 < k < n,   a^|i-k|/(1+a) for k = 0 and k = n.
 *
 * Invariants, held by whoever builds one and by sfmi_optimal_check:
 *  1. every row of numerators sums to exactly SFMI_OPTIMAL_ONE.
 *  2. remap: they are T[k][j], and the law of the answer is G T.  Private for any such T.
 *     matrix: they are the law M[i][j] itself, and for neighbouring rows x, y of a column
 *     x 2^shift <= y mantissa, with mantissa/2^shift <= e^epsilon (base/math/exp_bound.h).
 *  3. losses are finite and not negative, and those of a name are what the name says; a prior is
 *     not negative and sums to one to SFMI_OPTIMAL_PRIOR.
 *  4. nothing here has anything to do with private rows. */
#ifndef SFMI_OPTIMAL_H
#define SFMI_OPTIMAL_H

#include "base/system/status.h"
#include "sfumato/noise.h"
#include "sfumato/optimal.h"

#define SFMI_OPTIMAL_ONE (UINT64_C(1) << 62)
#define SFMI_OPTIMAL_MAX 500         /* n */
#define SFMI_OPTIMAL_LEAST 1e-6      /* epsilon */
#define SFMI_OPTIMAL_MOST 15         /* epsilon */
#define SFMI_OPTIMAL_LOSS_MAX 1e12   /* the largest loss */
#define SFMI_OPTIMAL_PRIOR 1e-9      /* a prior's sum is as near to one */
#define SFMI_OPTIMAL_PRECISION 1e-12 /* of laws, risks and limits computed here, relative */
#define SFMI_OPTIMAL_STATED 1e-9     /* as near are stated risks and limits, relative */
#define SFMI_OPTIMAL_EQUAL 1e-6      /* as near are an equaliser's risks, relative */

typedef struct sfmi_optimal {
  size_t n;
  double epsilon;
  sfm_ratio exact; /* epsilon as its decimal says, in lowest terms: noise has the scale
                      denominator/numerator */
  sfm_optimal_loss loss;
  double *losses; /* (n+1) x (n+1), truth by answer.  Owned. */
  sfm_optimal_objective objective;
  bool uniform;  /* the prior is */
  double *prior; /* n+1.  Bayes: the stated one.  Minimax and equaliser: one that no private
                    mechanism has less mean risk under than `limit`, or NULL.  Owned. */
  sfm_optimal_form form;
  uint64_t *numerators; /* (n+1) x (n+1) over SFMI_OPTIMAL_ONE.  Owned. */
  double risk, lp_risk, repair_cost;
  double limit; /* NaN: none */
} sfmi_optimal;

/* Zeroed tables for counts up to n, epsilon and its ratio; refuses n and epsilon out of range.
 * There is no prior. */
SFM_MUST_CHECK sfm_status sfmi_optimal_create(sfmi_optimal **out, size_t n, double epsilon,
                                              sfm_error *error);
void sfmi_optimal_destroy(sfmi_optimal *optimal);

/* Fills the losses of a name other than own. */
void sfmi_optimal_fill_losses(sfmi_optimal *optimal, sfm_optimal_loss loss);
/* Refuses losses that are negative, not finite or beyond the largest; where says whose they are. */
SFM_MUST_CHECK sfm_status sfmi_optimal_check_losses(const double *losses, size_t n,
                                                    const char *where, sfm_error *error);
/* Refuses a prior with a negative weight or another sum than one. */
SFM_MUST_CHECK sfm_status sfmi_optimal_check_prior(const double *prior, size_t n, const char *where,
                                                   sfm_error *error);
/* Whether losses never fall with the distance from the truth, on either side of it: then some remap
 * is as good as any private mechanism, at every count at once. */
bool sfmi_optimal_unimodal(const double *losses, size_t n);
/* Whether counting from the other end changes nothing: L[i][j] = L[n-i][n-j]. */
bool sfmi_optimal_symmetric(const double *losses, size_t n);

/* G, (n+1) x (n+1). */
void sfmi_optimal_geometric(double *out, size_t n, double epsilon);
/* What answer j costs when the geometric mechanism said k, weighted: out[k][j] = sum over i of
 * weights[i] G[i][k] L[i][j].  geometric: G. */
SFM_MUST_CHECK sfm_status sfmi_optimal_costs(double *out, const double *geometric,
                                             const double *losses, const double *weights, size_t n,
                                             sfm_error *error);
/* The least mean risk of a remap under a prior, which for unimodal losses is that of any private
 * mechanism: the sum over k of the least of its costs. */
SFM_MUST_CHECK sfm_status sfmi_optimal_least(double *out, const sfmi_optimal *optimal,
                                             const double *prior, sfm_error *error);

/* The risk at every count, n+1 numbers; and what the objective makes of them. */
SFM_MUST_CHECK sfm_status sfmi_optimal_risks(const sfmi_optimal *optimal, double *risks,
                                             sfm_error *error);
double sfmi_optimal_total(const sfmi_optimal *optimal, const double *risks);
/* The law of the answer at one count. */
void sfmi_optimal_law(const sfmi_optimal *optimal, double *law, size_t truth);

/* Numerators near a table whose entries are not negative and whose rows sum to about one: rounded
 * down, and what a row lacks goes to its largest entry. */
void sfmi_optimal_round(sfmi_optimal *optimal, const double *table);

/* Invariants 1 to 3, in integers; name is for messages. */
SFM_MUST_CHECK sfm_status sfmi_optimal_check(const sfmi_optimal *optimal, const char *name,
                                             sfm_error *error);

/* The least d with |answer - truth| <= d with the probability, whatever the truth. */
SFM_MUST_CHECK sfm_status sfmi_optimal_error(const sfmi_optimal *optimal, size_t *distance,
                                             double confidence, sfm_error *error);

/* For whoever draws.  row: of a remap what the geometric mechanism said, of a matrix the count; u:
 * uniform among 0 to SFMI_OPTIMAL_ONE - 1.  The answer then has exactly the law of that row. */
size_t sfmi_optimal_answer(const sfmi_optimal *optimal, size_t row, uint64_t u);
/* The scale of the geometric noise, exactly 1/epsilon. */
sfm_ratio sfmi_optimal_scale(const sfmi_optimal *optimal);

#endif
