/* threshold_posterior.h - what an attacker knows who sees everything that epochs of AboveThreshold
 * answer: the law of the noisy threshold on either input, given the answers, and the likelihood
 * ratio.
 *
 *   weight_i(x) = P(X = x) prod_t P(answer t | X = x, input i)
 * The ratio of the answers is sum_x weight_1(x) / sum_x weight_0(x): exact, by Bayes, for the sound
 * mechanism and for each twin whose noises are told. */
#ifndef TESTS_AUDIT_THRESHOLD_POSTERIOR_H
#define TESTS_AUDIT_THRESHOLD_POSTERIOR_H

#include <stdbool.h>
#include <stdint.h>

enum { THRESHOLD_POSTERIOR_REACH = 256, THRESHOLD_POSTERIOR_RANGE = 1024 };

/* Discrete Laplace noises by their scales, in steps; 0: no noise. */
typedef struct threshold_posterior {
  int reach;                                           /* x from -reach to reach: sixteen scales */
  double ratio;                                        /* log, of the epochs that are over */
  double threshold[2 * THRESHOLD_POSTERIOR_REACH + 1]; /* P(X = x) at x + reach */
  double fires[2 * THRESHOLD_POSTERIOR_RANGE + 1]; /* P(Y >= y) at y + THRESHOLD_POSTERIOR_RANGE */
  double weight[2][2 * THRESHOLD_POSTERIOR_REACH + 1];
} threshold_posterior;

/* threshold <= THRESHOLD_POSTERIOR_REACH/16. */
void threshold_posterior_init(threshold_posterior *b, double threshold, double question);
/* Nothing is known. */
void threshold_posterior_clear(threshold_posterior *b);

/* A threshold is drawn: what was learned of the last one is of no more use. */
void threshold_posterior_renew(threshold_posterior *b);
/* A question whose score is above theta by over[i] on input i, and whether it fired. */
void threshold_posterior_hear(threshold_posterior *b, const int64_t over[2], bool fired);
/* The compared value is told: it is above theta by `value`, and fired. */
void threshold_posterior_read(threshold_posterior *b, const int64_t over[2], int64_t value);
/* X is told: x[i] on input i. */
void threshold_posterior_learn(threshold_posterior *b, const int64_t x[2]);
/* Something that is independent of the rest, by its own log ratio. */
void threshold_posterior_add(threshold_posterior *b, double ratio);

/* Of everything so far. */
double threshold_posterior_ratio(const threshold_posterior *b);

#endif
