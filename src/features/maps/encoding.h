/* encoding.h - from the columns of a record to the coordinates u that a kernel machine sees.  All
 * of it is public: private rows and the points at which a machine is evaluated go the same way.
 *
 * An input is a numeric column, which becomes one coordinate, or a column of categories, which
 * becomes one coordinate per category: 1 at the record's own, 0 elsewhere.  Where there are no
 * inputs, the record is a sparse row of `dimension` coordinates by number (libsvm text).
 * - bounds: a number beyond its bounds is replaced by the bound (or, with `drop`, the record has
 *   no u).  A number without bounds stays as it is, and the norm must be clipped.
 * - scaling unit: a bounded number becomes (x - middle)/half width, in [-1, 1].  Scaling ball: the
 *   same, then everything is divided by the root of the number of inputs, so that |u| <= 1.
 *   Scaling none: as it is.  Sparse rows have scaling none.
 * - clip: a row that is longer is shortened to this length (sfmi_ball_project).
 *
 * A record with a number that is not finite, or with a category that is not declared, has no u.
 * Among private rows it contributes the zero vector. */
#ifndef SFMI_ENCODING_H
#define SFMI_ENCODING_H

#include <stdint.h>

#include "base/system/status.h"
#include "sfumato/machine.h"

/* Most coordinates. */
#define SFMI_ENCODING_MAX ((size_t)1 << 24)

typedef struct sfmi_input {
  char *name;
  char **categories; /* NULL: numeric */
  size_t category_count;
  bool bounded; /* numeric */
  double lower, upper;
  /* What follows. */
  size_t first; /* its first coordinate */
  double middle, half;
} sfmi_input;

typedef struct sfmi_encoding {
  /* Stated. */
  sfmi_input *inputs; /* NULL: sparse rows */
  size_t input_count;
  size_t dimension; /* stated for sparse rows, else it follows */
  bool bounded;     /* sparse rows: every coordinate within lower <= 0 <= upper */
  double lower, upper;
  sfm_scaling scaling;
  double clip; /* infinite: none */
  bool drop;   /* a record with a number outside its bounds has no u, instead of being clamped */
  /* What follows. */
  double factor; /* of scaling ball; 1 otherwise */
  double radius; /* no u is longer: the lesser of clip and the length of the box's farthest corner.
                    Never infinite. */
} sfmi_encoding;

/* Checks what is stated and completes it; the message names the column and says what to write.
 * Takes over everything stated; on failure it is cleared. */
SFM_MUST_CHECK sfm_status sfmi_encoding_complete(sfmi_encoding *encoding, sfm_error *error);
void sfmi_encoding_clear(sfmi_encoding *encoding);
/* A copy; false when memory is short (and nothing is owned). */
bool sfmi_encoding_copy(sfmi_encoding *out, const sfmi_encoding *encoding);

/* How many coordinates of a row can be nonzero: one per input, or all of a sparse row. */
size_t sfmi_encoding_width(const sfmi_encoding *encoding, size_t nonzeros);

/* The nonzero coordinates of a record, ascending.  cells has one number per input; for categories
 * it is the place among them (NaN: none of them).  Returns how many there are, or SFMI_NO_ROW when
 * the record has no u. */
#define SFMI_NO_ROW ((size_t)-1)
size_t sfmi_encoding_row(const sfmi_encoding *encoding, uint32_t *indices, double *u,
                         const double *cells);
/* The same for a sparse row, in place.  Indices (from 0) must ascend strictly and be below
 * dimension; else the row has no u. */
size_t sfmi_encoding_sparse(const sfmi_encoding *encoding, uint32_t *indices, double *u,
                            size_t nonzeros);
/* The least and the largest that coordinate i can be. */
void sfmi_encoding_range(const sfmi_encoding *encoding, double *lower, double *upper, size_t i);

#endif
