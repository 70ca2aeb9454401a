/* lattice.h - rows spread over a regular lattice, in integers.
 *
 * Per axis the domain is cut into `cells` intervals of length spacing; a row in cell k at t in
 * [0,1] reaches the array positions k .. k+order-1; position i lies at lower - margin + i spacing
 * with margin = spacing (order/2 - 1).  There are points = cells + order - 1 of them: the points of
 * the domain and the spline's overhang, and nothing else.
 *
 * Invariants:
 *  1. a kept row adds integers w >= 0 that sum to exactly 2^(dimension bits); a row not kept adds
 *     nothing.  So one row moves the sum by at most 2 2^(dimension bits) in l1 when replaced and by
 *     2^(dimension bits) when added or removed, whatever it holds.
 *  2. the integers of a row are a function of that row alone.
 *  3. sums are 128-bit: with fewer than 2^64 rows they cannot overflow (dimension bits <= 62). */
#ifndef SFMI_LATTICE_H
#define SFMI_LATTICE_H

#include "data/batch.h"
#include "features/spline.h"
#include "sfumato/density.h"

/* Most dimensions: a row reaches order^dimension points. */
#define SFMI_LATTICE_DIMENSIONS 8

typedef struct sfmi_lattice_axis {
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

/* Fills in one axis from its bounds and number of cells (>= 1), for a lattice whose order is set.
 */
void sfmi_lattice_set_axis(sfmi_lattice *lattice, size_t a, double lower, double upper,
                           size_t cells);

/* Adds the rows of a batch to sums (length numbers, last axis fastest). */
void sfmi_lattice_add(const sfmi_lattice *lattice, sfmi_i128 *sums, const sfmi_batch *batch);

#endif
