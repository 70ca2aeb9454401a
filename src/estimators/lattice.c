#include "estimators/lattice.h"

#include <assert.h>
#include <math.h>

void sfmi_lattice_set_axis(sfmi_lattice *lattice, size_t a, double lower, double upper,
                           size_t cells) {
  assert(cells >= 1 && lower < upper);
  sfmi_lattice_axis *axis = &lattice->axis[a];
  axis->lower = lower;
  axis->upper = upper;
  axis->cells = cells;
  axis->spacing = (upper - lower) / (double)cells;
  axis->points = cells + lattice->order - 1;
  axis->origin = lower + axis->spacing * (1 - 0.5 * lattice->order);
}

/* The cell of x and its weights there.  x is finite and within the bounds. */
static size_t place(const sfmi_lattice *lattice, const sfmi_lattice_axis *axis, double x,
                    int64_t *weights) {
  double u = (x - axis->lower) / axis->spacing;
  size_t cell = (size_t)u;
  if (cell >= axis->cells) cell = axis->cells - 1;
  double t = u - (double)cell;
  sfmi_spline_weights(weights, lattice->order, lattice->bits, t < 1 ? t : 1);
  return cell;
}

static void add_one_axis(const sfmi_lattice *lattice, sfmi_i128 *sums, const sfmi_batch *batch) {
  const unsigned order = lattice->order;
  for (size_t r = 0; r < batch->rows; r++) {
    if (!batch->keep[r]) continue;
    int64_t weights[SFMI_SPLINE_MAX];
    sfmi_i128 *at = sums + place(lattice, &lattice->axis[0], batch->values[r], weights);
    for (unsigned j = 0; j < order; j++) at[j] += weights[j];
  }
}

/* Adds mass times the product of the weights of the axes from a on. */
static void spread(const sfmi_lattice *lattice, sfmi_i128 *at, size_t a, int64_t mass,
                   int64_t (*weights)[SFMI_SPLINE_MAX], const size_t *stride) {
  const unsigned order = lattice->order;
  if (a + 1 == lattice->dimension) {
    for (unsigned j = 0; j < order; j++) at[j] += mass * weights[a][j];
    return;
  }
  for (unsigned j = 0; j < order; j++)
    spread(lattice, at + j * stride[a], a + 1, mass * weights[a][j], weights, stride);
}

void sfmi_lattice_add(const sfmi_lattice *lattice, sfmi_i128 *sums, const sfmi_batch *batch) {
  const size_t d = lattice->dimension;
  assert(batch->columns == d && d * lattice->bits <= 62);
  if (d == 1) {
    add_one_axis(lattice, sums, batch);
    return;
  }
  size_t stride[SFM_MAX_DIMENSION];
  stride[d - 1] = 1;
  for (size_t a = d - 1; a > 0; a--) stride[a - 1] = stride[a] * lattice->axis[a].points;
  for (size_t r = 0; r < batch->rows; r++) {
    if (!batch->keep[r]) continue;
    int64_t weights[SFM_MAX_DIMENSION][SFMI_SPLINE_MAX];
    size_t at = 0;
    for (size_t a = 0; a < d; a++)
      at += stride[a] *
            place(lattice, &lattice->axis[a], batch->values[a * SFMI_BATCH_ROWS + r], weights[a]);
    spread(lattice, sums + at, 0, 1, weights, stride);
  }
}
