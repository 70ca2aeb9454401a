/* feature_map.c - why no phi(u) is longer than kappa.  By form:
 * - linear: the row itself, within the radius exactly (encoding.c): kappa = radius.
 * - monomials: |phi|^2 = (|u|^2 + root^2)^p with root = sqrt(shift) rounded, root^2 <= shift (1 +
 *   2^-51).  Every computed feature is off by at most 5 p 2^-53 of itself (monomials.h), the power
 *   by at most 2 p 2^-53: the slack of (8 p + 8) 2^-52 is more.
 * - torus: sfmi_torus_features_length.
 * - random: one (random_features.h).
 *
 * Then sqrt(kappa^2 + constant^2), rounded up.  Where doubles become floats they are rounded
 * towards zero (random and torus: see there).  kappa is from 1e-100 to 1e100, so that what
 * underflows is too little to matter: 2^24 features, each off by 2^-1074 then, beside 2^-52 kappa.
 */
#include "feature_map.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/elementary.h"
#include "features/kernels/kernel.h"
#include "monomials.h"
#include "torus_features.h"
#include "random_features.h"

const char *const sfmi_feature_map_forms[] = {"linear", "monomials", "torus",
                                              "random", "points",    NULL};

const char *sfmi_feature_map_form_name(sfmi_feature_map_form form) {
  return (unsigned)form <= SFMI_FEATURE_MAP_POINTS ? sfmi_feature_map_forms[form] : NULL;
}

void sfmi_feature_map_clear(sfmi_feature_map *stated) {
  free(stated->lower);
  free(stated->upper);
  free(stated->point_starts);
  free(stated->point_indices);
  free(stated->point_values);
  *stated = (sfmi_feature_map){0};
}

sfmi_feature_map sfmi_feature_map_like(const sfmi_feature_map *map, sfmi_feature_map_form form) {
  return (sfmi_feature_map){.form = form,
                            .dimension = map->dimension,
                            .radius = map->radius,
                            .kernel = map->kernel,
                            .bandwidth = map->bandwidth,
                            .degree = map->degree,
                            .shift = map->shift,
                            .constant = map->constant};
}

sfm_status sfmi_feature_map_make_points(sfmi_feature_map *stated, size_t count, size_t nonzeros,
                                        sfm_error *error) {
  stated->point_count = count;
  stated->point_starts = sfmi_alloc(count + 1, sizeof *stated->point_starts);
  stated->point_indices = sfmi_alloc(nonzeros, sizeof *stated->point_indices);
  stated->point_values = sfmi_alloc(nonzeros, sizeof *stated->point_values);
  if (stated->point_starts && stated->point_indices && stated->point_values) return SFM_OK;
  sfmi_feature_map_clear(stated);
  return sfmi_fail_memory(error);
}

void sfmi_feature_map_destroy(sfmi_feature_map *map) {
  if (!map) return;
  if (map->form == SFMI_FEATURE_MAP_TORUS)
    sfmi_torus_features_destroy(map->derived);
  else if (map->form == SFMI_FEATURE_MAP_RANDOM)
    sfmi_random_features_destroy(map->derived);
  else
    free(map->derived);
  sfmi_feature_map_clear(map);
  free(map);
}

static sfm_status complete_linear(sfmi_feature_map *map, sfm_error *error) {
  (void)error;
  map->count = map->dimension;
  map->kappa = map->radius;
  return SFM_OK;
}

static sfm_status complete_monomials(sfmi_feature_map *map, sfm_error *error) {
  const sfm_kernel kernel = {.family = map->kernel,
                             .dimension = map->dimension,
                             .degree = map->degree,
                             .constant = map->shift,
                             .radius = map->radius};
  sfmi_monomials *monomials = sfmi_alloc(1, sizeof *monomials);
  if (!monomials) return sfmi_fail_memory(error);
  map->derived = monomials;
  const sfm_status status = sfmi_monomials_init(monomials, &kernel, error);
  if (status) return status;
  const double slack = 8 * (double)(monomials->degree + 1) * 0x1p-52;
  map->count = monomials->count;
  map->kappa = sqrt(sfm_kernel_sup(&kernel) * (1 + slack));
  return SFM_OK;
}

static sfm_status complete_torus(sfmi_feature_map *map, sfm_error *error) {
  sfmi_torus_features *tensor;
  if (!map->lower || !map->upper)
    return sfmi_fail(error, SFM_INVALID, "finite features of a gaussian kernel need a box");
  const sfm_status status = sfmi_torus_features_create(&tensor, map->lower, map->upper,
                                                       map->dimension, map->bandwidth, error);
  if (status) return status;
  map->derived = tensor;
  map->count = sfmi_torus_features_count(tensor);
  map->kappa = sfmi_torus_features_length(tensor);
  return SFM_OK;
}

static sfm_status complete_random(sfmi_feature_map *map, sfm_error *error) {
  const sfmi_spectral_law law = {map->kernel, map->dimension, map->frequencies, map->seed};
  sfmi_random_features *random;
  const sfm_status status =
      sfmi_random_features_create(&random, &law, map->bandwidth, map->radius, error);
  if (status) return status;
  map->derived = random;
  map->count = 2 * map->frequencies;
  map->kappa = 1;
  return SFM_OK;
}

static sfm_status complete_points(sfmi_feature_map *map, sfm_error *error) {
  if (!map->point_starts || map->point_count == 0)
    return sfmi_fail(error, SFM_INVALID, "a function at public places needs at least one place");
  for (size_t i = 0; i < map->point_count; i++)
    for (size_t k = map->point_starts[i]; k < map->point_starts[i + 1]; k++) {
      const bool first = k == map->point_starts[i];
      if (map->point_indices[k] >= map->dimension ||
          (!first && map->point_indices[k] <= map->point_indices[k - 1]))
        return sfmi_fail(error, SFM_INVALID,
                         "place %zu has coordinates that do not ascend or are beyond the last one",
                         i + 1);
      if (!isfinite(map->point_values[k]))
        return sfmi_fail(error, SFM_INVALID, "place %zu has a coordinate that is no number", i + 1);
    }
  const sfm_kernel kernel = {
      .family = map->kernel, .degree = map->degree, .constant = map->shift, .radius = map->radius};
  map->count = map->point_count;
  map->kappa = sqrt(sfm_kernel_sup(&kernel));
  return SFM_OK;
}

/* Which kernels have features of that form. */
static bool form_fits(const sfmi_feature_map *map) {
  switch (map->form) {
  case SFMI_FEATURE_MAP_LINEAR:
    return map->kernel == SFM_KERNEL_LINEAR;
  case SFMI_FEATURE_MAP_MONOMIALS:
    return map->kernel == SFM_KERNEL_POLYNOMIAL;
  case SFMI_FEATURE_MAP_TORUS:
    return map->kernel == SFM_KERNEL_GAUSSIAN;
  case SFMI_FEATURE_MAP_RANDOM:
    return sfmi_kernel_stationary(map->kernel);
  default:
    return map->kernel < SFM_KERNEL_OWN;
  }
}

static sfm_status check_kernel(const sfmi_feature_map *map, sfm_error *error) {
  const char *name = sfm_kernel_family_name(map->kernel);
  if (!sfmi_feature_map_form_name(map->form) || !name || !form_fits(map))
    return sfmi_fail(
        error, SFM_INVALID, "a %s kernel has no features of the form %s", name ? name : "unknown",
        sfmi_feature_map_form_name(map->form) ? sfmi_feature_map_form_name(map->form) : "unknown");
  if (sfmi_kernel_stationary(map->kernel) && (!(map->bandwidth > 0) || !isfinite(map->bandwidth)))
    return sfmi_fail(error, SFM_INVALID,
                     "the bandwidth of a %s kernel must be a positive number, not %g", name,
                     map->bandwidth);
  if (sfmi_kernel_stationary(map->kernel)) return SFM_OK;
  const sfm_kernel kernel = {.family = map->kernel,
                             .dimension = map->dimension,
                             .degree = map->degree,
                             .constant = map->shift,
                             .radius = map->radius};
  return sfm_kernel_check(&kernel, error);
}

static sfm_status check(const sfmi_feature_map *map, sfm_error *error) {
  if (map->dimension < 1 || map->dimension > SFMI_ENCODING_MAX)
    return sfmi_fail(error, SFM_INVALID, "features need 1 to %zu coordinates, not %zu",
                     SFMI_ENCODING_MAX, map->dimension);
  if (!(map->radius > 0) || !isfinite(map->radius))
    return sfmi_fail(error, SFM_INVALID, "the largest length of a row is a positive number, not %g",
                     map->radius);
  if (!(map->constant >= 0) || !isfinite(map->constant))
    return sfmi_fail(error, SFM_INVALID,
                     "the constant feature is a number of at least 0, not %g (settings.constant)",
                     map->constant);
  return check_kernel(map, error);
}

static bool has_constant(const sfmi_feature_map *map) {
  return map->constant > 0 && map->form != SFMI_FEATURE_MAP_POINTS;
}

/* What the constant adds, and whether all is within limits. */
static sfm_status complete_constant(sfmi_feature_map *map, sfm_error *error) {
  if (map->constant > 0) map->kappa = hypot(map->kappa, map->constant) * (1 + 0x1p-51);
  map->count += has_constant(map);
  if (map->count > SFMI_FEATURE_MAP_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "a %s kernel in %zu coordinates has %zu features, and up to %zu can be used: "
                     "write fewer columns or a lower degree",
                     sfm_kernel_family_name(map->kernel), map->dimension, map->count,
                     SFMI_FEATURE_MAP_MAX);
  if (!(map->kappa >= 1e-100 && map->kappa <= 1e100))
    return sfmi_fail(error, SFM_INVALID,
                     "the features of a row can have length %g, which is out of range: scale the "
                     "columns (settings.scaling = unit) or write another settings.clip_norm",
                     map->kappa);
  return SFM_OK;
}

sfm_status sfmi_feature_map_create_lazy(sfmi_feature_map **out, const sfmi_feature_map *stated,
                                        sfm_error *error) {
  static sfm_status (*const complete[])(sfmi_feature_map *, sfm_error *) = {
      complete_linear, complete_monomials, complete_torus, complete_random, complete_points};
  *out = NULL;
  sfmi_feature_map *map = sfmi_alloc(1, sizeof *map);
  if (!map) {
    sfmi_feature_map taken = *stated;
    sfmi_feature_map_clear(&taken);
    return sfmi_fail_memory(error);
  }
  *map = *stated;
  map->derived = NULL;
  sfm_status status = check(map, error);
  if (!status) status = complete[map->form](map, error);
  if (!status) status = complete_constant(map, error);
  if (status) {
    sfmi_feature_map_destroy(map);
    return status;
  }
  *out = map;
  return SFM_OK;
}

sfm_status sfmi_feature_map_prepare(const sfmi_feature_map *map, sfm_error *error) {
  return map->form == SFMI_FEATURE_MAP_RANDOM ? sfmi_random_features_draw(map->derived, error)
                                              : SFM_OK;
}

double sfmi_feature_map_bytes(const sfmi_feature_map *map) {
  return map->form == SFMI_FEATURE_MAP_RANDOM ? sfmi_random_features_bytes(map->derived) : 0;
}

sfm_status sfmi_feature_map_create(sfmi_feature_map **out, const sfmi_feature_map *stated,
                                   sfm_error *error) {
  sfm_status status = sfmi_feature_map_create_lazy(out, stated, error);
  if (!status) status = sfmi_feature_map_prepare(*out, error);
  if (!status || !*out) return status;
  sfmi_feature_map_destroy(*out);
  *out = NULL;
  return status;
}

size_t sfmi_feature_map_nonzeros(const sfmi_feature_map *map, size_t nonzeros) {
  if (map->form == SFMI_FEATURE_MAP_LINEAR) return nonzeros + has_constant(map);
  if (map->form == SFMI_FEATURE_MAP_MONOMIALS)
    return sfmi_monomials_nonzeros(map->derived, nonzeros) + has_constant(map);
  return map->count;
}

bool sfmi_feature_map_sparse(const sfmi_feature_map *map) {
  return map->form == SFMI_FEATURE_MAP_LINEAR || map->form == SFMI_FEATURE_MAP_MONOMIALS;
}

/* The largest float that is not longer. */
static float towards_zero(double x) {
  const float near = (float)fmax(fmin(x, FLT_MAX), -FLT_MAX);
  return fabs((double)near) > fabs(x) ? nextafterf(near, 0) : near;
}

/* Where the features of a row go: one of three. */
typedef struct row_out {
  uint32_t *features;
  double *values;
  size_t written;
  double *dense;
  float *floats;
} row_out;

static void put(void *context, size_t feature, double value) {
  row_out *out = context;
  if (out->dense) {
    out->dense[feature] = value;
  } else if (out->floats) {
    out->floats[feature] = towards_zero(value);
  } else {
    out->features[out->written] = (uint32_t)feature;
    out->values[out->written++] = value;
  }
}

static void put_row(const sfmi_feature_map *map, row_out *out, const uint32_t *indices,
                    const double *u, size_t nonzeros) {
  if (map->form == SFMI_FEATURE_MAP_MONOMIALS)
    sfmi_monomials_each(map->derived, put, out, indices, u, nonzeros);
  else
    for (size_t j = 0; j < nonzeros; j++) put(out, indices[j], u[j]);
  if (has_constant(map)) put(out, map->count - 1, map->constant);
}

size_t sfmi_feature_map_row(const sfmi_feature_map *map, uint32_t *features, double *values,
                            const uint32_t *indices, const double *u, size_t nonzeros) {
  row_out out = {.features = features, .values = values};
  put_row(map, &out, indices, u, nonzeros);
  return out.written;
}

/* K(u, z_j) + constant^2. */
static double at_place(const sfmi_feature_map *map, size_t j, const uint32_t *indices,
                       const double *u, size_t nonzeros) {
  const size_t start = map->point_starts[j];
  return sfmi_feature_map_kernel(map, indices, u, nonzeros, map->point_indices + start,
                                 map->point_values + start, map->point_starts[j + 1] - start);
}

void sfmi_feature_map_dense(const sfmi_feature_map *map, double *phi, const size_t *starts,
                            const uint32_t *indices, const double *u, size_t rows) {
  if (map->form == SFMI_FEATURE_MAP_RANDOM)
    sfmi_random_features_doubles(map->derived, phi, map->count, starts, indices, u, rows);
  for (size_t r = 0; r < rows; r++, phi += map->count) {
    const uint32_t *i = indices + starts[r];
    const double *x = u + starts[r];
    const size_t nonzeros = starts[r + 1] - starts[r];
    if (sfmi_feature_map_sparse(map)) {
      memset(phi, 0, map->count * sizeof *phi);
      put_row(map, &(row_out){.dense = phi}, i, x, nonzeros);
    }
    if (map->form == SFMI_FEATURE_MAP_TORUS)
      sfmi_torus_features_doubles(map->derived, phi, i, x, nonzeros);
    for (size_t j = 0; map->form == SFMI_FEATURE_MAP_POINTS && j < map->count; j++)
      phi[j] = at_place(map, j, i, x, nonzeros);
    if (has_constant(map)) phi[map->count - 1] = map->constant;
  }
}

void sfmi_feature_map_floats(const sfmi_feature_map *map, float *phi, size_t stride,
                             const size_t *starts, const uint32_t *indices, const double *u,
                             size_t rows) {
  if (map->form == SFMI_FEATURE_MAP_RANDOM)
    sfmi_random_features_floats(map->derived, phi, stride, starts, indices, u, rows);
  for (size_t r = 0; r < rows; r++, phi += stride) {
    const uint32_t *i = indices + starts[r];
    const double *x = u + starts[r];
    const size_t nonzeros = starts[r + 1] - starts[r];
    if (sfmi_feature_map_sparse(map)) {
      memset(phi, 0, map->count * sizeof *phi);
      put_row(map, &(row_out){.floats = phi}, i, x, nonzeros);
    }
    if (map->form == SFMI_FEATURE_MAP_TORUS)
      sfmi_torus_features_floats(map->derived, phi, i, x, nonzeros);
    for (size_t j = 0; map->form == SFMI_FEATURE_MAP_POINTS && j < map->count; j++)
      phi[j] = (float)at_place(map, j, i, x, nonzeros);
    if (has_constant(map)) phi[map->count - 1] = towards_zero(map->constant);
  }
}

/* Two rows, coordinate by coordinate where one of them is not zero. */
typedef struct merging {
  const uint32_t *ui, *vi;
  const double *u, *v;
  size_t un, vn, i, j;
} merging;

static bool merge_next(merging *m, double *u, double *v) {
  if (m->i == m->un && m->j == m->vn) return false;
  const uint32_t a = m->i < m->un ? m->ui[m->i] : UINT32_MAX;
  const uint32_t b = m->j < m->vn ? m->vi[m->j] : UINT32_MAX;
  *u = a <= b ? m->u[m->i++] : 0;
  *v = b <= a ? m->v[m->j++] : 0;
  return true;
}

/* Indices ascend; which of the two lists goes on is not predictable, so it is no branch. */
static double inner(merging m) {
  double sum = 0;
  while (m.i < m.un && m.j < m.vn) {
    const uint32_t a = m.ui[m.i], b = m.vi[m.j];
    if (a == b) sum += m.u[m.i] * m.v[m.j];
    m.i += a <= b;
    m.j += b <= a;
  }
  return sum;
}

/* As sfm_kernel_at. */
static double stationary(const sfmi_feature_map *map, merging m) {
  const sfm_kernel_family kernel = map->kernel;
  const bool product = kernel == SFM_KERNEL_CAUCHY, absolute = kernel == SFM_KERNEL_LAPLACIAN;
  double sum = 0, all = 1, u, v;
  while (merge_next(&m, &u, &v)) {
    const double apart = (u - v) / map->bandwidth;
    if (product)
      all *= sfmi_kernel_profile(kernel, apart);
    else
      sum += absolute ? fabs(apart) : apart * apart;
  }
  return product ? all : sfmi_kernel_profile(kernel, absolute ? sum : sqrt(sum));
}

double sfmi_feature_map_kernel(const sfmi_feature_map *map, const uint32_t *ui, const double *u,
                               size_t un, const uint32_t *vi, const double *v, size_t vn) {
  const merging m = {.ui = ui, .vi = vi, .u = u, .v = v, .un = un, .vn = vn};
  double value;
  if (sfmi_kernel_stationary(map->kernel))
    value = stationary(map, m);
  else if (map->kernel == SFM_KERNEL_POLYNOMIAL)
    value = sfmi_power(inner(m) + map->shift, map->degree);
  else
    value = inner(m);
  return value + map->constant * map->constant;
}

double sfmi_feature_map_kernel_between(const sfmi_feature_map *map, size_t i, size_t j) {
  const size_t start = map->point_starts[i];
  return at_place(map, j, map->point_indices + start, map->point_values + start,
                  map->point_starts[i + 1] - start);
}

sfm_status sfmi_feature_map_matrix(double **matrix, const sfmi_feature_map *map, double diagonal,
                                   sfm_error *error) {
  const size_t count = map->point_count;
  double *m = *matrix = sfmi_alloc(count * count, sizeof *m);
  if (!m) return sfmi_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j <= i; j++)
      m[i * count + j] = m[j * count + i] = sfmi_feature_map_kernel_between(map, i, j);
    m[i * count + i] += diagonal;
  }
  return SFM_OK;
}
