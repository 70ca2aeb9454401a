#include "estimators/smoother.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/linear.h"

/* How many patterns of holes are remembered, and the numbers their factors may take. */
enum { PATTERNS_MAX = 64 };
static const size_t PATTERN_NUMBERS = (size_t)1 << 23;

/* U of U'U = (Phi_S Phi_S' + ridge I), for the points S of one pattern; row by row. */
typedef struct pattern {
  uint8_t *there; /* a byte a point; NULL: an empty place */
  double *factor;
} pattern;

struct sfmi_smoother {
  const sfmi_basis *basis;
  double *values; /* Phi, T x m */
  double *gram;   /* Phi Phi' + ridge I, T x T */
  double *map;    /* T x m: w = y' map for a complete curve */
  size_t places;
  pattern patterns[PATTERNS_MAX]; /* each where the hash of its points says */
  uint8_t *there;
  size_t *points; /* S */
  double *work;   /* T */
};

/* gram and map, from the basis at its points. */
static sfm_status make_public(sfmi_smoother *s, double ridge, sfm_error *error) {
  const size_t T = s->basis->nodes, m = s->basis->count;
  double *copy = sfmi_alloc(T * T, sizeof *copy), *transposed = sfmi_alloc(T * m, sizeof *copy);
  bool good = copy && transposed;
  if (good) {
    sfmi_basis_at(s->basis, s->values, s->basis->points, T);
    for (size_t i = 0; i < T; i++)
      for (size_t j = 0; j < m; j++) transposed[j * T + i] = s->values[i * m + j];
    sfmi_multiply(s->gram, s->values, transposed, T, m, T);
    for (size_t i = 0; i < T; i++) s->gram[i * T + i] += ridge;
    memcpy(copy, s->gram, T * T * sizeof *copy);
    memcpy(s->map, s->values, T * m * sizeof *s->map);
  }
  sfm_status status = good ? SFM_OK : sfmi_fail_memory(error);
  if (good && !sfmi_positive_solve(copy, s->map, T, m))
    status = sfmi_fail(error, SFM_INTERNAL, "the points of the curves are too near to each other");
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
  s->values = sfmi_alloc(T * m, sizeof *s->values);
  s->gram = sfmi_alloc(T * T, sizeof *s->gram);
  s->map = sfmi_alloc(T * m, sizeof *s->map);
  s->there = sfmi_alloc(T, sizeof *s->there);
  s->points = sfmi_alloc(T, sizeof *s->points);
  s->work = sfmi_alloc(T, sizeof *s->work);
  s->places = PATTERN_NUMBERS / (T * T);
  s->places = s->places > PATTERNS_MAX ? PATTERNS_MAX : s->places < 1 ? 1 : s->places;
  sfm_status status = s->values && s->gram && s->map && s->there && s->points && s->work
                          ? make_public(s, ridge, error)
                          : sfmi_fail_memory(error);
  if (status != SFM_OK) {
    sfmi_smoother_destroy(s);
    return status;
  }
  *out = s;
  return SFM_OK;
}

void sfmi_smoother_destroy(sfmi_smoother *s) {
  if (!s) return;
  for (size_t i = 0; i < PATTERNS_MAX; i++) {
    free(s->patterns[i].there);
    free(s->patterns[i].factor);
  }
  if (s->work) explicit_bzero(s->work, s->basis->nodes * sizeof *s->work);
  free(s->values);
  free(s->gram);
  free(s->map);
  free(s->there);
  free(s->points);
  free(s->work);
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

/* The factor for the points of s->there, n of them in s->points, remembered or made. */
static sfm_status find_factor(sfmi_smoother *s, const double **factor, size_t n, sfm_error *error) {
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
    for (size_t k = i; k < n; k++) p->factor[i * n + k] = s->gram[s->points[i] * T + s->points[k]];
  factorise(p->factor, n);
  *factor = p->factor;
  return SFM_OK;
}

/* Notes where there are values; returns how many, and their largest size. */
static size_t look(sfmi_smoother *s, const double *values, double *largest) {
  size_t n = 0;
  *largest = 0;
  for (size_t i = 0; i < s->basis->nodes; i++) {
    s->there[i] = isfinite(values[i]);
    if (!s->there[i]) continue;
    *largest = fmax(*largest, fabs(values[i]));
    s->points[n++] = i;
  }
  return n;
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
  for (size_t i = 0; i < n; i++) s->work[i] = ldexp(values[s->points[i]], -*exponent);
  if (n == T) {
    for (size_t i = 0; i < T; i++) add_row(weights, s->map + i * m, s->work[i], m);
    return SFM_OK;
  }
  const double *factor = NULL;
  sfm_status status = find_factor(s, &factor, n, error);
  if (status != SFM_OK) return status;
  solve(factor, s->work, n);
  for (size_t i = 0; i < n; i++) add_row(weights, s->values + s->points[i] * m, s->work[i], m);
  return SFM_OK;
}
