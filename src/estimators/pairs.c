#include "estimators/pairs.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells, in smallest bandwidths: as fine as this, or as coarse where that would be too many. */
static const double SPACING_FINE = 0.25, SPACING_COARSE = 1;
/* Bits of a sum over pairs, of a row count, of what images add to a kernel, and of a table. */
enum { SUM_BITS = 124, IMAGE_BITS = 6, AXIS_BITS_MAX = 30 };
/* A loss is cut here: rounding stays below a unit, and nothing so bad is chosen. */
static const long double LOSS_MOST = 0x1p40L;

/* One axis: cells, and the kernel of every bandwidth. */
typedef struct axis {
  double lower, spacing;
  size_t cells;
  sfm_boundary boundary;
} axis;

/* One kernel along one axis.  values[u], u <= reach: between cells u apart, as a whole number;
 * summed[u], u < sums: with all images, where an axis wraps or mirrors. */
typedef struct table {
  size_t reach, sums;
  int64_t *values;
  double *summed; /* over 2^bits */
} table;

struct sfmi_pairs {
  size_t dimension, count, cells;
  unsigned bits;
  double rows;
  axis axes[SFMI_PAIRS_DIMENSIONS];
  size_t offsets[SFMI_PAIRS_DIMENSIONS]; /* along an axis, as far as any kernel reaches */
  /* [candidate][0: of bandwidth h, 1: h sqrt 2][axis] */
  table tables[SFMI_PAIRS_CANDIDATES][2][SFMI_PAIRS_DIMENSIONS];
  double errors[SFMI_PAIRS_CANDIDATES];
  /* R = square n^2 [mean of p_1] - cross n^2 [mean of p_0 over i != j]. */
  double square[SFMI_PAIRS_CANDIDATES], cross[SFMI_PAIRS_CANDIDATES];
  double moves[SFMI_PAIRS_CANDIDATES][SFMI_PAIRS_CANDIDATES];
  int64_t *masses; /* rows in each cell, the last axis fastest */
};

/* ---- public: lattice and tables ---- */

static double smallest(const sfmi_pairs_shape *shape, size_t a) {
  double h = INFINITY;
  for (size_t i = 0; i < shape->count; i++)
    h = fmin(h, shape->candidates[i * shape->dimension + a]);
  return h;
}

/* Cells of all axes at a spacing of rho smallest bandwidths. */
static double size_at(const sfmi_pairs_shape *shape, double rho, double *cells) {
  double all = 1;
  for (size_t a = 0; a < shape->dimension; a++) {
    cells[a] = fmax(ceil((shape->upper[a] - shape->lower[a]) / (rho * smallest(shape, a))), 1);
    all *= cells[a];
  }
  return all;
}

static sfm_status set_axes(sfmi_pairs *pairs, const sfmi_pairs_shape *shape, sfm_error *error) {
  double cells[SFMI_PAIRS_DIMENSIONS], all = INFINITY;
  for (double rho = SPACING_FINE; rho <= SPACING_COARSE && !(all <= (double)SFMI_PAIRS_CELLS);
       rho *= M_SQRT2)
    all = size_at(shape, rho, cells);
  if (!(all <= (double)SFMI_PAIRS_CELLS))
    return sfmi_fail(error, SFM_INVALID,
                     "choosing a bandwidth compares rows on a lattice as fine as the smallest of "
                     "them, which would have %.3g cells here; at most %zu are possible: leave out "
                     "the smallest candidates",
                     all, SFMI_PAIRS_CELLS);
  pairs->cells = 1;
  for (size_t a = 0; a < shape->dimension; a++) {
    pairs->axes[a] = (axis){.lower = shape->lower[a],
                            .spacing = (shape->upper[a] - shape->lower[a]) / cells[a],
                            .cells = (size_t)cells[a],
                            .boundary = shape->boundary[a]};
    pairs->cells *= (size_t)cells[a];
  }
  return SFM_OK;
}

/* After how many cells an axis repeats itself; 0: never. */
static size_t period_of(const axis *x) {
  return x->boundary == SFM_PERIODIC ? x->cells : x->boundary == SFM_REFLECT ? 2 * x->cells : 0;
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

static sfm_status make_table(table *t, const axis *x, double h, unsigned bits, sfm_error *error) {
  const double one = ldexp(1, (int)bits), ratio = x->spacing / h;
  const size_t period = period_of(x);
  /* exp(-u^2/2) 2^bits < 1/2 from here on. */
  const double far = sqrt(2 * log(2) * (bits + 1.0)) / ratio;
  t->reach = (size_t)ceil(far);
  if (!period && t->reach > x->cells - 1) t->reach = x->cells - 1;
  t->sums = period ? period / 2 + 1 : t->reach + 1;
  t->values = sfmi_alloc(t->reach + 1, sizeof *t->values);
  t->summed = sfmi_alloc(t->sums, sizeof *t->summed);
  if (!t->values || !t->summed) return sfmi_fail_memory(error);
  for (size_t u = 0; u <= t->reach; u++)
    t->values[u] = llround(one * exp(-0.5 * pow((double)u * ratio, 2)));
  for (size_t u = 0; u < t->sums; u++) t->summed[u] = sum_images(t, period, u, one);
  return SFM_OK;
}

static sfm_status set_tables(sfmi_pairs *pairs, const sfmi_pairs_shape *shape, sfm_error *error) {
  const double n = pairs->rows, others = fmax(n - 1, 1);
  const double from_rows = SUM_BITS - 2 * ceil(log2(fmax(n, 2)));
  const double bits = floor(from_rows / (double)pairs->dimension) - IMAGE_BITS;
  pairs->bits = (unsigned)fmin(bits, AXIS_BITS_MAX);
  for (size_t i = 0; i < pairs->count; i++) {
    double peak = 1;
    for (size_t a = 0; a < pairs->dimension; a++) {
      const double h = shape->candidates[i * pairs->dimension + a];
      peak /= sqrt(2 * M_PI) * h;
      for (int k = 0; k < 2; k++) {
        sfm_status status = make_table(&pairs->tables[i][k][a], &pairs->axes[a],
                                       k ? M_SQRT2 * h : h, pairs->bits, error);
        if (status != SFM_OK) return status;
        if (pairs->tables[i][k][a].sums > pairs->offsets[a])
          pairs->offsets[a] = pairs->tables[i][k][a].sums;
      }
    }
    pairs->square[i] = peak * pow(2, -0.5 * (double)pairs->dimension) / (n * n);
    pairs->cross[i] = 2 * peak / (n * others);
    pairs->errors[i] = shape->errors[i];
  }
  return SFM_OK;
}

/* ---- public: sensitivities ---- */

/* Visits all offsets between two cells; false after the last. */
static bool next_offset(const sfmi_pairs *pairs, size_t *u) {
  for (size_t a = pairs->dimension; a-- > 0;) {
    if (++u[a] < pairs->offsets[a]) return true;
    u[a] = 0;
  }
  return false;
}

/* What a pair of rows at that offset adds to R, apart from the order of the two. */
static double influence(const sfmi_pairs *pairs, size_t i, const size_t *u) {
  double p[2] = {1, 1};
  for (int k = 0; k < 2; k++)
    for (size_t a = 0; a < pairs->dimension; a++) {
      const table *t = &pairs->tables[i][k][a];
      p[k] *= u[a] < t->sums ? t->summed[u[a]] : 0;
    }
  return pairs->square[i] * p[1] - pairs->cross[i] * p[0];
}

/* 1 at offset zero, and what images add. */
static double at_zero(const sfmi_pairs *pairs, size_t i, int k) {
  double p = 1;
  for (size_t a = 0; a < pairs->dimension; a++) p *= pairs->tables[i][k][a].summed[0];
  return p;
}

/* Rows on a mirrored axis meet their neighbours and the mirrored ones. */
static double mirrors(const sfmi_pairs *pairs) {
  double factor = 1;
  for (size_t a = 0; a < pairs->dimension; a++)
    if (pairs->axes[a].boundary == SFM_REFLECT) factor *= 2;
  return factor;
}

/* Delta_ij from the least and the largest influence of a pair on R_i - R_j. */
static double move_of(const sfmi_pairs *pairs, size_t i, size_t j, double range,
                      uint32_t contributions) {
  const double n = pairs->rows, F = mirrors(pairs);
  const double own =
      pairs->square[i] * at_zero(pairs, i, 1) + pairs->square[j] * at_zero(pairs, j, 1);
  const double pairwise =
      own + pairs->cross[i] * at_zero(pairs, i, 0) + pairs->cross[j] * at_zero(pairs, j, 0);
  const double one = F * (2 * (n - 1) * range + own) * (1 + 0x1p-40);
  /* Rounding: of the range, of both scores (twice), of the errors. */
  const double slack = F * pairwise * (n * 0x1p-44 + n * n * 0x1p-54) +
                       0x1p-56 * (fabs(pairs->errors[i]) + fabs(pairs->errors[j]));
  return contributions * one + slack;
}

static void set_moves(sfmi_pairs *pairs, uint32_t contributions) {
  size_t u[SFMI_PAIRS_DIMENSIONS] = {0};
  double low[SFMI_PAIRS_CANDIDATES][SFMI_PAIRS_CANDIDATES] = {{0}},
         high[SFMI_PAIRS_CANDIDATES][SFMI_PAIRS_CANDIDATES] = {{0}}; /* 0: a row that is not kept */
  do {
    double g[SFMI_PAIRS_CANDIDATES];
    for (size_t i = 0; i < pairs->count; i++) g[i] = influence(pairs, i, u);
    for (size_t i = 0; i < pairs->count; i++)
      for (size_t j = 0; j < i; j++) {
        low[i][j] = fmin(low[i][j], g[i] - g[j]);
        high[i][j] = fmax(high[i][j], g[i] - g[j]);
      }
  } while (next_offset(pairs, u));
  for (size_t i = 0; i < pairs->count; i++)
    for (size_t j = 0; j < i; j++)
      pairs->moves[i][j] = pairs->moves[j][i] =
          move_of(pairs, i, j, high[i][j] - low[i][j], contributions);
}

sfm_status sfmi_pairs_create(sfmi_pairs **out, const sfmi_pairs_shape *shape, sfm_error *error) {
  *out = NULL;
  assert(shape->count >= 2 && shape->count <= SFMI_PAIRS_CANDIDATES);
  assert(shape->dimension >= 1 && shape->dimension <= SFMI_PAIRS_DIMENSIONS);
  sfmi_pairs *pairs = sfmi_alloc(1, sizeof *pairs);
  if (!pairs) return sfmi_fail_memory(error);
  pairs->dimension = shape->dimension;
  pairs->count = shape->count;
  pairs->rows = (double)shape->rows;
  sfm_status status = set_axes(pairs, shape, error);
  if (status == SFM_OK) status = set_tables(pairs, shape, error);
  if (status == SFM_OK) {
    set_moves(pairs, shape->contributions);
    pairs->masses = sfmi_alloc(pairs->cells, sizeof *pairs->masses);
    if (!pairs->masses) status = sfmi_fail_memory(error);
  }
  if (status == SFM_OK)
    *out = pairs;
  else
    sfmi_pairs_destroy(pairs);
  return status;
}

void sfmi_pairs_destroy(sfmi_pairs *pairs) {
  if (!pairs) return;
  for (size_t i = 0; i < pairs->count; i++)
    for (int k = 0; k < 2; k++)
      for (size_t a = 0; a < pairs->dimension; a++) {
        free(pairs->tables[i][k][a].values);
        free(pairs->tables[i][k][a].summed);
      }
  if (pairs->masses) explicit_bzero(pairs->masses, pairs->cells * sizeof *pairs->masses);
  free(pairs->masses);
  free(pairs);
}

double sfmi_pairs_sensitivity(const sfmi_pairs *pairs, size_t i, size_t j) {
  return pairs->moves[i][j];
}

/* ---- private: rows and sums ---- */

static size_t cell_of(const axis *x, double value) {
  const double cells = (double)x->cells;
  double u = (value - x->lower) / x->spacing;
  if (x->boundary == SFM_PERIODIC) u -= floor(u / cells) * cells;
  return (size_t)fmin(fmax(floor(u), 0), cells - 1);
}

void sfmi_pairs_add(sfmi_pairs *pairs, const sfmi_batch *batch) {
  for (size_t r = 0; r < batch->rows; r++) {
    if (!batch->keep[r]) continue;
    size_t at = 0;
    for (size_t a = 0; a < pairs->dimension; a++)
      at = at * pairs->axes[a].cells +
           cell_of(&pairs->axes[a], batch->values[a * SFMI_BATCH_ROWS + r]);
    pairs->masses[at]++;
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

/* Convolves the lines of one axis with its table, in place. */
static void smooth_axis(const sfmi_pairs *pairs, sfmi_i128 *sums, sfmi_i128 *line, size_t a,
                        const table *t) {
  const axis *x = &pairs->axes[a];
  size_t stride = 1;
  for (size_t b = a + 1; b < pairs->dimension; b++) stride *= pairs->axes[b].cells;
  for (size_t start = 0; start < pairs->cells; start++) {
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

/* The kernel between a cell and itself, mirrored images included. */
static sfmi_i128 own_weight(const sfmi_pairs *pairs, const table *tables, size_t cell) {
  sfmi_i128 weight = 1;
  for (size_t a = pairs->dimension; a-- > 0;) {
    const axis *x = &pairs->axes[a];
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

/* sum over all pairs of kept rows of 2^(bits dimension) p_k, or of all but a row with itself. */
static sfm_status sum_pairs(const sfmi_pairs *pairs, sfmi_i128 *out, size_t i, int k,
                            sfm_error *error) {
  const table *tables = pairs->tables[i][k];
  size_t longest = 0;
  for (size_t a = 0; a < pairs->dimension; a++)
    if (pairs->axes[a].cells + 2 * tables[a].reach > longest)
      longest = pairs->axes[a].cells + 2 * tables[a].reach;
  sfmi_i128 *sums = sfmi_alloc(pairs->cells, sizeof *sums),
            *line = sfmi_alloc(longest, sizeof *line), total = 0;
  const bool there = sums && line;
  for (size_t c = 0; there && c < pairs->cells; c++) sums[c] = pairs->masses[c];
  for (size_t a = 0; there && a < pairs->dimension; a++)
    smooth_axis(pairs, sums, line, a, &tables[a]);
  for (size_t c = 0; there && c < pairs->cells; c++) {
    if (pairs->masses[c] == 0) continue;
    total += sums[c] * pairs->masses[c];
    if (k == 0) total -= own_weight(pairs, tables, c) * pairs->masses[c];
  }
  *out = total;
  if (sums) explicit_bzero(sums, pairs->cells * sizeof *sums);
  if (line) explicit_bzero(line, longest * sizeof *line);
  free(sums);
  free(line);
  return there ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_pairs_score(const sfmi_pairs *pairs, long double *score, size_t i,
                            sfm_error *error) {
  const long double one = ldexpl(1, -(int)(pairs->bits * pairs->dimension));
  sfmi_i128 square = 0, cross = 0;
  sfm_status status = sum_pairs(pairs, &square, i, 1, error);
  if (status == SFM_OK) status = sum_pairs(pairs, &cross, i, 0, error);
  *score = (long double)pairs->square[i] * one * (long double)square -
           (long double)pairs->cross[i] * one * (long double)cross;
  return status;
}

sfm_status sfmi_pairs_losses(const sfmi_pairs *pairs, sfmi_u128 *losses, sfm_error *error) {
  long double scores[SFMI_PAIRS_CANDIDATES];
  sfm_status status = SFM_OK;
  for (size_t i = 0; status == SFM_OK && i < pairs->count; i++) {
    status = sfmi_pairs_score(pairs, &scores[i], i, error);
    scores[i] += (long double)pairs->errors[i];
  }
  for (size_t i = 0; status == SFM_OK && i < pairs->count; i++) {
    long double loss = 0;
    for (size_t j = 0; j < pairs->count; j++)
      if (j != i) loss = fmaxl(loss, (scores[i] - scores[j]) / (long double)pairs->moves[i][j]);
    losses[i] = (sfmi_u128)(fminl(loss, LOSS_MOST) * ldexpl(1, SFMI_PAIRS_UNITS));
  }
  explicit_bzero(scores, sizeof scores);
  return status;
}
