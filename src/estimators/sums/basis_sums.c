#include "basis_sums.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/elementary.h"

enum { REACH = 2, BLOCK = 64 };

/* Lattice points in a cycle of what varies fastest: at least CYCLE_MIN, and up to CYCLE where the
 * table stays within TABLE numbers. */
static const double CYCLE = 256, CYCLE_MIN = 64, TABLE = 0x1p22;
static const size_t CELLS_MIN = 64;
/* Most differences for a certificate, about two seconds: more than any number of functions below
 * needs. */
static const double WORK = 3e9;

typedef enum layout { CELLS, EVEN, WRAPPED, FOLDED, COSINES } layout;

struct sfmi_basis_sums {
  const sfmi_basis *basis;
  sfmi_basis *flat; /* the same on [0, 1] */
  double root;      /* b_j = flat b_j/root */
  layout places;
  size_t cells;
  sfmi_lattice lattice; /* of [0, cells]; not for CELLS */
  int shift;
  int32_t *table;  /* cells + 1 times basis->count */
  double *largest; /* |A| 2^-shift, basis->count of them */
};

size_t sfmi_basis_sums_most(sfmi_basis_family family) {
  switch (family) {
  case SFMI_FOURIER:
  case SFMI_COSINE:
    return 512;
  case SFMI_HAAR:
    return 1023;
  case SFMI_DB4:
    return 255;
  default:
    return 128;
  }
}

static layout layout_of(sfmi_basis_family family) {
  switch (family) {
  case SFMI_FOURIER:
    return WRAPPED;
  case SFMI_COSINE:
    return FOLDED;
  case SFMI_HAAR:
    return CELLS;
  case SFMI_DB4:
    return EVEN;
  default:
    return COSINES;
  }
}

/* The half cycles that a function of the basis makes over the lattice, at most. */
static double half_cycles(const sfmi_basis *basis) {
  const double count = (double)basis->count;
  if (basis->family == SFMI_EIGEN) return (double)basis->nodes;
  if (basis->family != SFMI_HERMITE) return count;
  /* psi_k is as fast as cos(sqrt(2k+1) y), y up to width/2 units.  Four times, since all that is
   * known of it is a derivative. */
  return 4 * fmax(sqrt(2 * count + 1) * (basis->upper[0] - basis->lower[0]) / (2 * basis->unit), 1);
}

static size_t cells_of(const sfmi_basis *basis) {
  if (basis->family == SFMI_HAAR) return basis->count + 1;
  if (basis->family == SFMI_DB4) return SFMI_DB4_CELLS;
  const double half = half_cycles(basis), count = (double)basis->count;
  size_t cells = CELLS_MIN;
  while (2 * (double)cells < CYCLE_MIN * half ||
         (2 * (double)cells < CYCLE * half && 2 * (double)cells * count <= TABLE))
    cells *= 2;
  return cells;
}

/* The basis on the unit interval, where lattice points are exact. */
static sfm_status flatten(sfmi_basis **out, const sfmi_basis *basis, sfm_error *error) {
  const double width = basis->upper[0] - basis->lower[0];
  sfmi_basis stated = *basis;
  stated.lower[0] = 0;
  stated.upper[0] = 1;
  stated.unit = basis->unit / width;
  stated.bandwidth[0] = basis->bandwidth[0] / width;
  if (basis->table) {
    const size_t numbers = basis->count * basis->nodes;
    stated.table = sfmi_alloc(numbers, sizeof *stated.table);
    if (!stated.table) return sfmi_fail_memory(error);
    memcpy(stated.table, basis->table, numbers * sizeof *stated.table);
  }
  return sfmi_basis_create(out, &stated, error);
}

/* Where lattice point k is on [0, 1]. */
static double place_of(const sfmi_basis_sums *m, size_t k) {
  const double part = (double)k / (double)m->cells;
  if (m->places == CELLS) return fmin(part + 0.5 / (double)m->cells, 1);
  if (m->places != COSINES) return part;
  const double s = sin(M_PI_2 * part);
  return s * s;
}

/* The lattice point k steps from the first one, after wrapping or folding. */
static size_t point_of(const sfmi_basis_sums *m, ptrdiff_t k) {
  const ptrdiff_t cells = (ptrdiff_t)m->cells;
  if (k >= 0 && k <= cells) return (size_t)k;
  if (m->places == WRAPPED) return (size_t)(k < 0 ? k + cells : k - cells);
  return (size_t)(k < 0 ? -k : 2 * cells - k);
}

static bool smooth(const sfmi_basis_sums *m) {
  return m->places >= WRAPPED;
}

/* out (points x count) = a_j(k) at the lattice points first, first + 1, ...; work has room for
 * points + 2 REACH. */
static void block_at(const sfmi_basis_sums *m, double *out, double *work, size_t first,
                     size_t points) {
  const size_t count = m->basis->count, reach = smooth(m) ? REACH : 0;
  double x[BLOCK + 2 * REACH] = {0};
  for (size_t i = 0; i < points + 2 * reach; i++)
    x[i] = place_of(m, point_of(m, (ptrdiff_t)(first + i) - (ptrdiff_t)reach));
  sfmi_basis_at(m->flat, work, x, points + 2 * reach);
  for (size_t i = 0; i < points * count; i++) {
    const double *b = work + reach * count + i;
    const double near = reach ? b[count] + *(b - count) : 0,
                 far = reach ? b[2 * count] + *(b - 2 * count) : 0;
    /* d2 = near - 2 b, d4 = far - 4 near + 6 b. */
    out[i] = (reach ? (362 * *b - 68 * near + 7 * far) / 240 : *b) / m->root;
  }
}

/* Calls each(...) with a_j(k) of some points after others, for all points. */
typedef void visitor(sfmi_basis_sums *m, const double *values, size_t first, size_t points);

static sfm_status visit(sfmi_basis_sums *m, visitor *each, sfm_error *error) {
  const size_t count = m->basis->count;
  double *work = sfmi_alloc((BLOCK + 2 * REACH) * count, sizeof *work),
         *values = sfmi_alloc(BLOCK * count, sizeof *values);
  for (size_t first = 0; work && values && first <= m->cells; first += BLOCK) {
    const size_t left = m->cells + 1 - first, points = left < BLOCK ? left : BLOCK;
    block_at(m, values, work, first, points);
    each(m, values, first, points);
  }
  const bool room = work && values;
  free(work);
  free(values);
  return room ? SFM_OK : sfmi_fail_memory(error);
}

static void measure(sfmi_basis_sums *m, const double *values, size_t first, size_t points) {
  (void)first;
  for (size_t i = 0; i < points; i++)
    for (size_t j = 0; j < m->basis->count; j++)
      m->largest[j] = fmax(m->largest[j], fabs(values[i * m->basis->count + j]));
}

static void quantise(sfmi_basis_sums *m, const double *values, size_t first, size_t points) {
  int32_t *to = m->table + first * m->basis->count;
  for (size_t i = 0; i < points * m->basis->count; i++)
    to[i] = (int32_t)lrint(ldexp(values[i], m->shift));
}

static sfm_status fill(sfmi_basis_sums *m, sfm_error *error) {
  const size_t count = m->basis->count;
  m->table = sfmi_alloc((m->cells + 1) * count, sizeof *m->table);
  m->largest = sfmi_alloc(count, sizeof *m->largest);
  if (!m->table || !m->largest) return sfmi_fail_memory(error);
  sfm_status status = visit(m, measure, error);
  double largest = 0;
  for (size_t j = 0; j < count; j++) largest = fmax(largest, m->largest[j]);
  m->shift = 28 - ilogb(largest); /* |A| <= 2^29 */
  return !status ? visit(m, quantise, error) : status;
}

sfm_status sfmi_basis_sums_create(sfmi_basis_sums **out, const sfmi_basis *basis,
                                  sfm_error *error) {
  assert(basis->family <= SFMI_EIGEN && basis->count <= sfmi_basis_sums_most(basis->family));
  *out = NULL;
  sfmi_basis_sums *m = sfmi_alloc(1, sizeof *m);
  if (!m) return sfmi_fail_memory(error);
  m->basis = basis;
  m->root = sqrt(basis->upper[0] - basis->lower[0]);
  m->places = layout_of(basis->family);
  m->cells = cells_of(basis);
  m->lattice =
      (sfmi_lattice){.dimension = 1, .order = smooth(m) ? 4 : 2, .bits = SFMI_BASIS_SUMS_BITS};
  sfmi_lattice_set_axis(&m->lattice, 0, 0, (double)m->cells, m->cells, SFM_BOUNDARY_OPEN);
  m->lattice.length = m->lattice.axis[0].points;
  sfm_status status = flatten(&m->flat, basis, error);
  if (!status) status = fill(m, error);
  if (!status)
    *out = m;
  else
    sfmi_basis_sums_destroy(m);
  return status;
}

void sfmi_basis_sums_destroy(sfmi_basis_sums *m) {
  if (!m) return;
  sfmi_basis_destroy(m->flat);
  free(m->table);
  free(m->largest);
  free(m);
}

size_t sfmi_basis_sums_points(const sfmi_basis_sums *m) {
  return m->cells + 1;
}

const int32_t *sfmi_basis_sums_table(const sfmi_basis_sums *m) {
  return m->table;
}

int sfmi_basis_sums_fraction_bits(const sfmi_basis_sums *m) {
  return m->shift + SFMI_BASIS_SUMS_BITS;
}

size_t sfmi_basis_sums_length(const sfmi_basis_sums *m) {
  return m->places == CELLS ? m->cells : m->lattice.length;
}

/* Where a row is on the lattice, in cells. */
static double row_place(const sfmi_basis_sums *m, double x) {
  const double lower = m->basis->lower[0], upper = m->basis->upper[0];
  const double part = m->places == COSINES ? atan2(sqrt(x - lower), sqrt(upper - x)) / M_PI_2
                                           : (x - lower) / (upper - lower);
  return part * (double)m->cells;
}

void sfmi_basis_sums_add(const sfmi_basis_sums *m, sfmi_i128 *masses, const sfmi_batch *batch) {
  enum { SOME = SFMI_SPLINE_BLOCK };
  double places[SOME];
  for (size_t start = 0; start < batch->rows; start += SOME) {
    const size_t rows = batch->rows - start < SOME ? batch->rows - start : SOME;
    uint8_t *keep = batch->keep + start;
    for (size_t i = 0; i < rows; i++)
      places[i] = keep[i] ? row_place(m, batch->values[start + i]) : 0;
    if (m->places != CELLS) {
      const sfmi_batch mapped = {.rows = rows, .columns = 1, .values = places, .keep = keep};
      sfmi_lattice_add(&m->lattice, masses, &mapped, NULL);
      continue;
    }
    for (size_t i = 0; i < rows; i++) {
      const size_t cell = (size_t)places[i], last = m->cells - 1;
      if (keep[i]) masses[cell < last ? cell : last] += (sfmi_i128)1 << SFMI_BASIS_SUMS_BITS;
    }
  }
}

void sfmi_basis_sums_sum(const sfmi_basis_sums *m, sfmi_i128 *sums, const sfmi_i128 *masses) {
  const size_t count = m->basis->count;
  const ptrdiff_t first = smooth(m) ? -1 : 0; /* the lattice point of the first mass */
  memset(sums, 0, count * sizeof *sums);
  for (size_t i = 0; i < sfmi_basis_sums_length(m); i++) {
    const int32_t *a = m->table + point_of(m, (ptrdiff_t)i + first) * count;
    const sfmi_i128 mass = masses[i];
    for (size_t j = 0; j < count; j++) sums[j] += mass * a[j];
  }
}

sfm_status sfmi_basis_sums_diameter(const sfmi_basis_sums *m, sfmi_diameter *out, bool l1,
                                    sfm_error *error) {
  sfm_status status =
      sfmi_diameter_find(out, m->table, m->cells + 1, m->basis->count, l1, WORK, error);
  out->lower = ldexp(out->lower, -m->shift);
  out->upper = ldexp(out->upper, -m->shift);
  return status;
}

/* How far the spline is at most from the exp(2 pi i u t) that it follows: its attenuation, and its
 * aliases. */
static double unfaithful(double u) {
  const double s = sin(M_PI * u), s2 = s * s, attenuated = sfmi_power(sfmi_sinc(u), 4);
  const double smoothed = attenuated * (1 + s2 * (2.0 / 3 + s2 * (7.0 / 15)));
  return fabs(smoothed - 1) + smoothed * sfmi_spline_alias(4, u, 1) + 1e-15;
}

/* The same for psi_k(R cos t) of Hermite: at most 0.2 h^4 times its fourth derivative.  A quartic
 * Taylor remainder M/24 |t|^4 becomes at most M h^4/24 max_t sum_i B(t - i) sum_l |a_l| |i + l -
 * t|^4, which is below 0.2 M h^4.  |psi| <= pi^-1/4 (Cramer), and a derivative of psi_k takes a
 * factor of at most sqrt(2 (k + n)), n its order. */
static double hermite_error(const sfmi_basis_sums *m, size_t k) {
  const sfmi_basis *flat = m->flat;
  const double h = M_PI / (double)m->cells, R = 0.5 / flat->unit;
  double d[5] = {0.7511255444649425 / sqrt(flat->unit)};
  for (int n = 1; n <= 4; n++) d[n] = d[n - 1] * R * sqrt(2 * ((double)k + n));
  /* Derivatives of R cos t are at most R each. */
  return 0.2 * sfmi_power(h, 4) * (d[4] + 6 * d[3] + 7 * d[2] + d[1]);
}

/* Legendre's polynomials are sums of cosines with coefficients >= 0, of sum 1. */
static double interpolation(const sfmi_basis_sums *m, size_t j) {
  const sfmi_basis *flat = m->flat;
  const double twice = 2 * (double)m->cells, k = (double)(j + 1);
  double sum = 0;
  switch (flat->family) {
  case SFMI_FOURIER:
    return M_SQRT2 * unfaithful(2 * floor((double)j / 2 + 1) / twice);
  case SFMI_COSINE:
    return M_SQRT2 * unfaithful(k / twice);
  case SFMI_LEGENDRE:
    return sqrt(2 * k + 1) * unfaithful(k / twice);
  case SFMI_HERMITE:
    return hermite_error(m, j);
  case SFMI_EIGEN:
    for (size_t i = 0; i < flat->nodes; i++)
      sum += fabs(flat->table[j * flat->nodes + i]) * sqrt(2 * (double)i + 1) *
             unfaithful((double)i / twice);
    return sum;
  default:
    return 0;
  }
}

double sfmi_basis_sums_error(const sfmi_basis_sums *m, size_t j) {
  /* Weights: three of four (one of two) are off by half a unit and a little, the last by their sum.
   * Places, in doubles, are right to cells 2^-50 cells, in each of which no b_j changes by more
   * than twice its largest value; and those values to 1e-12. */
  const double weights = ldexp(3.01, -SFMI_BASIS_SUMS_BITS), slip = ldexp((double)m->cells, -49);
  return interpolation(m, j) / m->root + ldexp(0.501, -m->shift) +
         m->largest[j] * (1e-12 + (m->places == CELLS ? 0 : weights + slip));
}

double sfmi_basis_sums_largest(const sfmi_basis_sums *m, size_t j) {
  return m->largest[j] * (1 + 1e-9) + sfmi_basis_sums_error(m, j);
}

/* Wavelets of one level that are not zero at a place, or within a rounding of it. */
static size_t at_once(const sfmi_basis_sums *m, size_t level) {
  if (m->places == CELLS) return 1;
  return level < 3 ? (size_t)1 << level : 8;
}

double sfmi_basis_sums_defect(const sfmi_basis_sums *m, double more) {
  const bool wavelets = m->places == CELLS || m->places == EVEN;
  double sum = 0, largest = 0;
  for (size_t j = 0, level = 0; j < m->basis->count; j++) {
    const double one = (sfmi_basis_sums_error(m, j) + more) * sfmi_basis_sums_largest(m, j);
    largest = fmax(largest, one);
    if (!wavelets) sum += one;
    if (!wavelets || j + 2 < (size_t)2 << level) continue;
    sum += (double)at_once(m, level++) * largest; /* the last of its level */
    largest = 0;
  }
  return sum;
}
