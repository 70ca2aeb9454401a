/* ballot.h - what a choice was among.  The one coefficient of a choice is the place of the chosen
 * candidate; scale, sensitivity and range of its noise are in the unit of the scores, of which the
 * exponential mechanism took exp(score/scale). */
#ifndef SFMI_BALLOT_H
#define SFMI_BALLOT_H

#include "releases/special.h"

typedef struct sfmi_ballot {
  size_t count;
  char **candidates; /* each of them once */
  bool monotonic;
  double step; /* scores counted in multiples of it: a power of two */
} sfmi_ballot;

/* A copy of the names; NULL when memory is short. */
sfmi_ballot *sfmi_ballot_create(const char *const *candidates, size_t count);
void sfmi_ballot_destroy(sfmi_ballot *ballot);

/* The place of a name that stands there twice, or count. */
SFM_MUST_CHECK sfm_status sfmi_ballot_twice(size_t *place, const char *const *candidates,
                                            size_t count, sfm_error *error);

/* releases/special.h */
bool sfmi_ballot_set(json_t *object, const sfm_release *release);
sfm_status sfmi_ballot_read(const sfmi_place *at, sfm_release *release, const json_t *root);
sfm_status sfmi_ballot_check(const sfm_release *release, const char *name, sfm_error *error);
sfm_status sfmi_ballot_band(sfm_band *band, const sfm_release *release, double confidence,
                            sfm_error *error);

#endif
