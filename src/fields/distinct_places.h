/* distinct_places.h - which of a list of places are equal.
 *
 * A function has one value at a place, and so has a path.  Engines whose nugget belongs to a place
 * draw at the distinct places and copy.  Otherwise two values at one place would differ by the
 * nuggets alone, and averaging them would take that noise away. */
#ifndef SFMI_DISTINCT_PLACES_H
#define SFMI_DISTINCT_PLACES_H

#include "places.h"

typedef struct sfmi_distinct {
  size_t count;  /* of distinct places */
  size_t *first; /* the first place that is the k-th distinct one; NULL: each place is its own */
  size_t *of;    /* the distinct one that place i is; NULL likewise */
} sfmi_distinct;

/* Places are compared by value, so that 0 and -0 are one place.  The distinct places come in the
 * order in which they first appear. */
SFM_MUST_CHECK sfm_status sfmi_distinct_init(sfmi_distinct *distinct, const sfmi_places *places,
                                             sfm_error *error);
void sfmi_distinct_clear(sfmi_distinct *distinct);

/* The k-th distinct place. */
void sfmi_distinct_at(const sfmi_distinct *distinct, const sfmi_places *places, size_t k,
                      double *point);
/* path[i] for every place from the values at the distinct ones. */
void sfmi_distinct_spread(const sfmi_distinct *distinct, double *path, const double *values,
                          size_t count);

#endif
