/* town.h - simulated rows and questions of the same law, as sparse rows.
 *
 *   linear    10 coordinates, uniform in a ball of radius 1; the label is the sign of a linear
 *             function with noise
 *   gaussian  2 coordinates in [-1, 1]; the label is that of a chequered plane, with noise
 *   kinds     100,000 coordinates; every row is one of four kinds (18 coordinates that they share)
 *             and two coordinates of its own; most of a kind have its label */
#ifndef TOWN_H
#define TOWN_H

#include "../common/encore.h"

typedef enum town_kind { TOWN_LINEAR, TOWN_GAUSSIAN, TOWN_KINDS, TOWNS } town_kind;

typedef struct town {
  const char *name, *features;
  size_t dimension;
  sfm_train_settings settings; /* the machine, without schema, guarantee and method's noise */
} town;

town town_of(town_kind kind);
/* Row number `first` and on: always the same ones. */
encore_rows town_rows(town_kind kind, size_t count, uint64_t seed);

#endif
