/* row_batch.h - batches of rows, as readers hand them to estimators: a few thousand rows at a time,
 * column by column, already inside their public domain.
 *
 * Invariants of a batch handed on by sfmi_rows_next:
 *  1. keep[r] is 0 or 1; a row with keep 0 contributes the zero vector.
 *  2. where keep[r] is 1, every value of row r is finite and within the bounds of its column; of
 *     curves (sfmi_rows_begin_curves) it is finite, or NaN where the curve has a hole.
 *  3. group[r], where there are groups, is below their number, and row r's cells alone decide it; a
 *     row that belongs to none has keep 0.
 *  4. of cells (sfmi_rows_begin_cells) values are as they stand in the cells, NaN where there is no
 *     number; a code is below the number of its column's categories or SFMI_NO_CATEGORY; a text has
 *     no blanks around it, and length 0 where there is none.
 *  5. the batch depends on nothing but the records in it; with a person column, what is kept and
 * how persons are numbered also depends on the other records of the same persons. */
#ifndef SFMI_ROW_BATCH_H
#define SFMI_ROW_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cell.h"

/* 96 bits of a keyed hash; zero where there is nothing. */
typedef struct sfmi_row_hash {
  uint32_t words[3];
} sfmi_row_hash;

/* A term of the fingerprint: 256 bits, the lowest word first. */
typedef struct sfmi_row_print {
  uint64_t words[4];
} sfmi_row_print;

#define SFMI_BATCH_ROWS 4096
#define SFMI_BATCH_COLUMNS 512

typedef struct sfmi_batch {
  size_t rows;
  size_t columns;
  size_t stride;  /* from a column to the next, and most rows: SFMI_BATCH_ROWS, but of cells of more
                   * than SFMI_BATCH_COLUMNS columns it is less */
  double *values; /* column c starts at values + c * stride */
  uint8_t *keep;
  uint32_t *group;  /* the group of each row, the last column of groups fastest; NULL: no groups */
  uint32_t *person; /* curves with a person column: whose, 0 for the first person met; else NULL */
  uint32_t *codes;  /* cells: categories, column k from codes + k * stride; else NULL */
  sfmi_text *texts; /* cells: texts, likewise; else NULL */
  char *printed;    /* where the texts of numbers stand, SFMI_DECIMAL_TEXT bytes each; else NULL */
  sfmi_row_hash *owner;   /* the person of each row, zero where it has none; NULL: no persons */
  sfmi_row_hash *order;   /* by which the records of a person are chosen; NULL: all are kept */
  sfmi_row_print *prints; /* PRIVATE; NULL: no fingerprint is asked for */
  bool failed;            /* memory was short for an id */
} sfmi_batch;

#endif
