/* limits.h - how little error anyone could have at a given epsilon, and how much sfumato has.
 *
 * Four kinds of number, which must not be confused:
 *   exact     the least risk of any private mechanism, computed
 *   bound     no private mechanism has less in the worst case; proved, with its constant
 *   rate      how the least error grows; its constant is not known, so that the number shown, with
 *             constant 1, bounds nothing
 *   attained  what a mechanism of sfumato has: exactly, or at most
 * All are for pure epsilon, unless they say otherwise, and for the worst database.  Errors are mean
 * absolute ones, summed over the numbers of a table (l1).  Nothing here reads data.
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
  const char *name; /* static storage, like expression */
  sfm_limit_kind kind;
  const char *expression; /* "e^-2/epsilon" */
  bool holds;             /* its conditions are met; else value is NaN */
  double value;
  bool comparable; /* the worst mean error that was asked about, at pure epsilon: among these no
                      exact number or bound is above an attained one */
  char why[320];   /* what it says; when it does not hold, why not */
  const char *quantity; /* of a machine: what value is, "epsilon", "accuracy", "features", "scale"
                           or "failure"; else NULL: an error */
} sfm_limit;

enum { SFM_LIMITS_MAX = 20 };

typedef struct sfm_limits {
  sfm_limit at[SFM_LIMITS_MAX];
  size_t count;
} sfm_limits;

/* What is asked.  Each function says which fields it reads; the others may be anything. */
typedef struct sfm_limits_settings {
  uint64_t n;     /* records, public; 0: as many as it takes (not for a count) */
  double epsilon; /* 1e-6 to 1e3 */
  double delta;   /* 0: no normal noise is shown */
  sfm_neighbours neighbours;
  double worst;          /* a count: the stated worst risk of a mechanism; 0: the geometric one's */
  uint64_t cells;        /* of a table: 1 to 2^62 */
  uint64_t occupied;     /* of them, at most so many are not empty */
  const uint64_t *sizes; /* of margins: the categories of every column */
  size_t columns;        /* 1 to 64 */
} sfm_limits_settings;

/* replace, no delta; the rest must be set. */
SFM_API sfm_limits_settings sfm_limits_settings_default(void);

/* A count of 0 to n: n, epsilon, worst.  Takes up to some seconds. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_count(sfm_limits *limits,
                                                   const sfm_limits_settings *settings,
                                                   sfm_error *error);
/* A table: cells, n, epsilon, delta, neighbours. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_histogram(sfm_limits *limits,
                                                       const sfm_limits_settings *settings,
                                                       sfm_error *error);
/* A table that is mostly empty: cells, occupied, n, epsilon, neighbours. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_sparse(sfm_limits *limits,
                                                    const sfm_limits_settings *settings,
                                                    sfm_error *error);
/* All one-way margins of a table, every category counted: sizes, columns, n, epsilon, delta,
 * neighbours. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_margins(sfm_limits *limits,
                                                     const sfm_limits_settings *settings,
                                                     sfm_error *error);

/* A kernel machine with hinge loss (Rubinstein, Bartlett, Huang & Taft 2012, corrected):
 *   f(x) = <w, phi(x)>,   w the least of (1/n) sum loss(y_i f(x_i)) + (lambda/2)|w|^2.
 * A release is `accurate` when it lies nowhere, over the set that rows come from, further than
 * `accuracy` from f, but with probability `failure`.  Zero: not stated. */
typedef struct sfm_svm {
  uint64_t rows;            /* n, 1 to 2^53 */
  double lambda;            /* 1/C where the objective is |w|^2/2 + (C/n) sum loss */
  double lipschitz;         /* of the loss; of the hinge and the logistic one 1 */
  double kappa;             /* no phi(x) is longer */
  double entry;             /* no coordinate of phi(x) is larger; 0: kappa */
  uint64_t features;        /* coordinates of phi; of random features cosines and sines together */
  sfm_kernel_family kernel; /* linear, or stationary: kappa is 1 */
  double bandwidth;
  uint64_t dimension; /* of rows */
  double diameter;    /* of the set that rows come from; 0: of the box [-1, 1]^dimension */
  double radius;      /* of a disc within that set; 0: 1 */
  double epsilon, accuracy, failure;
} sfm_svm;

/* linear, lipschitz 1, kappa 1; the rest is not stated. */
SFM_API sfm_svm sfm_svm_default(void);

/* Each is NaN where a number that it needs is not stated, or its conditions are not met.
 * Statements and proofs: docs/proofs/svm-limits.md.  Thread-safe.
 *
 * The scale of Laplace noise on every weight at epsilon (theorem 10); and the accuracy that a
 * scale then has (theorem 11), or, sharper, the same from the law of the noise itself. */
SFM_API double sfm_svm_scale(const sfm_svm *svm);
SFM_API double sfm_svm_accuracy(const sfm_svm *svm);
SFM_API double sfm_svm_accuracy_sharp(const sfm_svm *svm);
/* The epsilon at which the same machine has accuracy and failure (corollary 19). */
SFM_API double sfm_svm_epsilon(const sfm_svm *svm);
/* Random features: how many bring their kernel within `accuracy` of the kernel (lemma 18); how many
 * the accuracy of the machine takes (theorem 13, corollary 20); what accuracy `features` of them,
 * or the best number when they are not stated, have at epsilon (theorem 13); and the epsilon at
 * which as many as it takes are accurate (theorem 21, with its constants). */
SFM_API double sfm_svm_kernel_features(const sfm_svm *svm);
SFM_API double sfm_svm_random_features(const sfm_svm *svm);
SFM_API double sfm_svm_random_accuracy(const sfm_svm *svm);
SFM_API double sfm_svm_random_epsilon(const sfm_svm *svm);
/* No mechanism is accurate below this epsilon: any kernel that holds the linear one of a line
 * (theorem 23), the gaussian kernel (theorem 26).  *group, when not NULL: how many records the
 * databases of the proof differ in, 1 in the theorems as they were stated. */
SFM_API double sfm_svm_least_linear(const sfm_svm *svm, uint64_t *group);
SFM_API double sfm_svm_least_gaussian(const sfm_svm *svm, uint64_t *group);
/* What is nearer to f than theorem 23 allows fails with at least this probability (remark 24). */
SFM_API double sfm_svm_least_failure(const sfm_svm *svm);

/* All of them, with their conditions. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_svm(sfm_limits *limits, const sfm_svm *svm,
                                                 sfm_error *error);

/* Learning with kernels in three models (Jain and Thakurta 2013, theorems 3, 5 and 8): how errors
 * grow.  Only shapes: the paper's constants are unstated, so a number here, with constant 1, bounds
 * nothing; it is for comparing n, lambda, epsilon, T and d.  docs/proofs/kernel-limits.md. */
typedef struct sfm_learner {
  uint64_t rows; /* n, 1 to 2^53 */
  double lambda;
  double lipschitz; /* L, of the loss */
  double kappa;     /* R: no phi(x) is longer */
  double norm;      /* C: |w| <= C; 0: L R/lambda */
  double epsilon;
  double delta;       /* 0: epsilons add, and errors fall more slowly */
  double failure;     /* beta: with what probability an error may be larger */
  uint64_t questions; /* T, of theorems 3 and 5; 0: not stated */
  uint64_t dimension; /* d, of theorem 8; 0: not stated */
} sfm_learner;

/* lipschitz 1, kappa 1, failure 0.05; the rest is not stated. */
SFM_API sfm_learner sfm_learner_default(void);

/* Each is NaN where a number that it needs is not stated.  Thread-safe.
 * The error of any one of T answers (interactive); the mean loss beyond that of the private machine
 * over the points that T were drawn from (semi-interactive); the error of a value anywhere in the
 * unit ball (non-interactive). */
SFM_API double sfm_learner_interactive(const sfm_learner *learner);
SFM_API double sfm_learner_semi(const sfm_learner *learner);
SFM_API double sfm_learner_non(const sfm_learner *learner);

/* All three, as rates. */
SFM_API SFM_MUST_CHECK sfm_status sfm_limits_kernel(sfm_limits *limits, const sfm_learner *learner,
                                                    sfm_error *error);

/* "exact", "bound", "rate", "attained".  Static storage. */
SFM_API const char *sfm_limit_kind_name(sfm_limit_kind kind);

#ifdef __cplusplus
}
#endif
#endif
