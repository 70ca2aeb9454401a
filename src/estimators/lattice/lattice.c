#include "lattice.h"

#include <assert.h>
#include <math.h>

void sfmi_lattice_set_axis(sfmi_lattice *lattice, size_t a, double lower, double upper,
                           size_t cells, sfm_boundary boundary) {
  assert(cells >= 1 && lower < upper);
  sfmi_lattice_axis *axis = &lattice->axis[a];
  axis->lower = lower;
  axis->upper = upper;
  axis->cells = cells;
  axis->spacing = (upper - lower) / (double)cells;
  axis->boundary = boundary;
  axis->points = boundary == SFM_BOUNDARY_OPEN ? cells + lattice->order - 1 : cells;
  axis->margin =
      axis->spacing * (boundary == SFM_BOUNDARY_REFLECT ? -0.5 : 0.5 * lattice->order - 1);
}

enum { BLOCK = SFMI_SPLINE_BLOCK };

/* Where rows fall along every axis: row i along axis a is at a * rows + i, which is below BLOCK. */
typedef struct placement {
  size_t rows;
  double t[BLOCK]; /* how far into its cell */
  int32_t cell[BLOCK];
  int32_t weights[SFMI_SPLINE_MAX][BLOCK];
} placement;
_Static_assert(SFM_MAX_DIMENSION <= BLOCK, "one row has a place for every axis");

/* Rows that are not kept may hold anything; they are placed at the lower bound and not added. */
static void place(const sfmi_lattice *lattice, size_t a, placement *out, const double *x,
                  const uint8_t *keep) {
  const sfmi_lattice_axis *axis = &lattice->axis[a];
  const double lower = axis->lower, spacing = axis->spacing, cells = (double)axis->cells;
  const bool periodic = axis->boundary == SFM_BOUNDARY_PERIODIC;
  /* A spline of even order on a reflecting axis has its places in the middles of cells. */
  const double shift = axis->boundary == SFM_BOUNDARY_REFLECT && lattice->order % 2 == 0 ? 0.5 : 0;
  const int32_t last = (int32_t)axis->cells - (shift > 0 ? 0 : 1);
  double *t = out->t + a * out->rows;
  int32_t *cells_of = out->cell + a * out->rows;
  for (size_t i = 0; i < out->rows; i++) {
    double u = ((keep[i] ? x[i] : lower) - lower) / spacing + shift;
    /* Never below 0: u / cells rounds up to a whole k only from k cells on, since a double just
     * below k cells (which is exact) is farther from it, relatively, than half a last place of k.
     */
    if (periodic) u -= floor(u / cells) * cells;
    int32_t cell = (int32_t)u;
    cell = cell > last ? last : cell;
    double rest = u - (double)cell;
    cells_of[i] = cell;
    t[i] = rest > 1 ? 1 : rest;
  }
}

static void add_line(const sfmi_lattice *lattice, sfmi_i128 *sums, const placement *p,
                     const uint8_t *keep) {
  const unsigned order = lattice->order;
  for (size_t i = 0; i < p->rows; i++) {
    if (!keep[i]) continue;
    sfmi_i128 *at = sums + p->cell[i];
    for (unsigned j = 0; j < order; j++) at[j] += p->weights[j][i];
  }
}

static void add_plane(const sfmi_lattice *lattice, sfmi_i128 *sums, const placement *p,
                      const uint8_t *keep) {
  const unsigned order = lattice->order;
  const size_t stride = lattice->axis[1].points, rows = p->rows;
  for (size_t i = 0; i < rows; i++) {
    if (!keep[i]) continue;
    sfmi_i128 *at = sums + (size_t)p->cell[i] * stride + (size_t)p->cell[rows + i];
    for (unsigned j = 0; j < order; j++, at += stride) {
      const int64_t mass = p->weights[j][i];
      for (unsigned k = 0; k < order; k++) at[k] += mass * p->weights[k][rows + i];
    }
  }
}

size_t sfmi_lattice_fold(const sfmi_lattice *lattice, size_t a, size_t raw) {
  const sfmi_lattice_axis *axis = &lattice->axis[a];
  const size_t cells = axis->cells;
  if (axis->boundary == SFM_BOUNDARY_OPEN) return raw;
  if (axis->boundary == SFM_BOUNDARY_PERIODIC) return raw % cells;
  /* Mirrored at both bounds: of period 2 cells.  raw - order/2 counts the middles. */
  const size_t at = (raw + 2 * cells * SFMI_SPLINE_MAX - lattice->order / 2) % (2 * cells);
  return at < cells ? at : 2 * cells - 1 - at;
}

/* As spread below, with folded axes. */
static void spread_folded(const sfmi_lattice *lattice, sfmi_i128 *at, size_t a, int64_t mass,
                          const placement *p, size_t i, const size_t *stride) {
  const size_t here = a * p->rows + i;
  for (unsigned j = 0; j < lattice->order; j++) {
    const int64_t part = mass * p->weights[j][here];
    sfmi_i128 *to = at + stride[a] * sfmi_lattice_fold(lattice, a, (size_t)p->cell[here] + j);
    if (a + 1 == lattice->dimension) {
      *to += part;
    } else {
      spread_folded(lattice, to, a + 1, part, p, i, stride);
    }
  }
}

static void fill_strides(size_t *stride, const sfmi_lattice *lattice) {
  const size_t d = lattice->dimension;
  stride[d - 1] = 1;
  for (size_t a = d - 1; a > 0; a--) stride[a - 1] = stride[a] * lattice->axis[a].points;
}

static void add_folded(const sfmi_lattice *lattice, sfmi_i128 *sums, const placement *p,
                       const uint8_t *keep, const uint32_t *group) {
  size_t stride[SFM_MAX_DIMENSION];
  fill_strides(stride, lattice);
  for (size_t i = 0; i < p->rows; i++)
    if (keep[i])
      spread_folded(lattice, sums + (group ? group[i] * lattice->length : 0), 0, 1, p, i, stride);
}

/* Adds mass times the product of row i's weights on the axes from a on. */
static void spread(const sfmi_lattice *lattice, sfmi_i128 *at, size_t a, int64_t mass,
                   const placement *p, size_t i, const size_t *stride) {
  const unsigned order = lattice->order;
  for (unsigned j = 0; j < order; j++) {
    int64_t part = mass * p->weights[j][a * p->rows + i];
    if (a + 1 == lattice->dimension) {
      at[j] += part;
    } else {
      spread(lattice, at + j * stride[a], a + 1, part, p, i, stride);
    }
  }
}

static void add_box(const sfmi_lattice *lattice, sfmi_i128 *sums, const placement *p,
                    const uint8_t *keep) {
  const size_t d = lattice->dimension;
  size_t stride[SFM_MAX_DIMENSION];
  fill_strides(stride, lattice);
  for (size_t i = 0; i < p->rows; i++) {
    if (!keep[i]) continue;
    size_t at = 0;
    for (size_t a = 0; a < d; a++) at += stride[a] * (size_t)p->cell[a * p->rows + i];
    spread(lattice, sums + at, 0, 1, p, i, stride);
  }
}

void sfmi_lattice_add(const sfmi_lattice *lattice, sfmi_i128 *sums, const sfmi_batch *batch,
                      const uint32_t *group) {
  const size_t d = lattice->dimension;
  bool plain = group == NULL;
  assert(batch->columns >= d && d * lattice->bits <= 62);
  for (size_t a = 0; a < d; a++) plain = plain && lattice->axis[a].boundary == SFM_BOUNDARY_OPEN;
  placement placed;
  const size_t most = BLOCK / d;
  for (size_t start = 0; start < batch->rows; start += most) {
    const uint8_t *keep = batch->keep + start;
    placed.rows = batch->rows - start < most ? batch->rows - start : most;
    for (size_t a = 0; a < d; a++)
      place(lattice, a, &placed, batch->values + a * SFMI_BATCH_ROWS + start, keep);
    sfmi_spline_weights(placed.weights, lattice->order, lattice->bits, placed.t, d * placed.rows);
    if (!plain) {
      add_folded(lattice, sums, &placed, keep, group ? group + start : NULL);
    } else if (d == 1) {
      add_line(lattice, sums, &placed, keep);
    } else if (d == 2) {
      add_plane(lattice, sums, &placed, keep);
    } else {
      add_box(lattice, sums, &placed, keep);
    }
  }
}
