/* answers.h - every answer a session has given, found by its point.
 *
 * In memory: points and values in the order they were given, and a table of their places by a hash
 * of the point's bits (open addressing, at most half full).  The two zeros are one point; whoever
 * adds or looks for points has made them so (sfmi_point_normal). */
#ifndef SFMI_ANSWERS_H
#define SFMI_ANSWERS_H

#include <stdbool.h>

#include "base/system/status.h"

#define SFMI_ANSWER_NONE SIZE_MAX

typedef struct sfmi_answers {
  size_t dimension, count, room;
  double *points, *values;
  size_t *slots; /* place + 1 of an answer, 0: none; a power of two of them */
  size_t slot_count;
} sfmi_answers;

void sfmi_answers_init(sfmi_answers *answers, size_t dimension);
void sfmi_answers_clear(sfmi_answers *answers);

/* -0 becomes 0. */
static inline double sfmi_point_normal(double x) {
  return x == 0 ? 0 : x;
}

/* The place of a point, or SFMI_ANSWER_NONE. */
size_t sfmi_answers_find(const sfmi_answers *answers, const double *point);

/* Adds one that is not there yet. */
SFM_MUST_CHECK sfm_status sfmi_answers_add(sfmi_answers *answers, const double *point, double value,
                                           sfm_error *error);

/* Forgets all but the first so many. */
void sfmi_answers_truncate(sfmi_answers *answers, size_t count);

#endif
