/* limits.h - computes the least error that any private mechanism can have at a given epsilon, and
 * the error that sfumato has.
 *
 * There are four kinds of numbers, which must not be confused:
 *   exact     the least risk of all private mechanisms, computed
 *   bound     a proved lower bound, with its constant: no private mechanism has less in the worst
 *             case
 *   rate      how the least error grows; its constant is unknown, so the number shown (with
 *             constant 1) bounds nothing
 *   attained  what a mechanism of sfumato has, exactly or at most
 * All are for pure epsilon, unless they say otherwise, and for the worst database.  Errors are mean
 * absolute errors, summed over the numbers of a table (l1).  Nothing here reads data.
 * Statements, conditions, proofs: docs/proofs/limits.md. */
#ifndef SFUMATO_LIMITS_H
#define SFUMATO_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sfumato/guarantee.h"
#include "sfumato/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sfm_limit_kind {
  SFM_LIMIT_EXACT,
  SFM_LIMIT_BOUND,
  SFM_LIMIT_RATE,
  SFM_LIMIT_ATTAINED,
} sfm_limit_kind;

typedef struct sfm_limit {
  const char *name; /* static storage */
  sfm_limit_kind kind;
  const char *expression; /* the formula, "e^-2/epsilon"; static storage */
  bool holds;             /* whether its conditions are met; if not, value is NaN */
  double value;
  /* Whether value is the quantity that was asked about: for counts and tables the worst mean error
   * at pure epsilon.  Among comparable entries, no exact number or bound is above an attained one.
   */
  bool comparable;
  char why[320]; /* what it says; if it does not hold, why not */
  /* For machines, what value is: "epsilon", "accuracy", "features", "scale" or "failure".  NULL: an
   * error. */
  const char *quantity;
} sfm_limit;

enum { SFM_LIMITS_MAX = 20 };

typedef struct sfm_limits {
  sfm_limit at[SFM_LIMITS_MAX];
  size_t count;
} sfm_limits;

/* The problem.  Each function says which fields it reads; the others are ignored. */
typedef struct sfm_limits_settings {
  size_t size;               /* of this struct */
  uint64_t n;                /* records, public; 0: as many as a bound needs (not for a count) */
  double epsilon;            /* 1e-6 to 1e3 */
  double delta;              /* 0 (the default): no normal noise is shown */
  sfm_neighbours neighbours; /* default: SFM_NEIGHBOURS_REPLACE */
  double worst;              /* count: stated worst risk of a mechanism; 0: the geometric one's */
  uint64_t cells;            /* table: the number of cells, 1 to 2^62 */
  uint64_t occupied;         /* sparse table: at most this many cells are not empty */
  const uint64_t *sizes;     /* margins: the number of categories, one per column */
  size_t columns;            /* margins: 1 to 64 */
} sfm_limits_settings;

/* Returns the defaults.  The other fields that are read must be set. */
SFM_API void sfm_limits_settings_init(sfm_limits_settings *settings, size_t size);
SFM_DEFAULT(sfm_limits_settings)

/* Limits for a count from 0 to n.  Reads n, epsilon, worst.  Takes up to some seconds. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_count(sfm_limits *limits,
                                                   const sfm_limits_settings *settings,
                                                   sfm_error *error);
/* Limits for a table.  Reads cells, n, epsilon, delta, neighbours. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_histogram(sfm_limits *limits,
                                                       const sfm_limits_settings *settings,
                                                       sfm_error *error);
/* Limits for a table that is mostly empty.  Reads cells, occupied, n, epsilon, neighbours. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_sparse(sfm_limits *limits,
                                                    const sfm_limits_settings *settings,
                                                    sfm_error *error);
/* Limits for all one-way margins of a table, with a count for every category.  Reads sizes,
 * columns, n, epsilon, delta, neighbours. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_margins(sfm_limits *limits,
                                                     const sfm_limits_settings *settings,
                                                     sfm_error *error);

/* A kernel machine with hinge loss (Rubinstein, Bartlett, Huang & Taft 2012, corrected):
 *   f(x) = <w, phi(x)>,   w minimises (1/n) sum loss(y_i f(x_i)) + (lambda/2)|w|^2.
 * Let X be the set that rows come from.  A release is accurate if, with probability at least
 * 1 - failure, it is within `accuracy` of f everywhere on X.  A number that is 0 is not stated. */
typedef struct sfm_svm {
  uint64_t rows;    /* n, 1 to 2^53 */
  double lambda;    /* 1/C if the objective is |w|^2/2 + (C/n) sum loss */
  double lipschitz; /* of the loss; 1 for hinge and logistic loss; default: 1 */
  double kappa;     /* the largest norm of phi(x); default: 1 */
  double entry; /* the largest coordinate of phi(x); 0: kappa, or that of random features if less */
  uint64_t features;        /* coordinates of phi; for random features cosines and sines together */
  sfm_kernel_family kernel; /* linear (the default), or stationary, where kappa is 1 */
  double bandwidth;
  uint64_t dimension; /* of rows */
  double diameter;    /* of X; 0: that of the box [-1, 1]^dimension */
  double radius;      /* of a disc within X; 0: 1 */
  double epsilon, accuracy, failure;
} sfm_svm;

/* Returns the defaults.  The rest is not stated. */
SFM_API sfm_svm sfm_svm_default(void);

/* Each function below returns NaN if a number that it needs is not stated, or if its conditions are
 * not met.  Thread-safe.
 * Statements and proofs: docs/proofs/svm-limits.md. */

/* The scale of Laplace noise on every weight at epsilon (theorem 10). */
SFM_API double sfm_svm_scale(const sfm_svm *svm);
/* The accuracy with this noise (theorem 11), and a sharper accuracy from the distribution of the
 * noise itself. */
SFM_API double sfm_svm_accuracy(const sfm_svm *svm);
SFM_API double sfm_svm_accuracy_sharp(const sfm_svm *svm);
/* The epsilon at which the same machine has `accuracy` and `failure` (corollary 19). */
SFM_API double sfm_svm_epsilon(const sfm_svm *svm);
/* How many random features approximate the kernel within `accuracy` (lemma 18). */
SFM_API double sfm_svm_kernel_features(const sfm_svm *svm);
/* How many random features `accuracy` of the machine needs (theorem 13, corollary 20). */
SFM_API double sfm_svm_random_features(const sfm_svm *svm);
/* The accuracy of `features` random features at epsilon, or of the best number if features is not
 * stated (theorem 13). */
SFM_API double sfm_svm_random_accuracy(const sfm_svm *svm);
/* The epsilon at which that many random features are accurate (theorem 21, with its constants). */
SFM_API double sfm_svm_random_epsilon(const sfm_svm *svm);
/* Lower bounds: no mechanism is accurate below this epsilon.  least_linear is for any kernel that
 * contains the linear kernel of a line (theorem 23), least_gaussian for the gaussian kernel
 * (theorem 26).  *group (may be NULL) is set to the number of records in which the databases of the
 * proof differ; it is 1 in the theorems as originally stated. */
SFM_API double sfm_svm_least_linear(const sfm_svm *svm, uint64_t *group);
SFM_API double sfm_svm_least_gaussian(const sfm_svm *svm, uint64_t *group);
/* A mechanism that is closer to f than theorem 23 allows fails with at least this probability
 * (remark 24). */
SFM_API double sfm_svm_least_failure(const sfm_svm *svm);

/* All of these, with their conditions. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_svm(sfm_limits *limits, const sfm_svm *svm,
                                                 sfm_error *error);

/* Rates for learning with kernels in three models (Jain and Thakurta 2013, theorems 3, 5 and 8).
 * The constants are not stated in the paper.  So a number here, with constant 1, bounds nothing.
 * Use it to compare values of n, lambda, epsilon, T and d.  docs/proofs/kernel-limits.md. */
typedef struct sfm_learner {
  uint64_t rows; /* n, 1 to 2^53 */
  double lambda;
  double lipschitz; /* L, of the loss; default: 1 */
  double kappa;     /* R, the largest norm of phi(x); default: 1 */
  double norm;      /* C: |w| <= C; 0: L R/lambda */
  double epsilon;
  double delta;       /* 0: epsilons add, and errors decrease more slowly */
  double failure;     /* beta, the probability that an error is larger; default: 0.05 */
  uint64_t questions; /* T, in theorems 3 and 5; 0: not stated */
  uint64_t dimension; /* d, in theorem 8; 0: not stated */
} sfm_learner;

/* Returns the defaults.  The rest is not stated. */
SFM_API sfm_learner sfm_learner_default(void);

/* Each function below returns NaN if a number that it needs is not stated.  Thread-safe. */

/* Interactive: the error of any one of T answers. */
SFM_API double sfm_learner_interactive(const sfm_learner *learner);
/* Semi-interactive: the mean loss in excess of that of the private machine, over the distribution
 * of the T points.  If T is not stated: for the best T. */
SFM_API double sfm_learner_semi_interactive(const sfm_learner *learner);
/* Non-interactive: the error of a value anywhere in the unit ball. */
SFM_API double sfm_learner_non_interactive(const sfm_learner *learner);

/* All three, as rates. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_kernel(sfm_limits *limits, const sfm_learner *learner,
                                                    sfm_error *error);

/* Returns "exact", "bound", "rate" or "attained".  Static storage. */
SFM_API const char *sfm_limit_kind_name(sfm_limit_kind kind);

#ifdef __cplusplus
}
#endif
#endif
