/* questions.h - points that arrive line by line, on a pipe or from a person: CSV, whose first line
 * names the variables (other columns are ignored) or is the first point already, its cells in the
 * variables' order.  As many numbers as variables are a point, whatever the variables are called
 * (those of an NPY array 0, 1, ...). */
#ifndef CLI_QUESTIONS_H
#define CLI_QUESTIONS_H

#include "bytes.h"
#include "options.h"
#include "sfumato/density.h"

/* The variables that a point must have, and where. */
typedef struct question_domain {
  size_t dimension;
  const char *names[SFM_MAX_DIMENSION];
  double lower[SFM_MAX_DIMENSION], upper[SFM_MAX_DIMENSION];
} question_domain;

/* Fails for a point outside; place says in messages where it stood. */
SFM_MUST_CHECK sfm_status question_check(const question_domain *domain, const double *point,
                                         const char *place, sfm_error *error);

/* Most points handed on at a time. */
enum { QUESTIONS_MOST = 4096 };

typedef struct questions {
  const question_domain *domain;
  int descriptor;
  const char *name; /* for messages */
  char *buffer;
  size_t start, end; /* bytes that were read and not yet used */
  bool ended;
  size_t line; /* lines used up */
  long places[SFM_MAX_DIMENSION];
  bool bare; /* no line named the variables: every line is a point and nothing else */
} questions;

/* "-" is standard input.  Clear with questions_clear, also after a failure. */
SFM_MUST_CHECK sfm_status questions_open(questions *q, const char *path,
                                         const question_domain *domain, sfm_error *error);
void questions_clear(questions *q);

/* The points of the complete lines that have arrived, up to QUESTIONS_MOST, into at (room for
 * as many x dimension); blank lines are passed over.  Waits only when there are none, and *count is
 * 0 only at the end of the input.  A line that is not a point of the domain fails, naming it, once
 * those before it have been handed on. */
SFM_MUST_CHECK sfm_status questions_next(questions *q, double *at, size_t *count, sfm_error *error);

#endif
