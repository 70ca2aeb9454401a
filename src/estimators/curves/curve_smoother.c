#include "curve_smoother.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/linear_algebra.h"
#include "base/system/arena.h"

/* The least ridge for which holes are filled, in units of the number of points: rounding then moves
 * P by at most a ten-thousandth of its least eigenvalue. */
static const double FILL_RIDGE = 1e-6;
/* How many patterns of holes are remembered, and most numbers of their factors. */
enum { PATTERNS_MAX = 64 };
static const size_t PATTERN_NUMBERS = (size_t)1 << 23;

/* The upper factor of P_HH or of G_SS for one pattern, row by row. */
typedef struct pattern {
  uint8_t *there; /* one byte per point; NULL: an empty place */
  double *factor;
} pattern;

struct sfmi_smoother {
  sfmi_arena memory;
  const sfmi_basis *basis;
  double *values;  /* Phi, T x m */
  double *gram;    /* G, T x T */
  double *inverse; /* P */
  double *map;     /* T x m: w = y' map for a complete curve */
  bool fills;
  size_t places;
  pattern patterns[PATTERNS_MAX]; /* each where the hash of its points says */
  /* Of the record at hand: where it has values; the points that have them, and those that do not;
   * its values, scaled, of all points. */
  uint8_t *there;
  size_t *points, *holes;
  double *work, *solved; /* T each */
};

/* All that is public, from the basis at its points. */
static sfm_status make_public(sfmi_smoother *s, double ridge, sfm_error *error) {
  const size_t T = s->basis->nodes, m = s->basis->count;
  double *copy = sfmi_alloc(T * T, sizeof *copy), *transposed = sfmi_alloc(T * m, sizeof *copy);
  sfm_status status = copy && transposed ? SFM_OK : sfmi_fail_memory(error);
  if (!status) {
    sfmi_basis_at(s->basis, s->values, s->basis->points, T);
    for (size_t i = 0; i < T; i++)
      for (size_t j = 0; j < m; j++) transposed[j * T + i] = s->values[i * m + j];
    sfmi_matrix_multiply(s->gram, s->values, transposed, T, m, T);
    for (size_t i = 0; i < T; i++) s->gram[i * T + i] += ridge;
    memcpy(copy, s->gram, T * T * sizeof *copy);
    for (size_t i = 0; i < T; i++) s->inverse[i * T + i] = 1;
    if (!sfmi_positive_solve(copy, s->inverse, T, T))
      status = sfmi_fail(error, SFM_INTERNAL, "the kernel's matrix could not be inverted");
    sfmi_matrix_multiply(s->map, s->inverse, s->values, T, T, m);
  }
  free(copy);
  free(transposed);
  return status;
}

sfm_status sfmi_smoother_create(sfmi_smoother **out, const sfmi_basis *basis, double ridge,
                                sfm_error *error) {
  const size_t T = basis->nodes, m = basis->count;
  *out = NULL;
  sfmi_smoother *s = sfmi_alloc(1, sizeof *s);
  if (!s) return sfmi_fail_memory(error);
  s->basis = basis;
  sfmi_arena_arrays(&s->memory, T * m, (double **[]){&s->values, &s->map, NULL});
  sfmi_arena_arrays(&s->memory, T * T, (double **[]){&s->gram, &s->inverse, NULL});
  sfmi_arena_arrays(&s->memory, T, (double **[]){&s->work, &s->solved, NULL});
  s->there = sfmi_arena_get(&s->memory, T, sizeof *s->there);
  s->points = sfmi_arena_get(&s->memory, T, sizeof *s->points);
  s->holes = sfmi_arena_get(&s->memory, T, sizeof *s->holes);
  s->fills = ridge >= FILL_RIDGE * (double)T;
  s->places = PATTERN_NUMBERS / (T * T);
  s->places = s->places > PATTERNS_MAX ? PATTERNS_MAX : s->places < 1 ? 1 : s->places;
  const sfm_status status =
      !s->memory.failed ? make_public(s, ridge, error) : sfmi_fail_memory(error);
  if (!status)
    *out = s;
  else
    sfmi_smoother_destroy(s);
  return status;
}

void sfmi_smoother_destroy(sfmi_smoother *s) {
  if (!s) return;
  for (size_t i = 0; i < PATTERNS_MAX; i++) {
    free(s->patterns[i].there);
    free(s->patterns[i].factor);
  }
  sfmi_arena_wipe(&s->memory);
  free(s);
}

/* The upper factor of a matrix of n rows, in place: row k is finished, then taken off those below.
 */
static void factorise(double *matrix, size_t n) {
  for (size_t k = 0; k < n; k++) {
    double *row = matrix + k * n;
    const double root = sqrt(row[k]);
    for (size_t j = k; j < n; j++) row[j] /= root;
    for (size_t i = k + 1; i < n; i++) {
      double *restrict below = matrix + i * n;
      const double by = row[i];
      for (size_t j = i; j < n; j++) below[j] -= by * row[j];
    }
  }
}

/* x := (U'U)^-1 x. */
static void solve(const double *upper, double *restrict x, size_t n) {
  for (size_t k = 0; k < n; k++) {
    const double *row = upper + k * n;
    x[k] /= row[k];
    for (size_t j = k + 1; j < n; j++) x[j] -= row[j] * x[k];
  }
  for (size_t k = n; k-- > 0;) {
    const double *row = upper + k * n;
    double sum = x[k];
    for (size_t j = k + 1; j < n; j++) sum -= row[j] * x[j];
    x[k] = sum / row[k];
  }
}

/* weights += by * row. */
static void add_row(double *restrict weights, const double *row, double by, size_t m) {
  for (size_t j = 0; j < m; j++) weights[j] += by * row[j];
}

static pattern *place_of(sfmi_smoother *s) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
  for (size_t i = 0; i < s->basis->nodes; i++)
    hash = (hash ^ s->there[i]) * UINT64_C(0x100000001b3);
  return &s->patterns[(hash >> 32) % s->places];
}

/* The factor of a matrix's rows and columns `list`, n of them, which s->there stands for;
 * remembered or made. */
static sfm_status find_factor(sfmi_smoother *s, const double **factor, const double *matrix,
                              const size_t *list, size_t n, sfm_error *error) {
  const size_t T = s->basis->nodes;
  pattern *p = place_of(s);
  if (p->there && memcmp(p->there, s->there, T) == 0) {
    *factor = p->factor;
    return SFM_OK;
  }
  free(p->there);
  free(p->factor);
  p->there = sfmi_alloc(T, 1);
  p->factor = sfmi_alloc(n * n, sizeof *p->factor);
  if (!p->there || !p->factor) {
    free(p->there);
    free(p->factor);
    *p = (pattern){0};
    return sfmi_fail_memory(error);
  }
  memcpy(p->there, s->there, T);
  for (size_t i = 0; i < n; i++)
    for (size_t k = i; k < n; k++) p->factor[i * n + k] = matrix[list[i] * T + list[k]];
  factorise(p->factor, n);
  *factor = p->factor;
  return SFM_OK;
}

/* Notes where there are values; returns how many, and their largest size. */
static size_t look(sfmi_smoother *s, const double *values, double *largest) {
  size_t n = 0, missing = 0;
  *largest = 0;
  for (size_t i = 0; i < s->basis->nodes; i++) {
    s->there[i] = isfinite(values[i]) ? 1 : 0;
    if (s->there[i]) {
      *largest = fmax(*largest, fabs(values[i]));
      s->points[n++] = i;
    } else {
      s->holes[missing++] = i;
    }
  }
  return n;
}

/* Fills the holes of s->work. */
static sfm_status fill(sfmi_smoother *s, size_t holes, sfm_error *error) {
  const size_t T = s->basis->nodes;
  const double *factor = NULL;
  sfm_status status = find_factor(s, &factor, s->inverse, s->holes, holes, error);
  if (status) return status;
  for (size_t h = 0; h < holes; h++) {
    const double *row = s->inverse + s->holes[h] * T;
    double sum = 0;
    for (size_t i = 0; i < T; i++) sum += row[i] * s->work[i];
    s->solved[h] = -sum;
  }
  solve(factor, s->solved, holes);
  for (size_t h = 0; h < holes; h++) s->work[s->holes[h]] = s->solved[h];
  return SFM_OK;
}

/* From the n points that there are. */
static sfm_status fit_few(sfmi_smoother *s, double *weights, size_t n, sfm_error *error) {
  const size_t m = s->basis->count;
  const double *factor = NULL;
  sfm_status status = find_factor(s, &factor, s->gram, s->points, n, error);
  if (status) return status;
  for (size_t i = 0; i < n; i++) s->solved[i] = s->work[s->points[i]];
  solve(factor, s->solved, n);
  for (size_t i = 0; i < n; i++) add_row(weights, s->values + s->points[i] * m, s->solved[i], m);
  return SFM_OK;
}

sfm_status sfmi_smoother_fit(sfmi_smoother *s, double *weights, int *exponent, const double *values,
                             sfm_error *error) {
  const size_t T = s->basis->nodes, m = s->basis->count;
  double largest;
  const size_t n = look(s, values, &largest);
  memset(weights, 0, m * sizeof *weights);
  *exponent = 0;
  if (n == 0 || largest == 0) return SFM_OK;
  (void)frexp(largest, exponent);
  for (size_t i = 0; i < T; i++) s->work[i] = s->there[i] ? ldexp(values[i], -*exponent) : 0;
  if (n < T && (2 * n < T || !s->fills)) return fit_few(s, weights, n, error);
  sfm_status status = n < T ? fill(s, T - n, error) : SFM_OK;
  for (size_t i = 0; !status && i < T; i++) add_row(weights, s->map + i * m, s->work[i], m);
  return status;
}
