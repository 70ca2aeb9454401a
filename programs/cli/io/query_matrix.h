/* query_matrix.h - a matrix of linear queries from a file: one row per query, one column per
 * cell. */
#ifndef CLI_QUERY_MATRIX_H
#define CLI_QUERY_MATRIX_H

#include <stddef.h>

#include "sfumato/status.h"

typedef struct query_matrix {
  double *numbers; /* count x cells, row by row */
  size_t count, cells;
  char **names; /* of the queries; NULL: they have none */
} query_matrix;

/* CSV or NPY ("-": standard input).  A CSV's first line is a header when its first cell is `query`
 * or none of its cells is a number; the first column then holds the names of the queries if the
 * header calls it `query`, and the other cells of the header are not looked at.  Clear it also
 * after a failure. */
SFM_MUST_CHECK sfm_status query_matrix_load(query_matrix *q, const char *path, sfm_error *error);
void query_matrix_clear(query_matrix *q);

#endif
