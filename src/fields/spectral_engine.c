/* spectral_engine.c - the Gaussian kernel through its features on a torus
 * (features/kernels/gaussian_torus.h): x_i = sum_k phi_k(place i) z_k + nugget^1/2 w_i, k over the
 * tensor product of the axes' features, whose inner products are K to 1e-14 an axis. The torus is
 * laid around the places. */
#include "spectral_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"
#include "base/math/linear_algebra.h"
#include "features/kernels/gaussian_torus.h"
#include "distinct_places.h"
#include "field_engine.h"

/* Places at a time, and most numbers of a block of them when its first axis is contracted. */
enum { BLOCK = 256 };
static const size_t WORK = (size_t)1 << 22;

typedef struct spectral_axis {
  sfmi_torus torus;
  double lower;
  size_t features;
  double *sizes; /* amplitude_0, then sqrt 2 amplitude_j for features 2j - 1 and 2j */
} spectral_axis;

typedef struct spectral {
  sfmi_field field;
  sfmi_arena arena; /* of everything below */
  sfmi_distinct distinct;
  double *points; /* the distinct places */
  size_t dimension, features;
  spectral_axis axes[SFM_MAX_DIMENSION];
  size_t block, rest; /* places at a time; features of all axes but the first */
  double *phi;        /* features of a block on the first axis */
  double *work;       /* block x rest: what is left of the sum for each place, and 2 rest more */
} spectral;

static void features_at(const spectral_axis *axis, double x, double *phi) {
  const double u = ((x - axis->lower) + axis->torus.margin) / axis->torus.period;
  phi[0] = axis->sizes[0];
  for (size_t j = 1; j <= axis->torus.terms; j++) {
    const double angle = 2 * M_PI * fmod((double)j * u, 1);
    phi[2 * j - 1] = axis->sizes[j] * cos(angle);
    phi[2 * j] = axis->sizes[j] * sin(angle);
  }
}

/* The sum over all axes but the first, for one place.  phi is free by then. */
static double contract(spectral *self, const double *from, const double *point) {
  double *spare[2] = {self->work + self->block * self->rest,
                      self->work + (self->block + 1) * self->rest};
  size_t length = self->rest;
  for (size_t a = 1; a < self->dimension; a++) {
    const size_t terms = self->axes[a].features;
    length /= terms;
    features_at(&self->axes[a], point[a], self->phi);
    sfmi_matrix_multiply(spare[a % 2], self->phi, from, 1, terms, length);
    from = spare[a % 2];
  }
  return from[0];
}

/* The process at `count` places from the k-th distinct one on. */
static void block_path(spectral *self, double *values, size_t k, size_t count,
                       const double *normals) {
  const size_t d = self->dimension, terms = self->axes[0].features;
  const double *points = self->points + k * d;
  for (size_t i = 0; i < count; i++)
    features_at(&self->axes[0], points[i * d], self->phi + i * terms);
  sfmi_matrix_multiply(self->work, self->phi, normals, count, terms, self->rest);
  for (size_t i = 0; i < count; i++)
    values[i] = contract(self, self->work + i * self->rest, points + i * d);
}

static void path(sfmi_field *field, double *values, double *normals) {
  spectral *self = (spectral *)field;
  const size_t total = self->distinct.count;
  double *nuggets = normals + self->features, found[BLOCK];
  for (size_t k = 0; k < total; k += self->block) {
    const size_t count = total - k < self->block ? total - k : self->block;
    block_path(self, found, k, count, normals);
    for (size_t i = 0; i < count; i++)
      nuggets[k + i] = found[i] + sqrt(field->nugget) * nuggets[k + i];
  }
  explicit_bzero(found, sizeof found);
  sfmi_distinct_spread(&self->distinct, values, nuggets, field->count);
}

static void destroy(sfmi_field *field) {
  spectral *self = (spectral *)field;
  if (self->work) explicit_bzero(self->work, (self->block + 2) * self->rest * sizeof *self->work);
  sfmi_distinct_clear(&self->distinct);
  sfmi_arena_clear(&self->arena);
  free(self);
}

/* Torus, features and their sizes along an axis of the places. */
static sfm_status init_axis(spectral *self, size_t a, double h, sfm_error *error) {
  spectral_axis *axis = &self->axes[a];
  double upper = -INFINITY;
  axis->lower = INFINITY;
  for (size_t k = 0; k < self->distinct.count; k++) {
    axis->lower = fmin(axis->lower, self->points[k * self->dimension + a]);
    upper = fmax(upper, self->points[k * self->dimension + a]);
  }
  sfm_status status = sfmi_torus_init(&axis->torus, axis->lower, upper, h, error);
  if (status) return status;
  axis->features = 2 * axis->torus.terms + 1;
  if (axis->features > SFMI_SPECTRAL_MAX / self->features)
    return sfmi_fail(error, SFM_INVALID,
                     "the engine spectral would need more than %zu features for these bandwidths; "
                     "use larger bandwidths, or another engine",
                     SFMI_SPECTRAL_MAX);
  self->features *= axis->features;
  axis->sizes = sfmi_arena_doubles(&self->arena, axis->torus.terms + 1);
  if (!axis->sizes) return sfmi_fail_memory(error);
  for (size_t j = 0; j <= axis->torus.terms; j++)
    axis->sizes[j] = sfmi_torus_amplitude(&axis->torus, j) * (j ? M_SQRT2 : 1);
  return SFM_OK;
}

static sfm_status init(spectral *self, const sfm_kernel *kernel, const sfmi_places *places,
                       sfm_error *error) {
  const size_t d = self->dimension;
  sfm_status status = sfmi_distinct_init(&self->distinct, places, error);
  if (status) return status;
  self->points = sfmi_arena_doubles(&self->arena, self->distinct.count * d);
  if (!self->points) return sfmi_fail_memory(error);
  for (size_t k = 0; k < self->distinct.count; k++)
    sfmi_distinct_at(&self->distinct, places, k, self->points + k * d);
  size_t widest = 0;
  for (size_t a = 0; a < d; a++) {
    status = init_axis(self, a, kernel->bandwidth[a], error);
    if (status) return status;
    if (self->axes[a].features > widest) widest = self->axes[a].features;
  }
  self->rest = self->features / self->axes[0].features;
  self->block = self->rest < WORK / BLOCK ? BLOCK : self->rest < WORK ? WORK / self->rest : 1;
  self->phi = sfmi_arena_doubles(&self->arena, self->block * widest);
  self->work = sfmi_arena_doubles(&self->arena, (self->block + 2) * self->rest);
  if (!self->phi || !self->work) return sfmi_fail_memory(error);
  self->field.normals = self->features + self->distinct.count;
  return SFM_OK;
}

sfm_status sfmi_spectral_create(sfmi_field **out, const sfm_kernel *kernel,
                                const sfmi_places *places, double nugget, sfm_error *error) {
  spectral *self = sfmi_alloc(1, sizeof *self);
  if (!self) return sfmi_fail_memory(error);
  self->field =
      (sfmi_field){.count = places->count, .nugget = nugget, .path = path, .destroy = destroy};
  self->dimension = places->dimension;
  self->features = 1;
  sfm_status status = init(self, kernel, places, error);
  if (!status)
    *out = &self->field;
  else
    destroy(&self->field);
  return status;
}
