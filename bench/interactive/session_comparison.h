/* session_comparison.h - one machine of simulated rows, asked T questions by every way of answering
 * them with the same guarantee for all answers together. */
#ifndef SESSION_COMPARISON_H
#define SESSION_COMPARISON_H

#include "simulated_rows.h"

typedef struct session_comparison session_comparison;

/* Solves the machine of so many rows; `most` questions are at hand. */
session_comparison *session_comparison_create(simulated_rows_kind kind, size_t rows, size_t most,
                                              const sfm_schema *schema);
void session_comparison_destroy(session_comparison *c);

/* Mean |<w, phi>| over the first T questions: the error of whoever knows nothing. */
double session_comparison_error_of_zero(const session_comparison *c, size_t questions);

/* Mean |answer - <w, phi>|, and how it came about. */
typedef struct session_comparison_result {
  double error, bar; /* measured, and the plan's error bar while epochs last */
  double inside;     /* the part of the answers that state a bar and are within it */
  uint64_t epochs, used;
} session_comparison_result;

/* An interactive session of so many epochs; delta 0: pure. */
session_comparison_result session_comparison_interact(const session_comparison *c, size_t questions,
                                                      uint64_t epochs, double epsilon,
                                                      double delta);
/* Every answer with its own noise (its mean, from the law): normal, or Laplace where pure. */
double session_comparison_fresh_noise(const session_comparison *c, size_t questions, double epsilon,
                                      double delta);
/* One release of all weights: normal noise, or gamma where pure. */
double session_comparison_one_release(session_comparison *c, double epsilon, double delta);
/* One release fitted at 500 public points of the same law (tddl); NaN for random features. */
double session_comparison_tddl(session_comparison *c, double epsilon, double delta);

#endif
