/* batch.h - how rows travel from a reader to an estimator: a few thousand at a time, column by
 * column, already inside their public domain.
 *
 * Invariants of a batch handed on by sfmi_rows_next:
 *  1. keep[r] is 0 or 1; a row with keep 0 contributes the zero vector.
 *  2. where keep[r] is 1, every value of row r is finite and within the bounds of its column; of
 *     curves (sfmi_rows_begin_curves) it is finite, or NaN where the curve has a hole.
 *  3. group[r], where there are groups, is below their number, and row r's cells alone decide it; a
 *     row that belongs to none has keep 0.
 *  4. the batch depends on nothing but the records in it (and, with a person column, on the ids of
 *     the records before it). */
#ifndef SFMI_BATCH_H
#define SFMI_BATCH_H

#include <stddef.h>
#include <stdint.h>

#define SFMI_BATCH_ROWS 4096

typedef struct sfmi_batch {
  size_t rows;
  size_t columns;
  double *values; /* column c starts at values + c * SFMI_BATCH_ROWS */
  uint8_t *keep;
  uint32_t *group;  /* the group of each row, the last column of groups fastest; NULL: no groups */
  uint32_t *person; /* curves with a person column: whose, 0 for the first person met; else NULL */
} sfmi_batch;

#endif
