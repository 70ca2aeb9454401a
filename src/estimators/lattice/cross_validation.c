#include "cross_validation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"

/* Size of cells, in bandwidths: the finest, and the coarsest where that would be too many. */
static const double SPACING_FINE = 0.25, SPACING_COARSE = 1;
/* A candidate's lattice keeps at least so many cells per axis. */
static const double CELLS_LEAST = 16;
/* Bits of a sum over pairs, of what images add to a kernel, and of a table. */
enum { SUM_BITS = 124, IMAGE_BITS = 6, AXIS_BITS_MAX = 30 };
/* Larger losses are replaced by this: rounding stays below a unit, and such a candidate is never
 * chosen. */
static const long double LOSS_MOST = 0x1p40L;

/* An axis of the finest lattice.  Each cell of a candidate's lattice is 2^shift of its cells. */
typedef struct axis {
  double lower, spacing;
  size_t cells;
  sfm_boundary boundary;
} axis;

/* One kernel along one axis of its candidate's lattice.  values[u], u <= reach: between cells u
 * apart, as a whole number; summed[u], u < sums: with all images, where an axis wraps or mirrors.
 */
typedef struct table {
  size_t reach, sums;
  int64_t *values;
  double *summed; /* over 2^bits */
} table;

typedef struct candidate {
  axis axes[SFMI_CROSS_VALIDATION_DIMENSIONS];
  unsigned shift[SFMI_CROSS_VALIDATION_DIMENSIONS];
  size_t cells;
  table tables[2][SFMI_CROSS_VALIDATION_DIMENSIONS]; /* 0: of bandwidth h, 1: h sqrt 2 */
  double error;
  /* R = square sum of p_1 - cross sum over i != j of p_0. */
  double square, cross;
} candidate;

struct sfmi_cross_validation {
  sfmi_arena memory;
  size_t dimension, count, cells;
  unsigned bits;
  double rows;
  axis axes[SFMI_CROSS_VALIDATION_DIMENSIONS];
  candidate candidates[SFMI_CROSS_VALIDATION_CANDIDATES];
  double moves[SFMI_CROSS_VALIDATION_CANDIDATES][SFMI_CROSS_VALIDATION_CANDIDATES];
  int64_t *masses; /* rows in each cell of the finest lattice, the last axis fastest */
};

/* ---- public: lattices and tables ---- */

static double bandwidth(const sfmi_cross_validation_shape *shape, size_t i, size_t a) {
  return shape->candidates[i * shape->dimension + a];
}

/* How often the cells of an axis can be put together in pairs for a bandwidth. */
static unsigned shift_for(double spacing, double cells, double h) {
  unsigned shift = 0;
  while (ldexp(spacing, (int)shift + 1) <= SPACING_FINE * h * (1 + 1e-9) &&
         ldexp(cells, -(int)shift - 1) >= CELLS_LEAST)
    shift++;
  return shift;
}

/* Cells of all axes where the smallest bandwidth has 1/rho of them: as many as can be put together
 * for the largest. */
static double size_at(const sfmi_cross_validation_shape *shape, double rho, double *cells) {
  double all = 1;
  for (size_t a = 0; a < shape->dimension; a++) {
    const double width = shape->upper[a] - shape->lower[a];
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < shape->count; i++) {
      least = fmin(least, bandwidth(shape, i, a));
      most = fmax(most, bandwidth(shape, i, a));
    }
    cells[a] = fmax(ceil(width / (rho * least)), 1);
    const double together = ldexp(1, (int)shift_for(width / cells[a], cells[a], most));
    cells[a] = ceil(cells[a] / together) * together;
    all *= cells[a];
  }
  return all;
}

/* The same at the finest spacing of which there are not too many. */
static sfm_status size_lattice(double *cells, const sfmi_cross_validation_shape *shape,
                               sfm_error *error) {
  double all = INFINITY;
  for (double rho = SPACING_FINE;
       rho <= SPACING_COARSE && !(all <= (double)SFMI_CROSS_VALIDATION_CELLS); rho *= M_SQRT2)
    all = size_at(shape, rho, cells);
  if (!(all <= (double)SFMI_CROSS_VALIDATION_CELLS))
    return sfmi_fail(error, SFM_INVALID,
                     "choosing a bandwidth compares rows on a lattice as fine as the smallest of "
                     "them, which would have %.3g cells here; at most %zu are possible: leave out "
                     "the smallest candidates",
                     all, SFMI_CROSS_VALIDATION_CELLS);
  return SFM_OK;
}

sfm_status sfmi_cross_validation_check(const sfmi_cross_validation_shape *shape, sfm_error *error) {
  double cells[SFMI_CROSS_VALIDATION_DIMENSIONS];
  return size_lattice(cells, shape, error);
}

static sfm_status set_axes(sfmi_cross_validation *validation,
                           const sfmi_cross_validation_shape *shape, sfm_error *error) {
  double cells[SFMI_CROSS_VALIDATION_DIMENSIONS];
  sfm_status status = size_lattice(cells, shape, error);
  if (status) return status;
  validation->cells = 1;
  for (size_t a = 0; a < shape->dimension; a++) {
    validation->axes[a] = (axis){.lower = shape->lower[a],
                                 .spacing = (shape->upper[a] - shape->lower[a]) / cells[a],
                                 .cells = (size_t)cells[a],
                                 .boundary = shape->boundary[a]};
    validation->cells *= (size_t)cells[a];
  }
  return SFM_OK;
}

/* The candidate's own lattice; its cells are whole, since the largest shift divides them. */
static void set_lattice(candidate *c, const sfmi_cross_validation *validation,
                        const sfmi_cross_validation_shape *shape, size_t i) {
  c->cells = 1;
  for (size_t a = 0; a < validation->dimension; a++) {
    const axis *fine = &validation->axes[a];
    unsigned shift = shift_for(fine->spacing, (double)fine->cells, bandwidth(shape, i, a));
    while (fine->cells % ((size_t)1 << shift)) shift--;
    c->shift[a] = shift;
    c->axes[a] = *fine;
    c->axes[a].spacing = ldexp(fine->spacing, (int)shift);
    c->axes[a].cells = fine->cells >> shift;
    c->cells *= c->axes[a].cells;
  }
}

/* After how many cells an axis repeats itself; 0: never. */
static size_t period_of(const axis *x) {
  return x->boundary == SFM_BOUNDARY_PERIODIC  ? x->cells
         : x->boundary == SFM_BOUNDARY_REFLECT ? 2 * x->cells
                                               : 0;
}

/* The kernel between cells u apart, with all images. */
static double sum_images(const table *t, size_t period, size_t u, double one) {
  double sum = u <= t->reach ? (double)t->values[u] : 0;
  for (size_t k = 1; period && k * period <= t->reach + u; k++) {
    if (k * period + u <= t->reach) sum += (double)t->values[k * period + u];
    sum += (double)t->values[k * period - u];
  }
  return sum / one;
}

static sfm_status make_table(table *t, sfmi_arena *memory, const axis *x, double h, unsigned bits,
                             sfm_error *error) {
  const double one = ldexp(1, (int)bits), ratio = x->spacing / h;
  const size_t period = period_of(x);
  /* exp(-u^2/2) 2^bits < 1/2 from here on. */
  const double far = ceil(sqrt(2 * log(2) * (bits + 1.0)) / ratio);
  t->reach = period || far < (double)(x->cells - 1) ? (size_t)far : x->cells - 1;
  t->sums = period ? period / 2 + 1 : t->reach + 1;
  t->values = sfmi_arena_get(memory, t->reach + 1, sizeof *t->values);
  t->summed = sfmi_arena_doubles(memory, t->sums);
  if (!t->values || !t->summed) return sfmi_fail_memory(error);
  for (size_t u = 0; u <= t->reach; u++)
    t->values[u] = llround(one * exp(-0.5 * pow((double)u * ratio, 2)));
  for (size_t u = 0; u < t->sums; u++) t->summed[u] = sum_images(t, period, u, one);
  return SFM_OK;
}

static sfm_status set_candidates(sfmi_cross_validation *validation,
                                 const sfmi_cross_validation_shape *shape, sfm_error *error) {
  const double n = validation->rows, others = fmax(n - 1, 1);
  const double from_rows = SUM_BITS - 2 * ceil(log2(fmax(n, 2)));
  const double bits = floor(from_rows / (double)validation->dimension) - IMAGE_BITS;
  validation->bits = (unsigned)fmin(bits, AXIS_BITS_MAX);
  for (size_t i = 0; i < validation->count; i++) {
    candidate *c = &validation->candidates[i];
    double peak = 1;
    set_lattice(c, validation, shape, i);
    for (size_t a = 0; a < validation->dimension; a++) {
      const double h = bandwidth(shape, i, a);
      peak /= sqrt(2 * M_PI) * h;
      for (int k = 0; k < 2; k++) {
        const sfm_status status = make_table(&c->tables[k][a], &validation->memory, &c->axes[a],
                                             k ? M_SQRT2 * h : h, validation->bits, error);
        if (status) return status;
      }
    }
    c->square = peak * pow(2, -0.5 * (double)validation->dimension) / (n * n);
    c->cross = 2 * peak / (n * others);
    c->error = shape->errors[i];
  }
  return SFM_OK;
}

/* ---- public: sensitivities ---- */

/* How far apart along an axis two cells of a candidate can be and still matter to each other. */
static size_t offsets(const candidate *c, size_t a) {
  return c->tables[1][a].sums; /* the wider kernel's */
}

/* Visits the offsets of a box, the last axis fastest; false after the last. */
static bool next_offset(size_t *u, const size_t *sizes, size_t dimension) {
  for (size_t a = dimension; a-- > 0;) {
    if (++u[a] < sizes[a]) return true;
    u[a] = 0;
  }
  return false;
}

/* What a pair of rows at that offset adds to R, apart from the order of the two. */
static double influence(const candidate *c, size_t dimension, const size_t *u) {
  double p[2] = {1, 1};
  for (int k = 0; k < 2; k++)
    for (size_t a = 0; a < dimension; a++) {
      const table *t = &c->tables[k][a];
      p[k] *= u[a] < t->sums ? t->summed[u[a]] : 0;
    }
  return c->square * p[1] - c->cross * p[0];
}

/* The least and the largest influence of a pair of rows on R_i - R_j; 0 is included, for a row that
 * is not kept. */
typedef struct extent {
  double low, high;
} extent;

static void include(extent *e, double value) {
  e->low = fmin(e->low, value);
  e->high = fmax(e->high, value);
}

/* Cells u apart along an axis of i's lattice are floor or ceil of u/m apart on that of j, which has
 * m of those cells in one. */
static size_t together(const candidate *i, const candidate *j, size_t a) {
  return (size_t)1 << (j->shift[a] - i->shift[a]);
}

/* The offsets on j's lattice that go with u: the ways-th of them, or false when it is another's. */
static bool carry(size_t *v, const size_t *u, unsigned ways, const candidate *i, const candidate *j,
                  size_t dimension) {
  for (size_t a = 0; a < dimension; a++) {
    const size_t m = together(i, j, a), up = ways >> a & 1;
    if (up && u[a] % m == 0) return false;
    v[a] = u[a] / m + up;
  }
  return true;
}

/* All pairs of rows whose offset matters to i, which along every axis has the finer lattice or the
 * same. */
static void extend_near(extent *e, const candidate *i, const candidate *j, size_t dimension) {
  size_t u[SFMI_CROSS_VALIDATION_DIMENSIONS] = {0}, sizes[SFMI_CROSS_VALIDATION_DIMENSIONS];
  for (size_t a = 0; a < dimension; a++) sizes[a] = offsets(i, a);
  do {
    const double g = influence(i, dimension, u);
    for (unsigned ways = 0; ways < 1u << dimension; ways++) {
      size_t v[SFMI_CROSS_VALIDATION_DIMENSIONS];
      if (carry(v, u, ways, i, j, dimension)) include(e, g - influence(j, dimension, v));
    }
  } while (next_offset(u, sizes, dimension));
}

/* All others: they matter to j alone, and are far apart along some axis. */
static void extend_far(extent *e, const candidate *i, const candidate *j, size_t dimension) {
  size_t v[SFMI_CROSS_VALIDATION_DIMENSIONS] = {0}, sizes[SFMI_CROSS_VALIDATION_DIMENSIONS];
  for (size_t a = 0; a < dimension; a++) sizes[a] = offsets(j, a);
  do {
    bool far = false;
    for (size_t a = 0; a < dimension; a++) far = far || v[a] >= offsets(i, a) / together(i, j, a);
    if (far) include(e, -influence(j, dimension, v));
  } while (next_offset(v, sizes, dimension));
}

/* Without regard to which offsets belong together. */
static void extend_apart(extent *e, const candidate *c, size_t dimension, double sign) {
  extent own = {0};
  size_t u[SFMI_CROSS_VALIDATION_DIMENSIONS] = {0}, sizes[SFMI_CROSS_VALIDATION_DIMENSIONS];
  for (size_t a = 0; a < dimension; a++) sizes[a] = offsets(c, a);
  do include(&own, sign * influence(c, dimension, u));
  while (next_offset(u, sizes, dimension));
  e->low += own.low;
  e->high += own.high;
}

static bool finer(const candidate *i, const candidate *j, size_t dimension) {
  for (size_t a = 0; a < dimension; a++)
    if (i->shift[a] > j->shift[a]) return false;
  return true;
}

static extent extent_of(const candidate *i, const candidate *j, size_t dimension) {
  extent e = {0};
  if (finer(i, j, dimension)) {
    extend_near(&e, i, j, dimension);
    extend_far(&e, i, j, dimension);
  } else if (finer(j, i, dimension)) {
    extend_near(&e, j, i, dimension);
    extend_far(&e, j, i, dimension);
  } else { /* one is finer here, the other there */
    extend_apart(&e, i, dimension, 1);
    extend_apart(&e, j, dimension, -1);
  }
  return e;
}

/* 1 at offset zero, and what images add. */
static double at_zero(const candidate *c, size_t dimension, int k) {
  double p = 1;
  for (size_t a = 0; a < dimension; a++) p *= c->tables[k][a].summed[0];
  return p;
}

/* Rows on a mirrored axis meet their neighbours and the mirrored ones. */
static double mirrors(const sfmi_cross_validation *validation) {
  double factor = 1;
  for (size_t a = 0; a < validation->dimension; a++)
    if (validation->axes[a].boundary == SFM_BOUNDARY_REFLECT) factor *= 2;
  return factor;
}

/* Delta_ij. */
static double move_of(const sfmi_cross_validation *validation, const candidate *i,
                      const candidate *j, uint32_t contributions) {
  const size_t d = validation->dimension;
  const double n = validation->rows, F = mirrors(validation);
  const extent e = extent_of(i, j, d);
  const double own = i->square * at_zero(i, d, 1) + j->square * at_zero(j, d, 1);
  const double pairwise = own + i->cross * at_zero(i, d, 0) + j->cross * at_zero(j, d, 0);
  const double one = F * (2 * (n - 1) * (e.high - e.low) + own) * (1 + 0x1p-40);
  /* Rounding: of the extent, of both scores (twice), of the errors. */
  const double slack =
      F * pairwise * (n * 0x1p-44 + n * n * 0x1p-54) + 0x1p-56 * (fabs(i->error) + fabs(j->error));
  return contributions * one + slack;
}

static void set_moves(sfmi_cross_validation *validation, uint32_t contributions) {
  for (size_t i = 0; i < validation->count; i++)
    for (size_t j = 0; j < i; j++)
      validation->moves[i][j] = validation->moves[j][i] = move_of(
          validation, &validation->candidates[i], &validation->candidates[j], contributions);
}

sfm_status sfmi_cross_validation_create(sfmi_cross_validation **out,
                                        const sfmi_cross_validation_shape *shape,
                                        sfm_error *error) {
  *out = NULL;
  assert(shape->count >= 2 && shape->count <= SFMI_CROSS_VALIDATION_CANDIDATES);
  assert(shape->dimension >= 1 && shape->dimension <= SFMI_CROSS_VALIDATION_DIMENSIONS);
  sfmi_cross_validation *validation = sfmi_alloc(1, sizeof *validation);
  if (!validation) return sfmi_fail_memory(error);
  validation->dimension = shape->dimension;
  validation->count = shape->count;
  validation->rows = (double)shape->rows;
  sfm_status status = set_axes(validation, shape, error);
  if (!status) status = set_candidates(validation, shape, error);
  if (!status) {
    set_moves(validation, shape->contributions);
    validation->masses =
        sfmi_arena_get(&validation->memory, validation->cells, sizeof *validation->masses);
    if (!validation->masses) status = sfmi_fail_memory(error);
  }
  if (!status)
    *out = validation;
  else
    sfmi_cross_validation_destroy(validation);
  return status;
}

void sfmi_cross_validation_destroy(sfmi_cross_validation *validation) {
  if (!validation) return;
  sfmi_arena_wipe(&validation->memory);
  free(validation);
}

double sfmi_cross_validation_spacing(const sfmi_cross_validation *validation, size_t i, size_t a) {
  return validation->candidates[i].axes[a].spacing;
}

double sfmi_cross_validation_sensitivity(const sfmi_cross_validation *validation, size_t i,
                                         size_t j) {
  return validation->moves[i][j];
}

/* ---- private: rows and sums ---- */

static size_t cell_of(const axis *x, double value) {
  const double cells = (double)x->cells;
  double u = (value - x->lower) / x->spacing;
  if (x->boundary == SFM_BOUNDARY_PERIODIC) u -= floor(u / cells) * cells;
  return (size_t)fmin(fmax(floor(u), 0), cells - 1);
}

void sfmi_cross_validation_add(sfmi_cross_validation *validation, const sfmi_batch *batch) {
  for (size_t r = 0; r < batch->rows; r++) {
    if (!batch->keep[r]) continue;
    size_t at = 0;
    for (size_t a = 0; a < validation->dimension; a++)
      at = at * validation->axes[a].cells +
           cell_of(&validation->axes[a], batch->values[a * SFMI_BATCH_ROWS + r]);
    validation->masses[at]++;
  }
}

/* The cell that lies k - reach cells after the first one; -1 where there is none. */
static ptrdiff_t fold(const axis *x, size_t k, size_t reach) {
  const ptrdiff_t cells = (ptrdiff_t)x->cells, period = (ptrdiff_t)period_of(x);
  ptrdiff_t at = (ptrdiff_t)k - (ptrdiff_t)reach;
  if (!period) return at >= 0 && at < cells ? at : -1;
  at = (at % period + period) % period;
  return at < cells ? at : period - 1 - at;
}

/* Rows in the cells of a candidate's lattice. */
static void gather(sfmi_i128 *sums, const sfmi_cross_validation *validation, const candidate *c) {
  for (size_t cell = 0; cell < validation->cells; cell++) {
    size_t rest = cell, at = 0, stride = 1;
    for (size_t a = validation->dimension; a-- > 0;) {
      at += (rest % validation->axes[a].cells >> c->shift[a]) * stride;
      stride *= c->axes[a].cells;
      rest /= validation->axes[a].cells;
    }
    sums[at] += validation->masses[cell];
  }
}

/* Convolves the lines of one axis with its table, in place. */
static void smooth_axis(sfmi_i128 *sums, sfmi_i128 *line, const candidate *c, size_t dimension,
                        size_t a, const table *t) {
  const axis *x = &c->axes[a];
  size_t stride = 1;
  for (size_t b = a + 1; b < dimension; b++) stride *= c->axes[b].cells;
  for (size_t start = 0; start < c->cells; start++) {
    if (start / stride % x->cells) continue;
    for (size_t k = 0; k < x->cells + 2 * t->reach; k++) {
      const ptrdiff_t from = fold(x, k, t->reach);
      line[k] = from < 0 ? 0 : sums[start + (size_t)from * stride];
    }
    for (size_t i = 0; i < x->cells; i++) {
      const sfmi_i128 *middle = line + i + t->reach;
      sfmi_i128 sum = middle[0] * t->values[0];
      for (size_t u = 1; u <= t->reach; u++) sum += (middle[u] + *(middle - u)) * t->values[u];
      sums[start + i * stride] = sum;
    }
  }
}

/* The kernel between a cell and itself, images included. */
static sfmi_i128 own_weight(const candidate *c, size_t dimension, const table *tables,
                            size_t cell) {
  sfmi_i128 weight = 1;
  for (size_t a = dimension; a-- > 0;) {
    const axis *x = &c->axes[a];
    const table *t = &tables[a];
    const size_t at = cell % x->cells;
    sfmi_i128 one = 0;
    cell /= x->cells;
    for (size_t k = 0; k < 2 * t->reach + 1; k++)
      if (fold(x, at + k, t->reach) == (ptrdiff_t)at)
        one += t->values[k > t->reach ? k - t->reach : t->reach - k];
    weight *= one;
  }
  return weight;
}

/* Room for the sums over pairs of one candidate. */
typedef struct sums {
  sfmi_arena memory;
  sfmi_i128 *masses, *smooth, *line;
  size_t cells;
} sums;

static sfm_status sums_init(sums *s, const sfmi_cross_validation *validation, const candidate *c,
                            sfm_error *error) {
  size_t longest = 0;
  *s = (sums){.cells = c->cells};
  for (size_t a = 0; a < validation->dimension; a++) {
    const size_t length = c->axes[a].cells + 2 * c->tables[1][a].reach;
    if (length > longest) longest = length;
  }
  s->masses = sfmi_arena_get(&s->memory, s->cells, sizeof *s->masses);
  s->smooth = sfmi_arena_get(&s->memory, s->cells, sizeof *s->smooth);
  s->line = sfmi_arena_get(&s->memory, longest, sizeof *s->line);
  if (s->memory.failed) return sfmi_fail_memory(error);
  gather(s->masses, validation, c);
  return SFM_OK;
}

/* sum over pairs of kept rows of 2^(bits dimension) p_k; for k = 0 without a row and itself. */
static sfmi_i128 sum_pairs(sums *s, const candidate *c, size_t dimension, int k) {
  sfmi_i128 total = 0;
  memcpy(s->smooth, s->masses, s->cells * sizeof *s->smooth);
  for (size_t a = 0; a < dimension; a++)
    smooth_axis(s->smooth, s->line, c, dimension, a, &c->tables[k][a]);
  for (size_t cell = 0; cell < s->cells; cell++) {
    if (s->masses[cell] == 0) continue;
    total += s->smooth[cell] * s->masses[cell];
    if (k == 0) total -= own_weight(c, dimension, c->tables[0], cell) * s->masses[cell];
  }
  return total;
}

sfm_status sfmi_cross_validation_score(const sfmi_cross_validation *validation, long double *score,
                                       size_t i, sfm_error *error) {
  const candidate *c = &validation->candidates[i];
  const long double one = ldexpl(1, -(int)(validation->bits * validation->dimension));
  sums s;
  sfm_status status = sums_init(&s, validation, c, error);
  if (!status)
    *score =
        (long double)c->square * one * (long double)sum_pairs(&s, c, validation->dimension, 1) -
        (long double)c->cross * one * (long double)sum_pairs(&s, c, validation->dimension, 0);
  sfmi_arena_wipe(&s.memory);
  return status;
}

sfm_status sfmi_cross_validation_losses(const sfmi_cross_validation *validation, sfmi_u128 *losses,
                                        sfm_error *error) {
  long double scores[SFMI_CROSS_VALIDATION_CANDIDATES];
  sfm_status status = SFM_OK;
  for (size_t i = 0; !status && i < validation->count; i++) {
    status = sfmi_cross_validation_score(validation, &scores[i], i, error);
    scores[i] += (long double)validation->candidates[i].error;
  }
  for (size_t i = 0; !status && i < validation->count; i++) {
    long double loss = 0;
    for (size_t j = 0; j < validation->count; j++)
      if (j != i)
        loss = fmaxl(loss, (scores[i] - scores[j]) / (long double)validation->moves[i][j]);
    losses[i] = (sfmi_u128)(fminl(loss, LOSS_MOST) * ldexpl(1, SFMI_CROSS_VALIDATION_UNIT_BITS));
  }
  explicit_bzero(scores, sizeof scores);
  return status;
}
