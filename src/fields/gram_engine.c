/* gram_engine.c - any kernel at any places: the Cholesky factor of K + nugget I.
 *
 * Rounding, with m distinct places, S = sup K + nugget (enforced) and u = 2^-53: an entry of K is
 * off by a few u S, and L L' from the matrix by at most (m + 1) u S an entry (Higham, Accuracy and
 * Stability, theorem 10.3), so that in norm L L' is within m (m + 4) u S of K + nugget I, 1.2e-8 S
 * at 10,000 places.  The nugget of gaussian_field.h is 9.5e-7 S: more than half of it is left in
 * every direction, no pivot comes near zero, and only a kernel that is not positive definite fails.
 */
#include "gram_engine.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/linear_algebra.h"
#include "distinct_places.h"
#include "field_engine.h"

typedef struct gram {
  sfmi_field field;
  sfmi_distinct distinct;
  double *lower; /* L, distinct x distinct */
} gram;

sfm_status sfmi_gram_row(double *row, const double *points, size_t i, const sfm_kernel *kernel,
                         double nugget, sfm_error *error) {
  static const double SLACK = 1 + 1e-9; /* |x| may exceed the radius by rounding */
  const char *name = sfm_kernel_family_name(kernel->family);
  const size_t d = kernel->dimension;
  for (size_t j = 0; j <= i; j++) {
    row[j] = sfm_kernel_at(kernel, points + i * d, points + j * d);
    if (!isfinite(row[j]))
      return sfmi_fail(error, SFM_INVALID,
                       "the %s kernel is not a finite number between two of the places", name);
  }
  if (row[i] > sfm_kernel_sup(kernel) * SLACK)
    return sfmi_fail(error, SFM_INVALID,
                     "K(x, x) of the %s kernel exceeds its bound %g at one of the places; state a "
                     "larger %s, or leave the place out",
                     name, sfm_kernel_sup(kernel),
                     kernel->family == SFM_KERNEL_OWN ? "bound" : "radius");
  row[i] += nugget;
  return SFM_OK;
}

/* K + nugget I, its lower triangle. */
static sfm_status fill(double *matrix, const double *points, size_t count, const sfm_kernel *kernel,
                       double nugget, sfm_error *error) {
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < count && !status; i++)
    status = sfmi_gram_row(matrix + i * count, points, i, kernel, nugget, error);
  return status;
}

static sfm_status factor(double *matrix, size_t count, const sfm_kernel *kernel, sfm_error *error) {
  const size_t order = sfmi_cholesky_lower(matrix, count);
  if (!order) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "the %s kernel is not positive definite at these places (the matrix of the "
                   "first %zu distinct ones fails); a kernel must be symmetric and have v'Kv >= 0 "
                   "for every v",
                   sfm_kernel_family_name(kernel->family), order);
}

static void path(sfmi_field *field, double *values, double *normals) {
  gram *self = (gram *)field;
  sfmi_lower_multiply(self->lower, self->distinct.count, normals);
  sfmi_distinct_spread(&self->distinct, values, normals, field->count);
}

static void destroy(sfmi_field *field) {
  gram *self = (gram *)field;
  sfmi_distinct_clear(&self->distinct);
  free(self->lower);
  free(self);
}

/* The distinct places, one after another, or NULL. */
static double *gather(const sfmi_distinct *distinct, const sfmi_places *places) {
  double *points = sfmi_alloc(distinct->count * places->dimension, sizeof *points);
  for (size_t k = 0; points && k < distinct->count; k++)
    sfmi_distinct_at(distinct, places, k, points + k * places->dimension);
  return points;
}

sfm_status sfmi_gram_create(sfmi_field **out, const sfm_kernel *kernel, const sfmi_places *places,
                            double nugget, sfm_error *error) {
  gram *self = sfmi_alloc(1, sizeof *self);
  if (!self) return sfmi_fail_memory(error);
  self->field =
      (sfmi_field){.count = places->count, .nugget = nugget, .path = path, .destroy = destroy};
  double *points = NULL;
  sfm_status status = sfmi_distinct_init(&self->distinct, places, error);
  if (status) goto end;
  const size_t count = self->distinct.count;
  self->field.normals = count;
  self->lower = sfmi_alloc(count * count, sizeof *self->lower);
  points = gather(&self->distinct, places);
  if (!self->lower || !points) {
    status = sfmi_fail_memory(error);
    goto end;
  }
  status = fill(self->lower, points, count, kernel, nugget, error);
  if (!status) status = factor(self->lower, count, kernel, error);
end:
  free(points);
  if (!status)
    *out = &self->field;
  else
    destroy(&self->field);
  return status;
}
