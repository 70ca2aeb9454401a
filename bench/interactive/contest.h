/* contest.h - one machine of simulated rows, asked T questions by every way of answering them with
 * the same guarantee for all answers together. */
#ifndef CONTEST_H
#define CONTEST_H

#include "town.h"

typedef struct contest contest;

/* Solves the machine of so many rows; `most` questions are at hand. */
contest *contest_create(town_kind kind, size_t rows, size_t most, const sfm_schema *schema);
void contest_destroy(contest *c);

/* Mean |<w, phi>| over the first T questions: the error of whoever knows nothing. */
double contest_nothing(const contest *c, size_t questions);

/* Mean |answer - <w, phi>|, and how it came about. */
typedef struct contest_session {
  double error, bar; /* measured, and the plan's error bar while epochs last */
  double inside;     /* the part of the answers that state a bar and are within it */
  uint64_t epochs, used;
} contest_session;

/* An interactive session of so many epochs; delta 0: pure. */
contest_session contest_ask(const contest *c, size_t questions, uint64_t epochs, double epsilon,
                            double delta);
/* Every answer with its own noise (its mean, from the law): normal, or Laplace where pure. */
double contest_fresh(const contest *c, size_t questions, double epsilon, double delta);
/* One release of all weights: normal noise, or gamma where pure. */
double contest_once(contest *c, double epsilon, double delta);
/* One release fitted at 500 public points of the same law (tddl); NaN for random features. */
double contest_semi(contest *c, double epsilon, double delta);

#endif
