#include "span_basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/linear_algebra.h"
#include "base/system/arena.h"
#include "features/kernels/kernel.h"

/* Points evaluated together, so that the table is read once for all of them. */
enum { TOGETHER = 16 };

static double kernel_at(const sfmi_basis *basis, double x, size_t i) {
  return sfmi_kernel_profile(basis->kernel, fabs(x - basis->points[i]) / basis->bandwidth[0]);
}

/* Sums in the order of the nodes, whatever the points beside. */
static void evaluate(const sfmi_basis *basis, double *values, const double *points, size_t count) {
  const double *by_node = basis->derived;
  const size_t m = basis->count;
  memset(values, 0, count * m * sizeof *values);
  for (size_t first = 0; first < count; first += TOGETHER) {
    const size_t end = count - first < TOGETHER ? count : first + TOGETHER;
    for (size_t i = 0; i < basis->nodes; i++) {
      const double *row = by_node + i * m;
      for (size_t p = first; p < end; p++) {
        const double k = kernel_at(basis, points[p], i);
        double *restrict sums = values + p * m;
        for (size_t j = 0; j < m; j++) sums[j] += k * row[j];
      }
    }
  }
}

static sfm_status check(const sfmi_basis *basis, sfm_error *error) {
  const size_t nodes = basis->nodes;
  if (!basis->points || nodes > SFMI_SPAN_POINTS_MAX)
    return sfmi_fail(error, SFM_INVALID, "a basis span needs its points, at most %d of them",
                     SFMI_SPAN_POINTS_MAX);
  bool fit = basis->points[0] == basis->lower[0] && basis->points[nodes - 1] == basis->upper[0];
  for (size_t i = 1; i < nodes; i++) fit = fit && basis->points[i - 1] < basis->points[i];
  if (!fit)
    return sfmi_fail(error, SFM_INVALID,
                     "the points of a basis span ascend, from one end of the domain to the other");
  for (size_t i = 0; i < basis->count * nodes; i++)
    if (!(fabs(basis->table[i]) <= SFMI_SPAN_TABLE_MAX))
      return sfmi_fail(error, SFM_INVALID, "the table of a basis span has numbers up to %g",
                       SFMI_SPAN_TABLE_MAX);
  return SFM_OK;
}

sfm_status sfmi_span_basis_complete(sfmi_basis *basis, sfm_error *error) {
  const size_t m = basis->count, nodes = basis->nodes;
  sfm_status status = check(basis, error);
  if (status) return status;
  double *by_node = sfmi_alloc(m * nodes, sizeof *by_node);
  if (!by_node) return sfmi_fail_memory(error);
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < nodes; i++) by_node[i * m + j] = basis->table[j * nodes + i];
  basis->derived = by_node;
  basis->at = evaluate;
  return SFM_OK;
}

/* Gauss-Legendre on [-1, 1]: two nodes where the functions hardly bend, four elsewhere. */
static const double NODES2[] = {-0.57735026918962576, 0.57735026918962576}, WEIGHTS2[] = {1, 1};
static const double NODES4[] = {-0.86113631159405258, -0.33998104358485626, 0.33998104358485626,
                                0.86113631159405258},
                    WEIGHTS4[] = {0.34785484513745386, 0.65214515486254614, 0.65214515486254614,
                                  0.34785484513745386};
/* Most panels in all.  Where there would be more, they widen away from the points, from NEAR
 * bandwidths on, where kernels have fallen. */
static const double PANELS_MAX = 16384, NEAR = 3;

typedef struct quadrature {
  size_t count;
  double *nodes, *weights;
} quadrature;

/* How many panels a gap has: an even number where there is no room for as many as bandwidths. */
static size_t panels_in(double gap, double bandwidth, double room) {
  const double wanted = ceil(gap / bandwidth);
  return (size_t)(wanted <= room ? fmax(wanted, 1) : 2 * floor(room / 2));
}

/* Where panel k of s begins, as a part of the gap.  A power of the distance from the nearer end
 * makes panels at the ends narrow where even ones would be wider than NEAR bandwidths. */
static double panel_edge(size_t k, size_t s, double gap, double bandwidth) {
  const double even = (double)k / (double)s, narrow = 2 * NEAR * bandwidth / gap;
  if (narrow >= 2 / (double)s) return even;
  const double power = log(narrow) / log(2 / (double)s);
  return even <= 0.5 ? pow(2 * even, power) / 2 : 1 - pow(2 - 2 * even, power) / 2;
}

static void add_panel(quadrature *q, double from, double to, bool fine) {
  const double half = (to - from) / 2, middle = from + half;
  for (size_t k = 0; k < (fine ? 2 : 4); k++) {
    q->nodes[q->count] = middle + half * (fine ? NODES2[k] : NODES4[k]);
    q->weights[q->count++] = half * (fine ? WEIGHTS2[k] : WEIGHTS4[k]);
  }
}

/* Over [points[0], points[count - 1]], in panels.  No point lies inside a panel, and a panel is
 * hardly wider than a bandwidth: on a panel even a kernel with a kink is smooth. */
static sfm_status quadrature_init(quadrature *q, sfmi_arena *arena, double bandwidth,
                                  const double *points, size_t count, sfm_error *error) {
  const double room = PANELS_MAX / (double)count;
  size_t panels = 0;
  for (size_t i = 1; i < count; i++)
    panels += panels_in(points[i] - points[i - 1], bandwidth, room);
  *q =
      (quadrature){0, sfmi_arena_doubles(arena, 4 * panels), sfmi_arena_doubles(arena, 4 * panels)};
  if (!q->nodes || !q->weights) return sfmi_fail_memory(error);
  for (size_t i = 1; i < count; i++) {
    const double from = points[i - 1], gap = points[i] - from;
    const size_t s = panels_in(gap, bandwidth, room);
    for (size_t k = 0; k < s; k++)
      add_panel(q, from + gap * panel_edge(k, s, gap, bandwidth),
                from + gap * panel_edge(k + 1, s, gap, bandwidth), gap <= bandwidth / 4);
  }
  return SFM_OK;
}

/* The rows U_j'/sqrt(nu_j) of the directions that stay, K_TT = U nu U'; *kept of them. */
static sfm_status orthonormal_rows(double *rows, size_t *kept, sfmi_arena *arena,
                                   const sfmi_basis *basis, sfm_error *error) {
  const size_t T = basis->nodes;
  double *nu = sfmi_arena_doubles(arena, T);
  if (!nu) return sfmi_fail_memory(error);
  for (size_t i = 0; i < T; i++)
    for (size_t k = 0; k < T; k++) rows[i * T + k] = kernel_at(basis, basis->points[k], i);
  sfm_status status = sfmi_symmetric_eigen(rows, nu, T, error);
  size_t first = 0;
  while (first + 1 < T && !(nu[first] >= SFMI_SPAN_CUT * nu[T - 1])) first++;
  for (size_t j = first; !status && j < T; j++)
    for (size_t i = 0; i < T; i++) rows[(j - first) * T + i] = rows[j * T + i] / sqrt(nu[j]);
  *kept = T - first;
  return status;
}

/* gram (m x m) = the L2 products of the functions that are the rows of a table. */
static sfm_status products(double *gram, sfmi_arena *arena, const sfmi_basis *basis,
                           const double *rows, size_t m, sfm_error *error) {
  const size_t T = basis->nodes;
  quadrature q;
  const sfm_status status =
      quadrature_init(&q, arena, basis->bandwidth[0], basis->points, T, error);
  if (status) return status;
  double *values, *transposed, *kernels = sfmi_arena_doubles(arena, T * q.count);
  sfmi_arena_arrays(arena, m * q.count, (double **[]){&values, &transposed, NULL});
  if (arena->failed) return sfmi_fail_memory(error);
  for (size_t i = 0; i < T; i++)
    for (size_t p = 0; p < q.count; p++)
      kernels[i * q.count + p] = sqrt(q.weights[p]) * kernel_at(basis, q.nodes[p], i);
  sfmi_matrix_multiply(transposed, rows, kernels, m, T, q.count);
  for (size_t j = 0; j < m; j++)
    for (size_t p = 0; p < q.count; p++) values[p * m + j] = transposed[j * q.count + p];
  sfmi_matrix_multiply(gram, transposed, values, m, q.count, m);
  return SFM_OK;
}

/* Eigenvectors have no sign; these are positive where they are first large. */
static void choose_sign(double *row, size_t count) {
  double largest = 0;
  size_t i = 0;
  for (size_t k = 0; k < count; k++) largest = fmax(largest, fabs(row[k]));
  while (i + 1 < count && fabs(row[i]) < largest / 2) i++;
  if (row[i] > 0) return;
  for (size_t k = 0; k < count; k++) row[k] = -row[k];
}

/* table (m x T) = the eigenvectors of gram, from the largest eigenvalue on, times the rows. */
static sfm_status rotate(double *table, double *weights, sfmi_arena *arena, double *gram,
                         const double *rows, size_t m, size_t T, sfm_error *error) {
  double *values = sfmi_arena_doubles(arena, m), *ordered = sfmi_arena_doubles(arena, m * m);
  const sfm_status status =
      values && ordered ? sfmi_symmetric_eigen(gram, values, m, error) : sfmi_fail_memory(error);
  if (status) return status;
  for (size_t j = 0; j < m; j++) {
    weights[j] = fmax(values[m - 1 - j], 0);
    memcpy(ordered + j * m, gram + (m - 1 - j) * m, m * sizeof *gram);
  }
  sfmi_matrix_multiply(table, ordered, rows, m, m, T);
  for (size_t j = 0; j < m; j++) choose_sign(table + j * T, T);
  return SFM_OK;
}

sfm_status sfmi_span_stated(sfmi_basis *stated, double *weights, sfm_kernel_family family,
                            double bandwidth, const double *points, size_t count,
                            sfm_error *error) {
  size_t m = 0;
  *stated = (sfmi_basis){.family = SFMI_SPAN,
                         .dimension = 1,
                         .lower = {points[0]},
                         .upper = {points[count - 1]},
                         .kernel = family,
                         .bandwidth = {bandwidth},
                         .nodes = count,
                         .points = sfmi_alloc(count, sizeof *points)};
  sfmi_arena arena = {0};
  double *rows = sfmi_arena_doubles(&arena, count * count), *gram = NULL;
  sfm_status status = stated->points && rows ? SFM_OK : sfmi_fail_memory(error);
  if (!status) {
    memcpy(stated->points, points, count * sizeof *points);
    status = orthonormal_rows(rows, &m, &arena, stated, error);
  }
  if (!status) {
    stated->count = m;
    stated->table = sfmi_alloc(m * count, sizeof *stated->table);
    gram = sfmi_arena_doubles(&arena, m * m);
    status = stated->table && gram ? products(gram, &arena, stated, rows, m, error)
                                   : sfmi_fail_memory(error);
  }
  if (!status) status = rotate(stated->table, weights, &arena, gram, rows, m, count, error);
  sfmi_arena_clear(&arena);
  if (!status) return SFM_OK;
  free(stated->points);
  free(stated->table);
  *stated = (sfmi_basis){0};
  return status;
}

sfm_status sfmi_span_cut(sfmi_basis *stated, const sfmi_basis *basis, size_t count,
                         sfm_error *error) {
  const size_t nodes = basis->nodes;
  *stated = *basis;
  stated->count = count;
  stated->derived = NULL;
  stated->points = sfmi_alloc(nodes, sizeof *stated->points);
  stated->table = sfmi_alloc(count * nodes, sizeof *stated->table);
  if (!stated->points || !stated->table) {
    free(stated->points);
    free(stated->table);
    *stated = (sfmi_basis){0};
    return sfmi_fail_memory(error);
  }
  memcpy(stated->points, basis->points, nodes * sizeof *stated->points);
  memcpy(stated->table, basis->table, count * nodes * sizeof *stated->table);
  return SFM_OK;
}
