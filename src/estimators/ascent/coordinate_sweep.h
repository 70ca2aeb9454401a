/* coordinate_sweep.h - one pass of dual coordinate ascent over some rows of the forms sparse and
 * monomials, in one thread. */
#ifndef SFMI_COORDINATE_SWEEP_H
#define SFMI_COORDINATE_SWEEP_H

#include "dual_cg.h"

/* PRIVATE. */
typedef struct sfmi_coordinate_sweep {
  const sfmi_examples *examples;
  const sfmi_loss *loss;
  double scale; /* 1/(lambda n) */
  sfmi_dual_row *lines;
  sfmi_row_product *product;
  double *w;           /* weights, moved by the sweep */
  const double *start; /* copied to w first; NULL: w holds them already */
  uint32_t *rows;      /* those that are shrunk go to the end */
  size_t count;
  /* Rows whose room (sfmi_loss_corner_room) is beyond these are shrunk.  After the pass: the limits
   * for the next one. */
  double upper, lower;
  double *before; /* where to keep the duals of rows that stay, or NULL */
  uint32_t *hot;  /* rows whose slack was above the limit */
  size_t hot_count;
  double hot_limit;
  double estimate, gain, work; /* sum of slacks met; gain of n D; nonzeros visited */
} sfmi_coordinate_sweep;

/* Visits every row once: moves duals and w. */
void sfmi_coordinate_sweep_run(sfmi_coordinate_sweep *sweep);

static inline void sfmi_exchange_rows(uint32_t *rows, size_t i, size_t k) {
  const uint32_t row = rows[i];
  rows[i] = rows[k];
  rows[k] = row;
}

#endif
