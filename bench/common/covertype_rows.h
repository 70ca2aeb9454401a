/* covertype_rows.h - CoverType (type 2 against the rest) as the benches read it: the ten numbers
 * mapped to [0, 1] by their ranges, indicators of wilderness and soil, everything divided by
 * sqrt(12), so that |x| <= 1; rows in a fixed random order. */
#ifndef COVERTYPE_ROWS_H
#define COVERTYPE_ROWS_H

#include "repeated_release.h"

enum {
  COVERTYPE_NUMBERS = 10,
  COVERTYPE_WILD = 4,
  COVERTYPE_SOILS = 40,
  COVERTYPE_DIMENSION = COVERTYPE_NUMBERS + COVERTYPE_WILD + COVERTYPE_SOILS,
  COVERTYPE_WIDTH = COVERTYPE_NUMBERS + 2, /* most coordinates of a row that are not zero */
};

typedef struct covertype_rows {
  size_t rows;
  double (*cells)[COVERTYPE_WIDTH]; /* ten numbers, wilderness, soil */
  double *labels;                   /* 1 or -1 */
} covertype_rows;

/* The folder that holds covtype/; false when it does not. */
bool covertype_rows_read(covertype_rows *f, const char *data);
void covertype_rows_clear(covertype_rows *f);

/* The coordinates of a row that are not zero, ascending; returns how many. */
size_t covertype_rows_at(const covertype_rows *f, size_t i, uint32_t *indices, double *x);
/* Some of the rows. */
sparse_labelled_rows covertype_rows_slice(const covertype_rows *f, size_t first, size_t count);

#endif
