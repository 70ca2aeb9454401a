/* simulated_rows.h - simulated rows and questions of the same law, as sparse rows.
 *
 *   linear    10 coordinates, uniform in a ball of radius 1; the label is the sign of a linear
 *             function with noise
 *   gaussian  2 coordinates in [-1, 1]; the label is that of a chequered plane, with noise
 *   kinds     100,000 coordinates; every row is one of four kinds (18 coordinates that they share)
 *             and two coordinates of its own; most of a kind have its label */
#ifndef SIMULATED_ROWS_H
#define SIMULATED_ROWS_H

#include "common/repeated_release.h"

typedef enum simulated_rows_kind {
  SIMULATED_LINEAR,
  SIMULATED_GAUSSIAN,
  SIMULATED_KINDS,
  SIMULATED_COUNT
} simulated_rows_kind;

typedef struct simulated_problem {
  const char *name, *features;
  size_t dimension;
  sfm_train_settings settings; /* the machine, without schema, guarantee and method's noise */
} simulated_problem;

simulated_problem simulated_rows_problem(simulated_rows_kind kind);
/* Row number `first` and on: always the same ones. */
sparse_labelled_rows simulated_rows_draw(simulated_rows_kind kind, size_t count, uint64_t seed);

#endif
