#include "interpolation_bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/status.h"

/* What is added for rows between those that are looked at, by dimension (tests/releases/
 * test_interpolation_bound.c searches for what passes it). */
static const double MARGIN[] = {1.2, 1.3, 1.5};
/* Of exponentials on a line r/K(x, .) is monotone between x and the places around it: it is largest
 * at x, which is looked at. */
static const double MARGIN_EXPONENTIAL = 1.01;
/* Places whose weights sum up to less than this are left out. */
static const double NEGLIGIBLE = 1e-6;

static double margin_of(const sfm_kernel *kernel) {
  const bool exponential =
      kernel->family == SFM_KERNEL_LAPLACIAN || kernel->family == SFM_KERNEL_MATERN12;
  if (kernel->dimension > 3) return INFINITY;
  return kernel->dimension == 1 && exponential ? MARGIN_EXPONENTIAL : MARGIN[kernel->dimension - 1];
}

sfm_status sfmi_interpolation_bound_init(sfmi_interpolation_bound *bound, const sfm_kernel *kernel,
                                         bool foreign, const double *lower, const double *upper,
                                         size_t most, sfm_error *error) {
  *bound =
      (sfmi_interpolation_bound){.kernel = *kernel,
                                 .foreign = foreign,
                                 .lower = lower,
                                 .upper = upper,
                                 .margin = margin_of(kernel),
                                 .points = sfmi_alloc(most * kernel->dimension, sizeof(double)),
                                 .weights = sfmi_alloc(most, sizeof(double))};
  if (bound->points && bound->weights) return SFM_OK;
  sfmi_interpolation_bound_clear(bound);
  return sfmi_fail_memory(error);
}

void sfmi_interpolation_bound_clear(sfmi_interpolation_bound *bound) {
  free(bound->points);
  free(bound->weights);
  bound->points = bound->weights = NULL;
}

/* r(y), given K(x, y). */
static double missed(const sfmi_interpolation_bound *bound, const double *y, double whole) {
  const size_t d = bound->kernel.dimension;
  for (size_t j = 0; j < bound->count; j++)
    whole -= bound->weights[j] * sfm_kernel_at(&bound->kernel, bound->points + j * d, y);
  return whole;
}

/* A row at y. */
static void look(sfmi_interpolation_bound *bound, const double *y) {
  const double whole = sfm_kernel_at(&bound->kernel, bound->x, y);
  const double off = bound->margin * (fabs(missed(bound, y, whole)) + bound->skipped);
  for (size_t k = 0; k < SFMI_INTERPOLATION_SHARES; k++)
    bound->rest[k] = fmax(bound->rest[k], off - bound->share[k] * whole);
}

void sfmi_interpolation_bound_begin(sfmi_interpolation_bound *bound, const double *x,
                                    const double *points, const double *weights, size_t count) {
  const size_t d = bound->kernel.dimension;
  bound->x = x;
  bound->count = 0;
  bound->skipped = 0;
  for (size_t j = 0; j < count; j++) {
    if (fabs(weights[j]) * (double)count <= NEGLIGIBLE) {
      bound->skipped += fabs(weights[j]);
      continue;
    }
    bound->weights[bound->count] = weights[j];
    memcpy(bound->points + bound->count++ * d, points + j * d, d * sizeof *points);
  }
  /* None, then from what a row at x itself needs on, each half as much again. */
  const double here = bound->margin * (fabs(missed(bound, x, 1)) + bound->skipped);
  bound->share[0] = 0;
  for (size_t k = 1; k < SFMI_INTERPOLATION_SHARES; k++)
    bound->share[k] = k == 1 ? here : 1.5 * bound->share[k - 1];
  memset(bound->rest, 0, sizeof bound->rest);
  look(bound, x);
  for (size_t j = 0; bound->foreign && j < bound->count; j++) look(bound, bound->points + j * d);
}

/* Coordinates along each axis, to be combined. */
enum { SIDE_MOST = 129 };
typedef struct lines {
  double at[3][SIDE_MOST];
  size_t count[3];
} lines;

static double within(const sfmi_interpolation_bound *bound, size_t a, double y) {
  return fmin(fmax(y, bound->lower[a]), bound->upper[a]);
}

/* x plus step i (1 + growth |i|) units, i from -reach to reach. */
static void spaced(lines *l, const sfmi_interpolation_bound *bound, const double *unit, int reach,
                   double step, double growth) {
  for (size_t a = 0; a < bound->kernel.dimension; a++) {
    l->count[a] = 0;
    for (int i = -reach; i <= reach; i++) {
      const double far = step * i * (1 + growth * abs(i)) * unit[a];
      l->at[a][l->count[a]++] = within(bound, a, bound->x[a] + far);
    }
  }
}

/* The middles of cells that are at most `reach` away, and x. */
static void middles(lines *l, const sfmi_interpolation_bound *bound, const double *spacing,
                    int reach) {
  for (size_t a = 0; a < bound->kernel.dimension; a++) {
    const double lower = bound->lower[a], cell = spacing[a];
    const double first = floor((bound->x[a] - lower) / cell) + 0.5;
    l->count[a] = 0;
    l->at[a][l->count[a]++] = bound->x[a];
    for (int i = -reach; i <= reach; i++)
      l->at[a][l->count[a]++] = within(bound, a, lower + (first + i) * cell);
  }
}

/* All over the domain, bounds included. */
static void spread(lines *l, const sfmi_interpolation_bound *bound, size_t side) {
  for (size_t a = 0; a < bound->kernel.dimension; a++) {
    l->count[a] = side;
    for (size_t i = 0; i < side; i++) {
      const double t = (double)i / (double)(side - 1);
      l->at[a][i] = within(bound, a, bound->lower[a] + t * (bound->upper[a] - bound->lower[a]));
    }
  }
}

/* Rows at all combinations. */
static void look_across(sfmi_interpolation_bound *bound, const lines *l) {
  const size_t d = bound->kernel.dimension;
  size_t total = 1;
  for (size_t a = 0; a < d; a++) total *= l->count[a];
  for (size_t n = 0; n < total; n++) {
    double y[3];
    size_t left = n;
    for (size_t a = 0; a < d; a++, left /= l->count[a - 1]) y[a] = l->at[a][left % l->count[a]];
    look(bound, y);
  }
}

/* Rows that differ from x in one coordinate: of those the most is missed. */
static void look_along(sfmi_interpolation_bound *bound, const lines *l) {
  const size_t d = bound->kernel.dimension;
  double y[3];
  for (size_t a = 0; a < d; a++) {
    memcpy(y, bound->x, d * sizeof *y);
    for (size_t i = 0; i < l->count[a]; i++) {
      y[a] = l->at[a][i];
      look(bound, y);
    }
  }
}

void sfmi_interpolation_bound_line(sfmi_interpolation_bound *bound, const double *edges,
                                   size_t count, size_t own) {
  static const size_t NEAR = 4; /* gaps */
  lines l;
  for (size_t g = 0; g + 1 < count; g++) {
    const size_t away = g < own ? own - g : g - own, parts = away <= NEAR ? 8 : 4;
    for (size_t j = 0; j < parts; j++) {
      const double y = edges[g] + (edges[g + 1] - edges[g]) * ((double)j + 0.5) / (double)parts;
      look(bound, &y);
    }
  }
  spaced(&l, bound, bound->kernel.bandwidth, 64, 1. / 8, 1. / 64);
  look_across(bound, &l);
  spread(&l, bound, 65);
  look_across(bound, &l);
}

void sfmi_interpolation_bound_box(sfmi_interpolation_bound *bound, const double *spacing) {
  const bool plane = bound->kernel.dimension == 2;
  const double *bandwidth = bound->kernel.bandwidth;
  lines l;
  spaced(&l, bound, spacing, 64, 1. / 8, 0);
  look_along(bound, &l);
  spaced(&l, bound, bandwidth, 64, 1. / 8, 1. / 64);
  look_along(bound, &l);
  spaced(&l, bound, spacing, plane ? 9 : 4, plane ? 1. / 3 : 1. / 2, 0);
  look_across(bound, &l);
  spaced(&l, bound, bandwidth, plane ? 12 : 4, plane ? 1. / 3 : 1. / 2, 1. / 12);
  look_across(bound, &l);
  middles(&l, bound, spacing, plane ? 8 : 4);
  look_across(bound, &l);
  spread(&l, bound, plane ? 12 : 6);
  look_across(bound, &l);
}
