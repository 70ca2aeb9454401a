/* forest.h - CoverType (type 2 against the rest) as the benches read it: the ten numbers mapped to
 * [0, 1] by their ranges, indicators of wilderness and soil, everything divided by sqrt(12), so
 * that |x| <= 1; rows in a fixed random order. */
#ifndef FOREST_H
#define FOREST_H

#include "encore.h"

enum {
  FOREST_NUMBERS = 10,
  FOREST_WILD = 4,
  FOREST_SOILS = 40,
  FOREST_DIMENSION = FOREST_NUMBERS + FOREST_WILD + FOREST_SOILS,
  FOREST_WIDTH = FOREST_NUMBERS + 2, /* most coordinates of a row that are not zero */
};

typedef struct forest {
  size_t rows;
  double (*cells)[FOREST_WIDTH]; /* ten numbers, wilderness, soil */
  double *labels;                /* 1 or -1 */
} forest;

/* The folder that holds covtype/; false when it does not. */
bool forest_read(forest *f, const char *data);
void forest_clear(forest *f);

/* The coordinates of a row that are not zero, ascending; returns how many. */
size_t forest_row(const forest *f, size_t i, uint32_t *indices, double *x);
/* Some of the rows. */
encore_rows forest_rows(const forest *f, size_t first, size_t count);

#endif
