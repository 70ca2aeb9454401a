/* cross_validation.h - which bandwidth suits the rows: cross-validation on a public lattice, in
 * integers.
 *
 * Rows fall into the cells of a lattice.  Each candidate h has a lattice of its own, with cells of
 * at most h/4 (h, if there would be too many), made of whole cells of the finest one.  With p_h(x,
 * y) the Gaussian kernel of bandwidth h between the middles of cells (wrapped or mirrored where an
 * axis is), in integers, and n rows, sums being over those that are kept,
 *
 *     R(h) = n^-2 sum_{i,j} p_{h sqrt 2}(x_i, x_j) - 2/(n (n - 1)) sum_{i != j} p_h(x_i, x_j)
 *
 * is, up to a constant of the rows' law, an unbiased estimate of the integrated squared error of
 * the density estimate.  The loss of candidate i is
 *
 *     L_i = max_j (R_i + E_i - R_j - E_j) / Delta_ij >= 0,
 *
 * E public (the error that privacy will add), Delta_ij a bound on how far one person moves R_i -
 * R_j.  So one person moves every L by at most 1, and the best candidate has L = 0
 * (docs/proofs/selection.md).  L is returned in units of 2^-SFMI_CROSS_VALIDATION_UNIT_BITS. */
#ifndef SFMI_CROSS_VALIDATION_H
#define SFMI_CROSS_VALIDATION_H

#include "base/system/status.h"
#include "data/batch/row_batch.h"
#include "sfumato/density.h"

/* Most candidates, columns, and cells of the finest lattice. */
#define SFMI_CROSS_VALIDATION_CANDIDATES 32
#define SFMI_CROSS_VALIDATION_DIMENSIONS 3
#define SFMI_CROSS_VALIDATION_CELLS ((size_t)1 << 18)

#define SFMI_CROSS_VALIDATION_UNIT_BITS 16
/* How far one person moves a loss, in those units: 1, and 2 units for rounding.  Where there are
 * only two candidates, it is also how far one person moves the difference of their losses. */
#define SFMI_CROSS_VALIDATION_SENSITIVITY ((1 << SFMI_CROSS_VALIDATION_UNIT_BITS) + 2)

typedef struct sfmi_cross_validation sfmi_cross_validation;

/* What is public. */
typedef struct sfmi_cross_validation_shape {
  size_t dimension, count;
  const double *lower, *upper;
  const sfm_boundary *boundary;
  const double *candidates; /* count x dimension bandwidths */
  uint64_t rows;            /* n < 2^36 */
  uint32_t contributions;
  const double *errors; /* E, one per candidate */
} sfmi_cross_validation_shape;

/* Whether the lattice would be too large (SFM_INVALID), from dimension, count, bounds and
 * candidates alone. */
SFM_MUST_CHECK sfm_status sfmi_cross_validation_check(const sfmi_cross_validation_shape *shape,
                                                      sfm_error *error);

/* Lattice, tables and sensitivities; borrows nothing.  SFM_INVALID when the lattice would be too
 * large. */
SFM_MUST_CHECK sfm_status sfmi_cross_validation_create(sfmi_cross_validation **out,
                                                       const sfmi_cross_validation_shape *shape,
                                                       sfm_error *error);
/* Wipes and frees it. */
void sfmi_cross_validation_destroy(sfmi_cross_validation *validation);

void sfmi_cross_validation_add(sfmi_cross_validation *validation, const sfmi_batch *batch);

/* All losses, once the rows are added.  PRIVATE. */
SFM_MUST_CHECK sfm_status sfmi_cross_validation_losses(const sfmi_cross_validation *validation,
                                                       sfmi_u128 *losses, sfm_error *error);

/* For tests: R of a candidate, the size of its cells, and Delta of a pair. */
SFM_MUST_CHECK sfm_status sfmi_cross_validation_score(const sfmi_cross_validation *validation,
                                                      long double *score, size_t i,
                                                      sfm_error *error);
double sfmi_cross_validation_spacing(const sfmi_cross_validation *validation, size_t i, size_t a);
double sfmi_cross_validation_sensitivity(const sfmi_cross_validation *validation, size_t i,
                                         size_t j);

#endif
