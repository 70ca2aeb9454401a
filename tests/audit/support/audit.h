/* audit.h - a lower bound on the epsilon of a mechanism, from many of its releases.
 *
 * A mechanism is a function that makes one fresh release on one of two neighbouring inputs and sums
 * it up in a few scores.  The audit draws `draws` releases on each input.
 *   First half:  among the events {score >= t} and {score <= t}, over all scores, a few hundred t
 *                and both orders of the inputs, it chooses the one with the largest bound below.
 *   Second half: with p the probability of that event on one input and q on the other,
 *                  epsilon >= log((p_lower - delta) / q_upper),
 *                where p_lower and q_upper are one-sided Clopper-Pearson bounds.
 *
 * The event does not depend on the second half, so the bound is false with probability at most
 * AUDIT_SIGNIFICANCE.  A lower bound above the claim disproves the claim.  One below proves
 * nothing, but is worth more the closer it is: docs/audit.md. */
#ifndef TESTS_AUDIT_AUDIT_H
#define TESTS_AUDIT_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AUDIT_SIGNIFICANCE 1e-6
#define AUDIT_SCORES_MAX 8

/* One fresh release on input 0 or 1; fills in all scores (a NaN belongs to no event). */
typedef void audit_draw(void *context, int input, double *scores);

typedef struct audit_mechanism {
  const char *name;
  audit_draw *draw;
  void *context;
  size_t scores;         /* 1 to AUDIT_SCORES_MAX */
  double epsilon, delta; /* what is claimed */
} audit_mechanism;

/* score >= threshold, or <= */
typedef struct audit_event {
  size_t score;
  double threshold;
  bool above;
  int input; /* the one on which the event is likelier */
} audit_event;

typedef struct audit_result {
  double lower;      /* bound on epsilon at the claimed delta; 0 when nothing was found */
  audit_event event; /* chosen on the first half */
  size_t trials;     /* of the second half, on each input */
  size_t hits[2];    /* how often the event happened there */
} audit_result;

/* draws is even and at least 2; they are made on each input. */
audit_result audit_run(const audit_mechanism *mechanism, size_t draws);

/* A header if result is NULL, else one line: mechanism, claim, bound, verdict. */
void audit_print(const audit_mechanism *mechanism, const audit_result *result);

/* One-sided Clopper-Pearson bounds: P(p < lower) <= alpha, P(p > upper) <= alpha. */
double audit_lower(size_t hits, size_t trials, double alpha);
double audit_upper(size_t hits, size_t trials, double alpha);

/* log((p_lower - delta) / q_upper), each end at half of AUDIT_SIGNIFICANCE; 0 if that is less. */
double audit_bound(size_t hits_p, size_t hits_q, size_t trials, double delta);

/* How many releases are drawn on each input: 16 times as many where SFM_LONG is set. */
size_t audit_draws(void);

/* What share of epsilon an honest mechanism's bound is to reach: of more draws, more. */
double audit_share(double ordinary, double long_tier);

/* Runs the audit and prints its line.
 *   honest   fails if the bound is above epsilon, or below share x epsilon: the audit would have no
 *            power
 *   twin     fails unless the bound is above epsilon */
void audit_honest(const audit_mechanism *mechanism, double share);
void audit_twin(const audit_mechanism *mechanism);
/* The same with other numbers of draws than audit_draws() and half of them. */
void audit_honest_of(const audit_mechanism *mechanism, size_t draws, double share);
void audit_twin_of(const audit_mechanism *mechanism, size_t draws);

#endif
