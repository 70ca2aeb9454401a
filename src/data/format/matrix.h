/* matrix.h - records of a matrix of numbers: an NPY file, or an array in memory.
 *
 * All elements are of one type.  Numbers become doubles (64-bit integers are rounded to the
 * nearest). */
#ifndef SFMI_MATRIX_H
#define SFMI_MATRIX_H

#include "byte_source.h"
#include "row_reader.h"

/* Columns an NPY file may have: they are named one by one. */
#define SFMI_MATRIX_COLUMNS_MAX 1000000

typedef struct sfmi_matrix_shape {
  uint64_t rows;
  size_t columns;
  char kind;            /* f, i, u */
  size_t size;          /* bytes of an element */
  bool swapped;         /* the bytes are in the other order */
  bool fortran;         /* column after column */
  uint64_t data_offset; /* where the elements start */
} sfmi_matrix_shape;

typedef struct sfmi_matrix sfmi_matrix;

/* The source is borrowed; block is about how many bytes are read at a time.  Column after column,
 * blocks are larger, and packed sources are held whole. */
SFM_MUST_CHECK sfm_status sfmi_matrix_open(sfmi_matrix **out, sfmi_source *source,
                                           const sfmi_matrix_shape *shape, size_t block,
                                           sfm_error *error);
/* Columns in memory (borrowed), so many bytes from row to row and from column to column. */
typedef struct sfmi_matrix_part {
  const unsigned char *first;
  ptrdiff_t row_step, column_step;
  size_t columns;
} sfmi_matrix_part;

/* The same over parts in memory, side by side, which together have the columns of the shape;
 * data_offset and fortran are not used.  The list of parts is copied. */
SFM_MUST_CHECK sfm_status sfmi_matrix_open_strided(sfmi_matrix **out, const sfmi_matrix_part *parts,
                                                   size_t count, const sfmi_matrix_shape *shape,
                                                   sfm_error *error);
/* A person's id is the bytes of the element. */
extern const sfmi_reader_ops sfmi_matrix_reader_ops;

#endif
