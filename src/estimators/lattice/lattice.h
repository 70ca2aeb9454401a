/* lattice.h - rows spread over a regular lattice, in integers.
 *
 * Along each axis the domain is cut into `cells` intervals of length spacing.  A row in cell k at t
 * in [0,1] reaches the array positions k .. k+order-1; position i lies at lower - margin + i
 * spacing with margin = spacing (order/2 - 1).  There are points = cells + order - 1 positions: the
 * points of the domain and the spline's overhang, and nothing else.
 *
 * That is an open axis.  On a periodic axis positions are taken modulo cells, and values modulo the
 * period upper - lower.  On an axis that reflects, the positions lie in the middles of the cells, 0
 * at lower + spacing/2 (margin = -spacing/2), and what a spline puts beyond a bound is put where
 * the bound mirrors it.  Both have points = cells.
 *
 * Invariants:
 *  1. a kept row adds integers w >= 0 that sum to exactly 2^(dimension bits); a row not kept adds
 *     nothing.  So one row moves the sum by at most 2 2^(dimension bits) in l1 when replaced and by
 *     2^(dimension bits) when added or removed, whatever it holds.
 *  2. the integers of a row are a function of that row alone.
 *  3. sums are 128-bit: with fewer than 2^64 rows they cannot overflow (dimension bits <= 62). */
#ifndef SFMI_LATTICE_H
#define SFMI_LATTICE_H

#include "data/batch/row_batch.h"
#include "features/kernels/spline.h"
#include "sfumato/density.h"

/* Fewest bits per axis for which weights cannot be negative (docs/proofs/lattice.md), and most
 * dimensions: that many bits each are within the 50 that leave room for the noise. */
#define SFMI_LATTICE_BITS_MIN 4
#define SFMI_LATTICE_DIMENSIONS 12

typedef struct sfmi_lattice_axis {
  sfm_boundary boundary;
  double lower, upper;
  double spacing;
  double margin; /* from array position 0 to lower */
  size_t cells, points;
} sfmi_lattice_axis;

/* The public shape of a lattice. */
typedef struct sfmi_lattice {
  size_t dimension;
  unsigned order;
  unsigned bits; /* per axis */
  size_t length; /* product of points */
  sfmi_lattice_axis axis[SFM_MAX_DIMENSION];
} sfmi_lattice;

/* Fills in one axis of a lattice whose order is set, from its bounds, number of cells (>= 1) and
 * boundary. */
void sfmi_lattice_set_axis(sfmi_lattice *lattice, size_t a, double lower, double upper,
                           size_t cells, sfm_boundary boundary);

/* The array position of the neighbour that is `raw` positions after the first one of cell 0. */
size_t sfmi_lattice_fold(const sfmi_lattice *lattice, size_t a, size_t raw);

/* Adds the rows of a batch to sums (length numbers, last axis fastest).  group, if not NULL: the
 * group of each row of the batch; sums has a lattice for every group, one after the other. */
void sfmi_lattice_add(const sfmi_lattice *lattice, sfmi_i128 *sums, const sfmi_batch *batch,
                      const uint32_t *group);

#endif
