/* belief.h - what an attacker knows who sees everything that epochs of AboveThreshold answer: the
 * law of the noisy threshold on either input, given the answers, and the likelihood ratio.
 *
 *   weight_i(x) = P(X = x) prod_t P(answer t | X = x, input i)
 * The ratio of the answers is sum_x weight_1(x) / sum_x weight_0(x): exact, by Bayes, for the sound
 * mechanism and for each twin whose noises are told. */
#ifndef TESTS_AUDIT_BELIEF_H
#define TESTS_AUDIT_BELIEF_H

#include <stdbool.h>
#include <stdint.h>

enum { BELIEF_REACH = 256, BELIEF_RANGE = 1024 };

/* Discrete Laplace noises by their scales, in steps; 0: no noise. */
typedef struct belief {
  int reach;                              /* x from -reach to reach: sixteen scales */
  double ratio;                           /* log, of the epochs that are over */
  double threshold[2 * BELIEF_REACH + 1]; /* P(X = x) at x + reach */
  double fires[2 * BELIEF_RANGE + 1];     /* P(Y >= y) at y + BELIEF_RANGE */
  double weight[2][2 * BELIEF_REACH + 1];
} belief;

/* threshold <= BELIEF_REACH/16. */
void belief_init(belief *b, double threshold, double question);
/* Nothing is known. */
void belief_clear(belief *b);

/* A threshold is drawn: what was learned of the last one is of no more use. */
void belief_renew(belief *b);
/* A question whose score is above theta by over[i] on input i, and whether it fired. */
void belief_hear(belief *b, const int64_t over[2], bool fired);
/* The compared value is told: it is above theta by `value`, and fired. */
void belief_read(belief *b, const int64_t over[2], int64_t value);
/* X is told: x[i] on input i. */
void belief_learn(belief *b, const int64_t x[2]);
/* Something that is independent of the rest, by its own log ratio. */
void belief_add(belief *b, double ratio);

/* Of everything so far. */
double belief_ratio(const belief *b);

#endif
