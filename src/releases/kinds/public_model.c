#include "public_model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/linear_algebra.h"

/* Rows of numbers at indices, one after the other. */
typedef struct rows {
  size_t *starts; /* as many + 1 */
  uint32_t *indices;
  double *values;
  size_t row_room, room;
} rows;

/* Invariants:
 *  1. points and features have `count` rows: u and phi(u).
 *  2. ridge: factor holds the rows of the lower Cholesky factor of K + ridge I, row i from
 *     i (i + 1)/2 on.
 *  3. alpha and weights follow from the rest, unless stale. */
struct sfmi_public_model {
  const sfmi_feature_map *map;
  bool step;
  double ridge, stride;
  size_t count, room;
  rows points, features;
  double *y, *alpha, *factor;
  double *weights;
  bool stale;
};

static void rows_clear(rows *r) {
  free(r->starts);
  free(r->indices);
  free(r->values);
}

/* Room for a further row after the first count, of so many numbers; false when memory is short. */
static bool rows_reserve(rows *r, size_t count, size_t more) {
  if (count + 2 > r->row_room) {
    const size_t room = 2 * count + 16;
    size_t *starts = realloc(r->starts, room * sizeof *starts);
    if (!starts) return false;
    if (!r->starts) starts[0] = 0;
    r->starts = starts;
    r->row_room = room;
  }
  const size_t wanted = r->starts[count] + more;
  if (wanted <= r->room && r->indices) return true;
  const size_t room = 2 * wanted + 16;
  uint32_t *indices = realloc(r->indices, room * sizeof *indices);
  if (indices) r->indices = indices;
  double *values = realloc(r->values, room * sizeof *values);
  if (values) r->values = values;
  if (indices && values) r->room = room;
  return indices && values;
}

sfm_status sfmi_public_model_create(sfmi_public_model **out, const sfmi_feature_map *map, bool step,
                                    double ridge, double stride, sfm_error *error) {
  assert(map->form != SFMI_FEATURE_MAP_POINTS && ridge > 0);
  sfmi_public_model *model = *out = sfmi_alloc(1, sizeof *model);
  if (!model) return sfmi_fail_memory(error);
  *model = (sfmi_public_model){.map = map, .step = step, .ridge = ridge, .stride = stride};
  model->weights = sfmi_alloc(map->count, sizeof *model->weights);
  if (model->weights && rows_reserve(&model->points, 0, 1) && rows_reserve(&model->features, 0, 1))
    return SFM_OK;
  sfmi_public_model_destroy(model);
  *out = NULL;
  return sfmi_fail_memory(error);
}

void sfmi_public_model_destroy(sfmi_public_model *model) {
  if (!model) return;
  rows_clear(&model->points);
  rows_clear(&model->features);
  free(model->y);
  free(model->alpha);
  free(model->factor);
  free(model->weights);
  free(model);
}

/* ---- adding ---- */

static bool reserve(sfmi_public_model *p, size_t nonzeros) {
  const size_t width =
      sfmi_feature_map_sparse(p->map) ? sfmi_feature_map_nonzeros(p->map, nonzeros) : p->map->count;
  if (p->count == p->room) {
    const size_t room = 2 * p->room + 16;
    double *y = realloc(p->y, room * sizeof *y);
    if (y) p->y = y;
    double *alpha = realloc(p->alpha, room * sizeof *alpha);
    if (alpha) p->alpha = alpha;
    double *factor = p->step ? NULL : realloc(p->factor, room * (room + 1) / 2 * sizeof *factor);
    if (factor) p->factor = factor;
    if (!y || !alpha || (!p->step && !factor)) return false;
    p->room = room;
  }
  return rows_reserve(&p->points, p->count, nonzeros) &&
         rows_reserve(&p->features, p->count, width + 1);
}

/* Writes u and phi(u) behind the last rows. */
static void append(sfmi_public_model *p, const uint32_t *indices, const double *u,
                   size_t nonzeros) {
  const size_t at = p->points.starts[p->count], from = p->features.starts[p->count];
  const size_t starts[2] = {0, nonzeros};
  size_t width = p->map->count;
  if (nonzeros) memcpy(p->points.indices + at, indices, nonzeros * sizeof *indices);
  if (nonzeros) memcpy(p->points.values + at, u, nonzeros * sizeof *u);
  p->points.starts[p->count + 1] = at + nonzeros;
  if (sfmi_feature_map_sparse(p->map)) {
    width = sfmi_feature_map_row(p->map, p->features.indices + from, p->features.values + from,
                                 indices, u, nonzeros);
  } else {
    sfmi_feature_map_dense(p->map, p->features.values + from, starts, indices, u, 1);
    for (size_t k = 0; k < width; k++) p->features.indices[from + k] = (uint32_t)k;
  }
  p->features.starts[p->count + 1] = from + width;
}

/* <phi_i, phi_j>: both ascending. */
static double between(const sfmi_public_model *p, size_t i, size_t j) {
  const rows *f = &p->features;
  size_t a = f->starts[i], b = f->starts[j];
  const size_t a_end = f->starts[i + 1], b_end = f->starts[j + 1];
  double sum = 0;
  if (!sfmi_feature_map_sparse(p->map)) {
    for (; a < a_end; a++, b++) sum += f->values[a] * f->values[b];
    return sum;
  }
  while (a < a_end && b < b_end) {
    if (f->indices[a] == f->indices[b])
      sum += f->values[a++] * f->values[b++];
    else if (f->indices[a] < f->indices[b])
      a++;
    else
      b++;
  }
  return sum;
}

static double *factor_row(const sfmi_public_model *p, size_t i) {
  return p->factor + i * (i + 1) / 2;
}

/* One more row of the factor.  The pivot is at least the ridge but for rounding. */
static void extend(sfmi_public_model *p) {
  const size_t n = p->count;
  double *row = factor_row(p, n), pivot = between(p, n, n) + p->ridge;
  for (size_t j = 0; j < n; j++) {
    const double *other = factor_row(p, j);
    double sum = between(p, n, j);
    for (size_t k = 0; k < j; k++) sum -= row[k] * other[k];
    row[j] = sum / other[j];
    pivot -= row[j] * row[j];
  }
  row[n] = sqrt(fmax(pivot, 0.5 * p->ridge));
}

static double value_at(const sfmi_public_model *p, size_t i) {
  const rows *f = &p->features;
  double sum = 0;
  for (size_t k = f->starts[i]; k < f->starts[i + 1]; k++)
    sum += p->weights[f->indices[k]] * f->values[k];
  return sum;
}

static void add_row(sfmi_public_model *p, size_t i) {
  const rows *f = &p->features;
  for (size_t k = f->starts[i]; k < f->starts[i + 1]; k++)
    p->weights[f->indices[k]] += p->alpha[i] * f->values[k];
}

sfm_status sfmi_public_model_add(sfmi_public_model *p, const uint32_t *indices, const double *u,
                                 size_t nonzeros, double y, sfm_error *error) {
  if (!reserve(p, nonzeros)) return sfmi_fail_memory(error);
  if (p->step) (void)sfmi_public_model_weights(p);
  append(p, indices, u, nonzeros);
  p->y[p->count] = y;
  if (p->step) {
    p->alpha[p->count] = copysign(p->stride, y - value_at(p, p->count));
    add_row(p, p->count);
  } else {
    extend(p);
    p->stale = true;
  }
  p->count++;
  return SFM_OK;
}

void sfmi_public_model_truncate(sfmi_public_model *p, size_t count) {
  if (count >= p->count) return;
  p->count = count;
  p->stale = true;
}

/* ---- what was learned ---- */

/* alpha = L^-T L^-1 y */
static void solve(sfmi_public_model *p) {
  for (size_t i = 0; i < p->count; i++) {
    const double *row = factor_row(p, i);
    double sum = p->y[i];
    for (size_t k = 0; k < i; k++) sum -= row[k] * p->alpha[k];
    p->alpha[i] = sum / row[i];
  }
  for (size_t i = p->count; i-- > 0;) {
    const double *row = factor_row(p, i);
    p->alpha[i] /= row[i];
    for (size_t k = 0; k < i; k++) p->alpha[k] -= row[k] * p->alpha[i];
  }
}

const double *sfmi_public_model_weights(sfmi_public_model *p) {
  if (!p->stale) return p->weights;
  if (!p->step) solve(p);
  memset(p->weights, 0, p->map->count * sizeof *p->weights);
  for (size_t i = 0; i < p->count; i++) add_row(p, i);
  p->stale = false;
  return p->weights;
}

size_t sfmi_public_model_point(const sfmi_public_model *p, const uint32_t **indices,
                               const double **u, size_t i) {
  const size_t at = p->points.starts[i];
  *indices = p->points.indices + at;
  *u = p->points.values + at;
  return p->points.starts[i + 1] - at;
}

static sfm_status make_points(sfmi_feature_map **out, const sfmi_public_model *p,
                              sfm_error *error) {
  const size_t count = p->count, nonzeros = p->points.starts[count];
  sfmi_feature_map stated = sfmi_feature_map_like(p->map, SFMI_FEATURE_MAP_POINTS);
  const sfm_status status = sfmi_feature_map_make_points(&stated, count, nonzeros, error);
  if (status) return status;
  memcpy(stated.point_starts, p->points.starts, (count + 1) * sizeof *stated.point_starts);
  if (nonzeros) {
    memcpy(stated.point_indices, p->points.indices, nonzeros * sizeof *stated.point_indices);
    memcpy(stated.point_values, p->points.values, nonzeros * sizeof *stated.point_values);
  }
  return sfmi_feature_map_create(out, &stated, error);
}

/* (K + ridge I)^-1 y with the kernel itself. */
static sfm_status fit(double *alpha, const sfmi_public_model *p, const sfmi_feature_map *points,
                      sfm_error *error) {
  const size_t n = p->count;
  double *matrix;
  const sfm_status status = sfmi_feature_map_matrix(&matrix, points, p->ridge, error);
  if (status) return status;
  memcpy(alpha, p->y, n * sizeof *alpha);
  const bool good = sfmi_positive_solve(matrix, alpha, n, 1);
  free(matrix);
  return good ? SFM_OK : sfmi_fail(error, SFM_INTERNAL, "the matrix of the points is singular");
}

sfm_status sfmi_public_model_points(sfmi_public_model *p, sfmi_feature_map **points, double **alpha,
                                    sfm_error *error) {
  assert(p->count > 0);
  *points = NULL;
  *alpha = sfmi_alloc(p->count, sizeof **alpha);
  sfm_status status = *alpha ? make_points(points, p, error) : sfmi_fail_memory(error);
  (void)sfmi_public_model_weights(p);
  if (!status) memcpy(*alpha, p->alpha, p->count * sizeof **alpha);
  if (!status && p->map->form == SFMI_FEATURE_MAP_RANDOM && !p->step)
    status = fit(*alpha, p, *points, error);
  if (!status) return SFM_OK;
  sfmi_feature_map_destroy(*points);
  free(*alpha);
  *points = NULL;
  *alpha = NULL;
  return status;
}
