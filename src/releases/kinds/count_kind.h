/* count_kind.h - what a released count is a count of, and by what mechanism (kind "count").
 *
 * Invariants:
 *  1. one coefficient, in steps of 1; under replace it is between 0 and the public number of rows.
 *  2. geometric: the true count plus discrete Laplace noise of the stated scale, brought into that
 *     range under replace.  Under random differential privacy it may have none (`exact`).
 *  3. optimal: an answer of a mechanism for as many records as there are rows, whose hash is
 *     stated; the scale is not.  tails[w] is at least the probability that the answer is off by
 *     more than w, whatever the count is: not increasing, and 0 at its end. */
#ifndef SFMI_COUNT_KIND_H
#define SFMI_COUNT_KIND_H

#include "releases/core/release_kind.h"

/* Most records for which there are optimal mechanisms: so many tails a file may have. */
#define SFMI_TAILS_MAX 100000

typedef struct sfmi_count_data {
  char *where; /* the predicate; NULL: all records */
  bool exact;  /* random-dp: there is no noise */
  /* Optimal; else 0 and NULL. */
  double epsilon; /* of the mechanism, for counts that differ by one */
  double risk;
  char *loss, *objective, *form, *hash;
  double *tails;
  size_t tail_count;
} sfmi_count_data;

#endif
