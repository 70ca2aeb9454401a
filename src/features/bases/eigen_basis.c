/* eigen_basis.c - the basis eigen, and how its table is computed: Nystrom's method on the nodes of
 * Gauss and Legendre.
 *
 * With nodes t_i of the unit interval and weights w_i (of sum 1), the eigenvalue problem of the
 * integral operator becomes that of the symmetric matrix  A_ij = sqrt(w_i) K(t_i, t_j) sqrt(w_j):
 *   A v = mu v,   psi(t_i) = v_i/sqrt(w_i),   lambda = width mu.
 * The division matters: v has unit length, and it is psi = v/sqrt(w) that has unit norm in L2.
 * Without it the functions would have other norms, and the sensitivities of their coefficients
 * would be wrong.
 *
 * p_n (orthonormal Legendre polynomials) at the nodes make an orthogonal matrix sqrt(w_i) p_n(t_i),
 * n < N, because the rule is exact to degree 2N - 1.  So the coefficients of psi's interpolating
 * polynomial are  c_n = sum_i w_i p_n(t_i) psi(t_i) = sum_i sqrt(w_i) p_n(t_i) v_i,  and the rows c
 * are as orthonormal as the v.
 *
 * A stationary kernel does not change when the interval is mirrored, so every psi is even or odd
 * about the middle.  Even and odd functions are solved for separately, on the N/2 nodes of the
 * upper half, where the matrix has  K(t_i, t_j) +- K(t_i, 1 - t_j)  and an even (odd) function has
 * the p_n of even (odd) n alone. */
#include "eigen_basis.h"

#include <math.h>
#include <string.h>

#include "base/system/arena.h"
#include "base/math/linear_algebra.h"
#include "features/kernels/kernel.h"
#include "polynomial_basis.h"

/* ---- evaluation ---- */

/* Rows of a stated table are orthonormal to this. */
static const double ORTHONORMAL = 1e-9;

/* The Legendre factors of degrees 1 .. nodes - 1, then the table's transpose. */
static double *turned(const sfmi_basis *basis) {
  return (double *)basis->derived + SFMI_LEGENDRE_FACTORS * basis->nodes;
}

/* Polynomials times the transpose, one row of it after the other: each value is its own sum, in one
 * order. */
static void eigen_row(double *row, const sfmi_basis *basis, double left, double right,
                      double scale) {
  double p[SFMI_EIGEN_NODES_MAX];
  const double *table = turned(basis);
  p[0] = scale;
  sfmi_legendre_row(p + 1, basis->derived, basis->nodes - 1, left, right, scale);
  for (size_t j = 0; j < basis->count; j++) row[j] = 0;
  for (size_t n = 0; n < basis->nodes; n++, table += basis->count)
    for (size_t j = 0; j < basis->count; j++) row[j] += p[n] * table[j];
}

static void eigen_at(const sfmi_basis *basis, double *values, const double *points, size_t count) {
  const double lower = basis->lower[0], upper = basis->upper[0], width = upper - lower;
  for (size_t i = 0; i < count; i++)
    eigen_row(values + i * basis->count, basis, (points[i] - lower) / width,
              (upper - points[i]) / width, 1 / sqrt(width));
}

static bool orthonormal(const double *table, size_t count, size_t nodes) {
  for (size_t j = 0; j < count; j++)
    for (size_t k = 0; k <= j; k++) {
      double inner = 0;
      for (size_t n = 0; n < nodes; n++) inner += table[j * nodes + n] * table[k * nodes + n];
      if (!(fabs(inner - (j == k)) <= ORTHONORMAL)) return false;
    }
  return true;
}

sfm_status sfmi_eigen_basis_complete(sfmi_basis *basis, sfm_error *error) {
  const size_t nodes = basis->nodes, count = basis->count;
  if (nodes > SFMI_EIGEN_NODES_MAX)
    return sfmi_fail(error, SFM_INVALID, "a basis eigen has at most %zu nodes, not %zu",
                     SFMI_EIGEN_NODES_MAX, nodes);
  if (!orthonormal(basis->table, count, nodes))
    return sfmi_fail(error, SFM_INVALID,
                     "a basis eigen needs a table whose rows are orthonormal to %g", ORTHONORMAL);
  basis->derived = sfmi_alloc((SFMI_LEGENDRE_FACTORS + count) * nodes, sizeof(double));
  if (!basis->derived) return sfmi_fail_memory(error);
  sfmi_legendre_factors(basis->derived, nodes - 1);
  double *table = turned(basis);
  for (size_t j = 0; j < count; j++)
    for (size_t n = 0; n < nodes; n++) table[n * count + j] = basis->table[j * nodes + n];
  basis->at = eigen_at;
  return SFM_OK;
}

/* ---- the rule ---- */

enum { EVEN, ODD, KINDS };

/* Gauss and Legendre's rule of 2 half nodes on the unit interval: those of its upper half. */
typedef struct rule {
  size_t half;
  double *factors;      /* of Legendre's polynomials up to degree 2 half */
  double *right;        /* the nodes, by the share of the interval to their right */
  double *root;         /* the square roots of their weights */
  double *waves[KINDS]; /* sqrt(2 w_i) p_n(t_i), n even or odd: half x half, orthogonal */
} rule;

/* The i-th node from the right, by Newton's method on the share of the interval to its right, so
 * that this share is exact to its last digits, however small. */
static double node_of(const rule *r, double *work, size_t i) {
  const double N = 2 * (double)r->half;
  const double sine = sin(M_PI / 2 * ((double)i + 0.75) / (N + 0.5));
  double right = sine * sine;
  for (int step = 0; step < 8; step++) {
    sfmi_legendre_row(work, r->factors, 2 * r->half, 1 - right, right, 1);
    const double P = work[2 * r->half - 1] / sqrt(2 * N + 1),
                 before = work[2 * r->half - 2] / sqrt(2 * N - 1);
    /* P' = N (before - t P)/(1 - t^2), t = 1 - 2 right. */
    const double slope = N * (before - (1 - 2 * right) * P) / (4 * right * (1 - right));
    right += P / (2 * slope);
  }
  return right;
}

/* Row i of waves, and the root of the weight, which is 1/sum over n < N of p_n(t_i)^2. */
static void fill_row(rule *r, double *work, size_t i) {
  double sum = 1;
  work[0] = 1;
  sfmi_legendre_row(work + 1, r->factors, 2 * r->half - 1, 1 - r->right[i], r->right[i], 1);
  for (size_t n = 1; n < 2 * r->half; n++) sum += work[n] * work[n];
  r->root[i] = 1 / sqrt(sum);
  for (size_t n = 0; n < 2 * r->half; n++)
    r->waves[n % 2][i * r->half + n / 2] = M_SQRT2 * r->root[i] * work[n];
}

static sfm_status rule_init(rule *r, sfmi_arena *arena, size_t nodes, sfm_error *error) {
  const size_t half = nodes / 2;
  double *work = sfmi_arena_doubles(arena, nodes);
  *r = (rule){
      .half = half,
      .factors = sfmi_arena_doubles(arena, SFMI_LEGENDRE_FACTORS * nodes),
      .right = sfmi_arena_doubles(arena, half),
      .root = sfmi_arena_doubles(arena, half),
      .waves = {sfmi_arena_doubles(arena, half * half), sfmi_arena_doubles(arena, half * half)}};
  if (arena->failed) return sfmi_fail_memory(error);
  sfmi_legendre_factors(r->factors, nodes);
  for (size_t i = 0; i < half; i++) {
    r->right[i] = node_of(r, work, i);
    fill_row(r, work, i);
  }
  return SFM_OK;
}

/* ---- the eigenproblem ---- */

/* Nodes: NODES_MIN and so many more for each function and each bandwidth of the interval, so many
 * that their errors are below what eigen_basis.h says.  Kernels that are smooth have errors that
 * vanish exponentially once they are resolved. */
typedef struct resolution {
  double each, bandwidth;
  size_t functions; /* most that SFMI_EIGEN_NODES_MAX nodes resolve */
} resolution;
static const resolution SMOOTH = {2, 6, SFMI_EIGEN_NODES_MAX / 2},
                        ROUGH = {8, 8, SFMI_EIGEN_NODES_MAX / 4};
enum { NODES_MIN = 64, NODES_STEP = 32 };
/* Most bandwidths in the interval. */
static const double RATIO_MAX = 128;
/* Parts of the largest eigenvalue.  Below FLOOR an eigenvalue is rounding alone.  CLEAR is a little
 * more, for counts that must not depend on the number of nodes. */
static const double FLOOR = 1e-13, CLEAR = 2e-13;
/* Coefficients of the highest degrees are left out where all are below this: less than the rounding
 * in most of them, and of no effect on rows that are to be orthonormal to 1e-12. */
static const double NEGLIGIBLE = 1e-12;

static resolution resolution_of(sfm_kernel_family family) {
  return family == SFM_KERNEL_GAUSSIAN || family == SFM_KERNEL_CAUCHY ? SMOOTH : ROUGH;
}

static size_t nodes_for(const resolution *of, size_t count, double ratio) {
  const double wanted = NODES_MIN + of->each * (double)count + of->bandwidth * ratio;
  const double nodes = NODES_STEP * ceil(wanted / NODES_STEP), most = (double)SFMI_EIGEN_NODES_MAX;
  return (size_t)(nodes < most ? nodes : most);
}

/* A solved problem; everything is in the arena. */
typedef struct problem {
  rule rule;
  /* Of each kind, in ascending order; a vector is the upper half of v, times sqrt2. */
  double *values[KINDS], *vectors[KINDS];
} problem;

/* The matrix of one kind.  exp(-r|x - y|) has a kink at every node, where its slope falls by 2r:
 * there the rule, locally a trapezoidal one of step w, gives w^2/12 times that too much (Euler and
 * Maclaurin).  This is taken off the diagonal, and the error then falls as N^-4, not as N^-2.  The
 * error of the other matern kernels is of that order without it. */
static void fill_matrix(double *matrix, const rule *r, sfm_kernel_family family, double ratio,
                        int kind) {
  const bool kink = family == SFM_KERNEL_LAPLACIAN || family == SFM_KERNEL_MATERN12;
  for (size_t i = 0; i < r->half; i++) {
    for (size_t j = 0; j < r->half; j++) {
      const double near = sfmi_kernel_profile(family, fabs(r->right[i] - r->right[j]) * ratio),
                   far = sfmi_kernel_profile(family, (1 - r->right[i] - r->right[j]) * ratio);
      matrix[i * r->half + j] = r->root[i] * r->root[j] * (kind == EVEN ? near + far : near - far);
    }
    const double weight = r->root[i] * r->root[i];
    if (kink) matrix[i * r->half + i] -= weight * weight * ratio / 6;
  }
}

static sfm_status solve(problem *p, sfmi_arena *arena, const sfm_kernel *kernel, double lower,
                        double upper, size_t count, sfm_error *error) {
  const double ratio = (upper - lower) / kernel->bandwidth[0];
  if (!(upper > lower) || !(ratio <= RATIO_MAX))
    return sfmi_fail(error, SFM_INVALID,
                     "the eigenfunctions of a kernel on %g:%g need a bandwidth of at least 1/%g of "
                     "the width, %g, not %g",
                     lower, upper, RATIO_MAX, (upper - lower) / RATIO_MAX, kernel->bandwidth[0]);
  const resolution of = resolution_of(kernel->family);
  sfm_status status = rule_init(&p->rule, arena, nodes_for(&of, count, ratio), error);
  const size_t half = p->rule.half;
  for (int kind = 0; kind < KINDS && !status; kind++) {
    p->values[kind] = sfmi_arena_doubles(arena, half);
    p->vectors[kind] = sfmi_arena_doubles(arena, half * half);
    if (!p->values[kind] || !p->vectors[kind]) return sfmi_fail_memory(error);
    fill_matrix(p->vectors[kind], &p->rule, kernel->family, ratio, kind);
    status = sfmi_symmetric_eigen(p->vectors[kind], p->values[kind], half, error);
  }
  return status;
}

/* Walks through the eigenvalues of both kinds in descending order. */
typedef struct walk {
  const problem *problem;
  size_t left[KINDS];
  int kind; /* of the one last met, and its place among those of its kind */
  size_t place;
} walk;

static walk walk_start(const problem *p) {
  return (walk){.problem = p, .left = {p->rule.half, p->rule.half}};
}

/* The next eigenvalue; none is left after zero. */
static double walk_next(walk *w) {
  double *const *values = w->problem->values;
  const size_t even = w->left[EVEN], odd = w->left[ODD];
  if (even + odd == 0) return 0;
  w->kind = odd == 0 || (even > 0 && values[EVEN][even - 1] >= values[ODD][odd - 1]) ? EVEN : ODD;
  w->place = --w->left[w->kind];
  return values[w->kind][w->place];
}

/* How many eigenvalues are at least that part of the largest. */
static size_t above(const problem *p, double part) {
  walk w = walk_start(p);
  const double floor = part * walk_next(&w);
  size_t count = 1;
  while (walk_next(&w) >= floor) count++;
  return count;
}

sfm_status sfmi_eigen_most(size_t *most, const sfm_kernel *kernel, double lower, double upper,
                           sfm_error *error) {
  const size_t resolved = resolution_of(kernel->family).functions;
  sfmi_arena arena = {0};
  problem p;
  sfm_status status = solve(&p, &arena, kernel, lower, upper, resolved, error);
  if (!status) {
    *most = above(&p, CLEAR);
    if (*most > resolved) *most = resolved;
  }
  sfmi_arena_clear(&arena);
  return status;
}

/* ---- what is stated ---- */

/* psi's coefficients, one per node, with the sign for which psi is positive at the interval's upper
 * end, where p_n is sqrt(2n + 1). */
static void expand(double *row, const problem *p, const walk *w) {
  const size_t half = p->rule.half;
  double end = 0;
  sfmi_matrix_multiply(row, p->vectors[w->kind] + w->place * half, p->rule.waves[w->kind], 1, half,
                       half);
  for (size_t m = half; m-- > 0;) {
    const size_t n = 2 * m + (size_t)w->kind;
    const double c = row[m];
    row[2 * m] = row[2 * m + 1] = 0;
    row[n] = c;
    end += sqrt(2 * (double)n + 1) * c;
  }
  for (size_t n = 0; end < 0 && n < 2 * half; n++) row[n] = -row[n];
}

/* Up to and with the last coefficient that is not negligible. */
static size_t degrees(const double *row, size_t nodes) {
  while (nodes > 1 && fabs(row[nodes - 1]) <= NEGLIGIBLE) nodes--;
  return nodes;
}

/* Table and eigenvalues, those of the unit interval. */
static sfm_status tabulate(sfmi_basis *stated, double *eigenvalues, sfmi_arena *arena,
                           const problem *p, sfm_error *error) {
  const size_t nodes = 2 * p->rule.half, count = stated->count;
  double *coefficients = sfmi_arena_doubles(arena, count * nodes);
  if (!coefficients) return sfmi_fail_memory(error);
  walk w = walk_start(p);
  stated->nodes = count;
  for (size_t k = 0; k < count; k++) {
    double *row = coefficients + k * nodes;
    const double value = walk_next(&w);
    if (eigenvalues) eigenvalues[k] = value;
    expand(row, p, &w);
    const size_t needed = degrees(row, nodes);
    if (needed > stated->nodes) stated->nodes = needed;
  }
  stated->table = sfmi_alloc(count * stated->nodes, sizeof *stated->table);
  if (!stated->table) return sfmi_fail_memory(error);
  for (size_t k = 0; k < count; k++)
    memcpy(stated->table + k * stated->nodes, coefficients + k * nodes,
           stated->nodes * sizeof *coefficients);
  return SFM_OK;
}

static sfm_status refuse(const sfm_kernel *kernel, double lower, double upper, size_t count,
                         sfm_error *error) {
  size_t most = 0;
  sfm_status status = sfmi_eigen_most(&most, kernel, lower, upper, error);
  if (status) return status;
  return sfmi_fail(error, SFM_INVALID,
                   "a %s kernel of bandwidth %g has %zu eigenfunctions on %g:%g that can be "
                   "computed, not %zu; write at most %zu terms or a smaller bandwidth",
                   sfm_kernel_family_name(kernel->family), kernel->bandwidth[0], most, lower, upper,
                   count, most);
}

sfm_status sfmi_eigen_stated(sfmi_basis *stated, double *eigenvalues, const sfm_kernel *kernel,
                             double lower, double upper, size_t count, sfm_error *error) {
  *stated = (sfmi_basis){.family = SFMI_EIGEN,
                         .dimension = 1,
                         .count = count,
                         .lower = {lower},
                         .upper = {upper},
                         .kernel = kernel->family,
                         .bandwidth = {kernel->bandwidth[0]}};
  if (count < 1 || count > resolution_of(kernel->family).functions)
    return refuse(kernel, lower, upper, count, error);
  sfmi_arena arena = {0};
  problem p;
  sfm_status status = solve(&p, &arena, kernel, lower, upper, count, error);
  if (!status && above(&p, FLOOR) < count) status = refuse(kernel, lower, upper, count, error);
  if (!status) status = tabulate(stated, eigenvalues, &arena, &p, error);
  for (size_t k = 0; !status && eigenvalues && k < count; k++) eigenvalues[k] *= upper - lower;
  sfmi_arena_clear(&arena);
  return status;
}
