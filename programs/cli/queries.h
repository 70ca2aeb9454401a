/* queries.h - a matrix of linear queries from a file: a row a query, a column a cell. */
#ifndef CLI_QUERIES_H
#define CLI_QUERIES_H

#include <stddef.h>

#include "sfumato/status.h"

typedef struct queries {
  double *numbers; /* count x cells, row by row */
  size_t count, cells;
  char **names; /* of the queries; NULL: they have none */
} queries;

/* CSV or NPY ("-": standard input).  A CSV's first line is a header when its first cell is `query`
 * or none of its cells is a number; the first column then holds the queries' names if the header
 * calls it `query`, and the other cells of the header are not looked at.  Clear it also after a
 * failure. */
SFM_MUST_CHECK sfm_status queries_load(queries *q, const char *path, sfm_error *error);
void queries_clear(queries *q);

#endif
