/* matrix.h - records of a matrix of numbers: an NPY file, or an array in memory.
 *
 * Row by row, all elements of one type.  Numbers become doubles (64-bit integers are rounded to the
 * nearest). */
#ifndef SFMI_MATRIX_H
#define SFMI_MATRIX_H

#include "data/batch/row_batch.h"
#include "data/batch/persons.h"
#include "byte_source.h"
#include "data/batch/field_request.h"

/* Columns an NPY file may have: they are named one by one. */
#define SFMI_MATRIX_COLUMNS_MAX 1000000

typedef struct sfmi_matrix_shape {
  uint64_t rows;
  size_t columns;
  char kind;            /* f, i, u */
  size_t size;          /* bytes of an element */
  bool swapped;         /* the bytes are in the other order */
  uint64_t data_offset; /* where the elements start */
} sfmi_matrix_shape;

typedef struct sfmi_matrix sfmi_matrix;

/* The source is borrowed; block is about how many bytes are read at a time. */
SFM_MUST_CHECK sfm_status sfmi_matrix_open(sfmi_matrix **out, sfmi_source *source,
                                           const sfmi_matrix_shape *shape, size_t block,
                                           sfm_error *error);
void sfmi_matrix_close(sfmi_matrix *matrix);

/* Takes in what makes records of the bytes: how many elements a record has, and of which type. */
void sfmi_matrix_digest(const sfmi_matrix *matrix, sfmi_digest *digest);

/* Stands before the first record again. */
SFM_MUST_CHECK sfm_status sfmi_matrix_rewind(sfmi_matrix *matrix, sfm_error *error);

/* As sfmi_csv_fill; a person's id is the bytes of the element. */
SFM_MUST_CHECK sfm_status sfmi_matrix_fill(sfmi_matrix *matrix, sfmi_batch *batch,
                                           const sfmi_row_layout *layout, sfmi_persons *persons,
                                           sfm_error *error);

#endif
