/* polytope_facets.c - D points v_1 .. v_D that are independent, and signs s: the plane a . v_i =
 * s_i through them is a facet when no other point is beyond it, |a . v_k| <= 1 for all k. */
#include "polytope_facets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/vector_sums.h"

/* Most multiplications of a search, most dimensions, and most facets: a chord looks at all of them.
 */
static const double SEARCH_MAX = 1e9;
enum { DIMENSION_MAX = 16, FACETS_MAX = 4096 };
/* A point of size one that is beyond a plane by less than NEAR lies on it; planes that differ by
 * less than SAME are the same; a determinant below FLAT is zero. */
static const double NEAR = 1e-9, SAME = 1e-7, FLAT = 1e-9;

/* Whether choices x signs x (what a plane takes) is affordable. */
static bool affordable(size_t count, size_t dimension) {
  const double D = (double)dimension;
  double work = ldexp(1, (int)dimension - 1) * (D * D + (double)count * D) + D * D * D;
  if (dimension > DIMENSION_MAX || count < dimension) return false;
  for (size_t i = 0; i < dimension; i++) work *= (double)(count - i) / (double)(i + 1);
  return work <= SEARCH_MAX;
}

/* inverse := the inverse of matrix, which is destroyed; false when it is singular. */
static bool invert(double *inverse, double *matrix, size_t D) {
  for (size_t i = 0; i < D * D; i++) inverse[i] = i / D == i % D;
  for (size_t c = 0; c < D; c++) {
    size_t pivot = c;
    for (size_t r = c + 1; r < D; r++)
      if (fabs(matrix[r * D + c]) > fabs(matrix[pivot * D + c])) pivot = r;
    if (fabs(matrix[pivot * D + c]) < FLAT) return false;
    for (size_t j = 0; j < D; j++) {
      const double a = matrix[c * D + j], b = inverse[c * D + j];
      matrix[c * D + j] = matrix[pivot * D + j];
      matrix[pivot * D + j] = a;
      inverse[c * D + j] = inverse[pivot * D + j];
      inverse[pivot * D + j] = b;
    }
    const double scale = 1 / matrix[c * D + c];
    for (size_t j = 0; j < D; j++) {
      matrix[c * D + j] *= scale;
      inverse[c * D + j] *= scale;
    }
    for (size_t r = 0; r < D; r++) {
      const double factor = r == c ? 0 : matrix[r * D + c];
      for (size_t j = 0; j < D && factor != 0; j++) {
        matrix[r * D + j] -= factor * matrix[c * D + j];
        inverse[r * D + j] -= factor * inverse[c * D + j];
      }
    }
  }
  return true;
}

/* Whether a or its opposite is among the facets already. */
static bool known(const sfmi_polytope_facets *f, const double *a) {
  for (size_t j = 0; j < f->count; j++) {
    const double *b = f->normals + j * f->dimension;
    double same = 0, opposite = 0;
    for (size_t i = 0; i < f->dimension; i++) {
      same = fmax(same, fabs(a[i] - b[i]));
      opposite = fmax(opposite, fabs(a[i] + b[i]));
    }
    if (fmin(same, opposite) < SAME) return true;
  }
  return false;
}

static bool add(sfmi_polytope_facets *f, const double *a) {
  const size_t D = f->dimension;
  if (f->count == f->room) {
    const size_t room = f->room ? 2 * f->room : 64;
    double *normals = reallocarray(f->normals, room * D, sizeof *normals);
    if (!normals) return false;
    f->normals = normals;
    f->room = room;
  }
  memcpy(f->normals + f->count++ * D, a, D * sizeof *a);
  return true;
}

/* The planes through the chosen points with all signs, the first of them plus.  False when memory
 * is short. */
static bool try_signs(sfmi_polytope_facets *f, const double *points, size_t count,
                      const size_t *chosen) {
  const size_t D = f->dimension;
  double matrix[DIMENSION_MAX * DIMENSION_MAX], inverse[DIMENSION_MAX * DIMENSION_MAX];
  double a[DIMENSION_MAX];
  for (size_t i = 0; i < D; i++) memcpy(matrix + i * D, points + chosen[i] * D, D * sizeof *matrix);
  if (!invert(inverse, matrix, D)) return true;
  for (size_t signs = 0; signs < (size_t)1 << (D - 1) && f->count <= FACETS_MAX; signs++) {
    for (size_t i = 0; i < D; i++) {
      a[i] = inverse[i * D];
      for (size_t k = 1; k < D; k++)
        a[i] += signs >> (k - 1) & 1 ? -inverse[i * D + k] : inverse[i * D + k];
    }
    bool beyond = false;
    for (size_t k = 0; k < count && !beyond; k++)
      beyond = fabs(sfmi_inner_product(a, points + k * D, D)) > 1 + NEAR;
    if (!beyond && !known(f, a) && !add(f, a)) return false;
  }
  return true;
}

/* The next choice of D out of count, in ascending order; false after the last. */
static bool advance(size_t *chosen, size_t D, size_t count) {
  size_t i = D;
  while (i > 0 && chosen[i - 1] == count - D + i - 1) i--;
  if (i == 0) return false;
  chosen[i - 1]++;
  for (; i < D; i++) chosen[i] = chosen[i - 1] + 1;
  return true;
}

sfm_status sfmi_polytope_facets_find(sfmi_polytope_facets *out, const double *points, size_t count,
                                     size_t dimension, sfm_error *error) {
  size_t chosen[DIMENSION_MAX];
  *out = (sfmi_polytope_facets){.dimension = dimension};
  if (!affordable(count, dimension)) return SFM_OK;
  for (size_t i = 0; i < dimension; i++) chosen[i] = i;
  do {
    if (!try_signs(out, points, count, chosen)) {
      sfmi_polytope_facets_clear(out);
      return sfmi_fail_memory(error);
    }
  } while (out->count <= FACETS_MAX && advance(chosen, dimension, count));
  if (out->count > FACETS_MAX) sfmi_polytope_facets_clear(out);
  return SFM_OK;
}

void sfmi_polytope_facets_clear(sfmi_polytope_facets *facets) {
  free(facets->normals);
  *facets = (sfmi_polytope_facets){.dimension = facets->dimension};
}

void sfmi_polytope_facets_chord(const sfmi_polytope_facets *facets, double *low, double *high,
                                const double *u, const double *v) {
  const size_t D = facets->dimension;
  *low = -INFINITY;
  *high = INFINITY;
  for (size_t j = 0; j < facets->count; j++) {
    const double *a = facets->normals + j * D;
    const double at = sfmi_inner_product(a, u, D), speed = sfmi_inner_product(a, v, D);
    if (speed == 0) continue;
    const double one = (1 - at) / speed, other = (-1 - at) / speed;
    *high = fmin(*high, fmax(one, other));
    *low = fmax(*low, fmin(one, other));
  }
}
