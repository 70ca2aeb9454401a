#include "releases/shortfall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

/* What is added for rows between those that are looked at, by dimension (tests/releases/
 * test_shortfall.c searches for what passes it). */
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

sfm_status sfmi_shortfall_init(sfmi_shortfall *shortfall, const sfm_kernel *kernel, bool foreign,
                               const double *lower, const double *upper, size_t most,
                               sfm_error *error) {
  *shortfall = (sfmi_shortfall){.kernel = *kernel,
                                .foreign = foreign,
                                .lower = lower,
                                .upper = upper,
                                .margin = margin_of(kernel),
                                .points = sfmi_alloc(most * kernel->dimension, sizeof(double)),
                                .weights = sfmi_alloc(most, sizeof(double))};
  if (shortfall->points && shortfall->weights) return SFM_OK;
  sfmi_shortfall_clear(shortfall);
  return sfmi_fail_memory(error);
}

void sfmi_shortfall_clear(sfmi_shortfall *shortfall) {
  free(shortfall->points);
  free(shortfall->weights);
  shortfall->points = shortfall->weights = NULL;
}

/* r(y), given K(x, y). */
static double missed(const sfmi_shortfall *shortfall, const double *y, double whole) {
  const size_t d = shortfall->kernel.dimension;
  for (size_t j = 0; j < shortfall->count; j++)
    whole -=
        shortfall->weights[j] * sfm_kernel_at(&shortfall->kernel, shortfall->points + j * d, y);
  return whole;
}

/* A row at y. */
static void look(sfmi_shortfall *shortfall, const double *y) {
  const double whole = sfm_kernel_at(&shortfall->kernel, shortfall->x, y);
  const double off = shortfall->margin * (fabs(missed(shortfall, y, whole)) + shortfall->skipped);
  for (size_t k = 0; k < SFMI_SHORTFALL_SHARES; k++)
    shortfall->rest[k] = fmax(shortfall->rest[k], off - shortfall->share[k] * whole);
}

void sfmi_shortfall_begin(sfmi_shortfall *shortfall, const double *x, const double *points,
                          const double *weights, size_t count) {
  const size_t d = shortfall->kernel.dimension;
  shortfall->x = x;
  shortfall->count = 0;
  shortfall->skipped = 0;
  for (size_t j = 0; j < count; j++) {
    if (fabs(weights[j]) * (double)count <= NEGLIGIBLE) {
      shortfall->skipped += fabs(weights[j]);
      continue;
    }
    shortfall->weights[shortfall->count] = weights[j];
    memcpy(shortfall->points + shortfall->count++ * d, points + j * d, d * sizeof *points);
  }
  /* None, then from what a row at x itself needs on, each half as much again. */
  const double here = shortfall->margin * (fabs(missed(shortfall, x, 1)) + shortfall->skipped);
  shortfall->share[0] = 0;
  for (size_t k = 1; k < SFMI_SHORTFALL_SHARES; k++)
    shortfall->share[k] = k == 1 ? here : 1.5 * shortfall->share[k - 1];
  memset(shortfall->rest, 0, sizeof shortfall->rest);
  look(shortfall, x);
  for (size_t j = 0; shortfall->foreign && j < shortfall->count; j++)
    look(shortfall, shortfall->points + j * d);
}

/* Coordinates along each axis, to be combined. */
enum { SIDE_MOST = 129 };
typedef struct lines {
  double at[3][SIDE_MOST];
  size_t count[3];
} lines;

static double within(const sfmi_shortfall *shortfall, size_t a, double y) {
  return fmin(fmax(y, shortfall->lower[a]), shortfall->upper[a]);
}

/* x plus step i (1 + growth |i|) units, i from -reach to reach. */
static void spaced(lines *l, const sfmi_shortfall *shortfall, const double *unit, int reach,
                   double step, double growth) {
  for (size_t a = 0; a < shortfall->kernel.dimension; a++) {
    l->count[a] = 0;
    for (int i = -reach; i <= reach; i++) {
      const double far = step * i * (1 + growth * abs(i)) * unit[a];
      l->at[a][l->count[a]++] = within(shortfall, a, shortfall->x[a] + far);
    }
  }
}

/* The middles of cells that are at most `reach` away, and x. */
static void middles(lines *l, const sfmi_shortfall *shortfall, const double *spacing, int reach) {
  for (size_t a = 0; a < shortfall->kernel.dimension; a++) {
    const double lower = shortfall->lower[a], cell = spacing[a];
    const double first = floor((shortfall->x[a] - lower) / cell) + 0.5;
    l->count[a] = 0;
    l->at[a][l->count[a]++] = shortfall->x[a];
    for (int i = -reach; i <= reach; i++)
      l->at[a][l->count[a]++] = within(shortfall, a, lower + (first + i) * cell);
  }
}

/* All over the domain, bounds included. */
static void spread(lines *l, const sfmi_shortfall *shortfall, size_t side) {
  for (size_t a = 0; a < shortfall->kernel.dimension; a++) {
    l->count[a] = side;
    for (size_t i = 0; i < side; i++) {
      const double t = (double)i / (double)(side - 1);
      l->at[a][i] = within(shortfall, a,
                           shortfall->lower[a] + t * (shortfall->upper[a] - shortfall->lower[a]));
    }
  }
}

/* Rows at all combinations. */
static void look_across(sfmi_shortfall *shortfall, const lines *l) {
  const size_t d = shortfall->kernel.dimension;
  size_t total = 1;
  for (size_t a = 0; a < d; a++) total *= l->count[a];
  for (size_t n = 0; n < total; n++) {
    double y[3];
    size_t left = n;
    for (size_t a = 0; a < d; a++, left /= l->count[a - 1]) y[a] = l->at[a][left % l->count[a]];
    look(shortfall, y);
  }
}

/* Rows that differ from x in one coordinate: of those the most is missed. */
static void look_along(sfmi_shortfall *shortfall, const lines *l) {
  const size_t d = shortfall->kernel.dimension;
  double y[3];
  for (size_t a = 0; a < d; a++) {
    memcpy(y, shortfall->x, d * sizeof *y);
    for (size_t i = 0; i < l->count[a]; i++) {
      y[a] = l->at[a][i];
      look(shortfall, y);
    }
  }
}

void sfmi_shortfall_line(sfmi_shortfall *shortfall, const double *edges, size_t count, size_t own) {
  static const size_t NEAR = 4; /* gaps */
  lines l;
  for (size_t g = 0; g + 1 < count; g++) {
    const size_t away = g < own ? own - g : g - own, parts = away <= NEAR ? 8 : 4;
    for (size_t j = 0; j < parts; j++) {
      const double y = edges[g] + (edges[g + 1] - edges[g]) * ((double)j + 0.5) / (double)parts;
      look(shortfall, &y);
    }
  }
  spaced(&l, shortfall, shortfall->kernel.bandwidth, 64, 1. / 8, 1. / 64);
  look_across(shortfall, &l);
  spread(&l, shortfall, 65);
  look_across(shortfall, &l);
}

void sfmi_shortfall_box(sfmi_shortfall *shortfall, const double *spacing) {
  const bool plane = shortfall->kernel.dimension == 2;
  const double *bandwidth = shortfall->kernel.bandwidth;
  lines l;
  spaced(&l, shortfall, spacing, 64, 1. / 8, 0);
  look_along(shortfall, &l);
  spaced(&l, shortfall, bandwidth, 64, 1. / 8, 1. / 64);
  look_along(shortfall, &l);
  spaced(&l, shortfall, spacing, plane ? 9 : 4, plane ? 1. / 3 : 1. / 2, 0);
  look_across(shortfall, &l);
  spaced(&l, shortfall, bandwidth, plane ? 12 : 4, plane ? 1. / 3 : 1. / 2, 1. / 12);
  look_across(shortfall, &l);
  middles(&l, shortfall, spacing, plane ? 8 : 4);
  look_across(shortfall, &l);
  spread(&l, shortfall, plane ? 12 : 6);
  look_across(shortfall, &l);
}
