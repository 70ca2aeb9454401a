/* svmlight.h - records of libsvm/svmlight text, as a stream.
 *
 *   line   = [ label ] [ "qid:" digits ] { index ":" number } [ "#" anything ]
 *   label  = number;  index = digits, from 1, ascending, up to the public dimension
 * with blanks and tabs between them; numbers as in decimal.h, and finite.  Whatever else a line
 * holds makes it a record that contributes nothing.  There is no header; lines are those of
 * text_lines.h, and a blank line is a record without a label.
 *
 * What a record gives depends on its bytes and the dimension alone. */
#ifndef SFMI_SVMLIGHT_H
#define SFMI_SVMLIGHT_H

#include <locale.h>

#include "row_reader.h"
#include "text_lines.h"

#define SFMI_SVMLIGHT_LINE_MAX ((size_t)1 << 24)
#define SFMI_SVMLIGHT_DIMENSION_MAX ((size_t)1 << 24)
/* Nonzeros after which a batch of many is full. */
#define SFMI_SPARSE_NONZEROS ((size_t)1 << 19)

/* Records: row r has the coordinates starts[r] to starts[r + 1].  Where keep[r] is 0 it has none,
 * and no label; where it is 1 indices (from 0) are strictly ascending and below the dimension, and
 * values are finite. */
typedef struct sfmi_sparse_batch {
  size_t rows;
  uint8_t *keep;
  double *labels; /* NaN: none */
  size_t *starts;
  uint32_t *indices;
  double *values;
  size_t room;                   /* how many nonzeros there is room for */
  size_t most;                   /* nonzeros after which it is full, the last row aside */
  size_t beyond;                 /* rows that have none because of an index beyond the dimension */
  const sfmi_row_hasher *hasher; /* borrowed; or NULL */
  sfmi_row_sum sum;              /* of the fingerprints of its records, where there is a hasher */
} sfmi_sparse_batch;

typedef struct sfmi_svmlight {
  sfmi_lines lines; /* the records */
  size_t dimension;
  locale_t c;
} sfmi_svmlight;

/* The source is borrowed, and stands at its first byte.  block is how many bytes are read at a
 * time. */
SFM_MUST_CHECK sfm_status sfmi_svmlight_open(sfmi_svmlight **out, sfmi_source *source,
                                             size_t dimension, size_t block, sfm_error *error);
void sfmi_svmlight_close(sfmi_svmlight *text);

/* The next records, at most `rows` of them; the batch has room for so many (sfmi_sparse_init).
 * batch->rows is 0 after the last. */
SFM_MUST_CHECK sfm_status sfmi_svmlight_fill(sfmi_svmlight *text, sfmi_sparse_batch *batch,
                                             size_t rows, sfm_error *error);

/* Of PUBLIC text: refuses the first record of the batch that does not fit, by its line; so many
 * were before it. */
SFM_MUST_CHECK sfm_status sfmi_svmlight_check(const sfmi_svmlight *text,
                                              const sfmi_sparse_batch *batch, uint64_t before,
                                              const char *name, sfm_error *error);

/* Room for so many rows; most: nonzeros after which it is full. */
SFM_MUST_CHECK sfm_status sfmi_sparse_init(sfmi_sparse_batch *batch, size_t rows, size_t most,
                                           sfm_error *error);
void sfmi_sparse_clear(sfmi_sparse_batch *batch);

extern const sfmi_reader_ops sfmi_svmlight_reader_ops;

#endif
