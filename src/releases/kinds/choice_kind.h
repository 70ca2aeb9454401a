/* choice_kind.h - what a choice was among.  The one coefficient of a choice is the place of the
 * chosen candidate; scale, sensitivity and range of its noise are in the unit of the scores, of
 * which the exponential mechanism took exp(score/scale). */
#ifndef SFMI_CHOICE_KIND_H
#define SFMI_CHOICE_KIND_H

#include "releases/core/release_kind.h"

typedef struct sfmi_choice_data {
  size_t count;
  char **candidates; /* each of them once */
  bool monotonic;
  double step; /* scores counted in multiples of it: a power of two */
} sfmi_choice_data;

#endif
