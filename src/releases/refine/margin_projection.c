#include "margin_projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"

/* Of the iteration: the change at which it ends, and how much is done at most (cells x columns x
 * rounds, a few seconds). */
static const double CHANGE = 1e-12, WORK = 2e9;
/* What is smaller, beside the largest count, is none. */
static const double NOTHING = 1e-9;
enum { ROUNDS_LEAST = 100, ROUNDS_MOST = 20000 };

struct sfmi_margin_projection {
  const sfmi_cells *cells;
  size_t length, coordinates;
  uint32_t *target; /* which coordinate a cell becomes */
  double *theta, *weight;
  double *root; /* sqrt(j (j + 1)) */
  sfmi_arena arena;
};

/* Along one axis: so many categories, so far apart. */
typedef struct line {
  size_t count, stride;
} line;

/* x -> its sum, and contrasts (x_0 + ... + x_(j-1) - j x_j)/sqrt(j (j + 1)). */
static void contrast(double *x, line l, const double *root) {
  double before = x[0];
  for (size_t j = 1; j < l.count; j++) {
    const double value = x[j * l.stride];
    x[j * l.stride] = (before - (double)j * value) / root[j];
    before += value;
  }
  x[0] = before;
}

static void restore(double *x, line l, const double *root) {
  const double mean = x[0] / (double)l.count;
  double behind = 0; /* what later contrasts give to everything before them */
  for (size_t j = l.count; j-- > 1;) {
    const double part = x[j * l.stride] / root[j];
    x[j * l.stride] = mean + behind - (double)j * part;
    behind += part;
  }
  x[0] = mean + behind;
}

/* Every axis of every margin. */
static void transform(const sfmi_margin_projection *a, double *values,
                      void (*along)(double *x, line l, const double *root)) {
  const sfmi_cells *cells = a->cells;
  for (size_t m = 0; m < cells->margin_count; m++) {
    const size_t size = cells->starts[m + 1] - cells->starts[m];
    size_t stride = 1;
    for (size_t i = cells->count; i-- > 0;) {
      if (!(cells->margins[m] >> i & 1)) continue;
      const line l = {(size_t)cells->factors[i].size, stride};
      for (size_t outer = 0; outer < size; outer += l.count * stride)
        for (size_t inner = 0; inner < stride; inner++)
          along(values + cells->starts[m] + outer + inner, l, a->root);
      stride *= l.count;
    }
  }
}

/* A set of columns with contrasts, and where its coordinates begin. */
typedef struct group {
  uint64_t mask;
  size_t first, size;
} group;

static int by_mask(const void *a, const void *b) {
  const group *one = a, *other = b;
  return (one->mask > other->mask) - (one->mask < other->mask);
}

/* The parts of a margin: sets of its columns that have contrasts. */
static size_t list_parts(group *groups, const sfmi_cells *cells, uint64_t margin) {
  size_t count = 1;
  groups[0] = (group){.mask = 0, .size = 1};
  for (size_t i = 0; i < cells->count; i++) {
    const uint64_t size = cells->factors[i].size;
    if (!(margin >> i & 1) || size < 2) continue;
    for (size_t k = 0; k < count; k++)
      groups[count + k] = (group){.mask = groups[k].mask | UINT64_C(1) << i,
                                  .size = groups[k].size * (size_t)(size - 1)};
    count *= 2;
  }
  return count;
}

/* All parts of all margins, each once, in order; there are no more than cells. */
static size_t list_groups(group *groups, const sfmi_cells *cells) {
  size_t count = 0, kept = 0, first = 0;
  for (size_t m = 0; m < cells->margin_count; m++)
    count += list_parts(groups + count, cells, cells->margins[m]);
  qsort(groups, count, sizeof *groups, by_mask);
  for (size_t k = 0; k < count; k++) {
    if (kept && groups[kept - 1].mask == groups[k].mask) continue;
    groups[kept] = groups[k];
    groups[kept].first = first;
    first += groups[kept++].size;
  }
  return kept;
}

/* The coordinate of the contrasts that a cell's codes name: 0 stands for the sum. */
static size_t coordinate(const sfmi_cells *cells, const group *groups, size_t count,
                         const uint32_t *codes) {
  group wanted = {0};
  size_t index = 0;
  for (size_t i = 0; i < cells->count; i++) {
    if (codes[i] == SFMI_NO_CODE || codes[i] == 0) continue;
    wanted.mask |= UINT64_C(1) << i;
    index = index * (size_t)(cells->factors[i].size - 1) + codes[i] - 1;
  }
  const group *found = bsearch(&wanted, groups, count, sizeof *groups, by_mask);
  return found ? found->first + index : 0;
}

static sfm_status fill(sfmi_margin_projection *a, sfm_error *error) {
  const sfmi_cells *cells = a->cells;
  uint32_t codes[SFMI_FACTORS_MAX];
  size_t most = 2;
  for (size_t i = 0; i < cells->count; i++)
    if (cells->factors[i].size <= SFMI_RELEASE_MAX && cells->factors[i].size > most)
      most = (size_t)cells->factors[i].size;
  group *groups = sfmi_alloc(a->length + cells->margin_count, sizeof *groups);
  a->target = sfmi_arena_get(&a->arena, a->length, sizeof *a->target);
  a->theta = sfmi_arena_doubles(&a->arena, a->length);
  a->weight = sfmi_arena_doubles(&a->arena, a->length);
  a->root = sfmi_arena_doubles(&a->arena, most);
  if (!groups || a->arena.failed) {
    free(groups);
    return sfmi_fail_memory(error);
  }
  for (size_t j = 1; j < most; j++) a->root[j] = sqrt((double)j * ((double)j + 1));
  const size_t count = list_groups(groups, cells);
  a->coordinates = groups[count - 1].first + groups[count - 1].size;
  for (size_t m = 0; m < cells->margin_count; m++) {
    const size_t first = cells->starts[m], size = cells->starts[m + 1] - first;
    for (size_t e = 0; e < size; e++) {
      sfmi_cells_codes(cells, cells->margins[m], e, codes);
      const size_t k = coordinate(cells, groups, count, codes);
      a->target[first + e] = (uint32_t)k;
      a->weight[k] += 1 / (double)size;
    }
  }
  free(groups);
  return SFM_OK;
}

sfm_status sfmi_margin_projection_create(sfmi_margin_projection **out, const sfmi_cells *cells,
                                         sfm_error *error) {
  sfmi_margin_projection *a = sfmi_alloc(1, sizeof *a);
  *out = NULL;
  if (!a) return sfmi_fail_memory(error);
  a->cells = cells;
  a->length = cells->starts[cells->margin_count];
  const sfm_status status = fill(a, error);
  if (status)
    sfmi_margin_projection_destroy(a);
  else
    *out = a;
  return status;
}

void sfmi_margin_projection_destroy(sfmi_margin_projection *a) {
  if (!a) return;
  sfmi_arena_clear(&a->arena);
  free(a);
}

void sfmi_margin_projection_apply(sfmi_margin_projection *a, double *values, const double *total) {
  const sfmi_cells *cells = a->cells;
  transform(a, values, contrast);
  memset(a->theta, 0, a->coordinates * sizeof *a->theta);
  for (size_t m = 0; m < cells->margin_count; m++) {
    const double share = 1 / (double)(cells->starts[m + 1] - cells->starts[m]);
    for (size_t e = cells->starts[m]; e < cells->starts[m + 1]; e++)
      a->theta[a->target[e]] += share * values[e];
  }
  for (size_t k = 0; k < a->coordinates; k++) a->theta[k] /= a->weight[k];
  if (total) a->theta[0] = *total; /* no contrasts: the first group */
  for (size_t e = 0; e < a->length; e++) values[e] = a->theta[a->target[e]];
  transform(a, values, restore);
}

/* Moves margins that agree towards those of a uniform table until none is below zero. */
static void map(const sfmi_margin_projection *a, double *values) {
  const sfmi_cells *cells = a->cells;
  double total = 0, least = 0, most = 1, largest = 0;
  for (size_t e = 0; e < cells->starts[1]; e++) total += values[e];
  for (size_t e = 0; e < a->length; e++) {
    least = fmin(least, values[e]);
    largest = fmax(largest, values[e]);
  }
  for (size_t m = 0; m < cells->margin_count; m++)
    most = fmax(most, (double)(cells->starts[m + 1] - cells->starts[m]));
  if (!(total > 0)) {
    memset(values, 0, a->length * sizeof *values);
    return;
  }
  const double part = -least / (-least + total / most);
  for (size_t m = 0; m < cells->margin_count; m++) {
    const double uniform = total / (double)(cells->starts[m + 1] - cells->starts[m]);
    for (size_t e = cells->starts[m]; e < cells->starts[m + 1]; e++) {
      values[e] += part * (uniform - values[e]);
      if (values[e] <= NOTHING * largest) values[e] = 0;
    }
  }
}

/* Accelerated ascent on the dual.  With multipliers lambda >= 0 of x >= 0 the best x is the
 * projection of y + lambda, and the dual's gradient is -x, which changes no faster than lambda. */
static void ascend(sfmi_margin_projection *a, double *x, const double *y, double *lambda,
                   double *mu, const double *total) {
  const double work = (double)a->length * (double)(a->cells->count + 2);
  const double rounds = fmin(fmax(WORK / work, ROUNDS_LEAST), ROUNDS_MOST);
  double t = 1;
  for (double k = 0; k < rounds; k++) {
    double size = 1, change = 0, uphill = 0;
    for (size_t e = 0; e < a->length; e++) x[e] = y[e] + mu[e];
    sfmi_margin_projection_apply(a, x, total);
    const double next = (1 + sqrt(1 + 4 * t * t)) / 2;
    for (size_t e = 0; e < a->length; e++) {
      const double moved = fmax(mu[e] - x[e], 0), step = moved - lambda[e];
      size = fmax(size, fabs(x[e]));
      change = fmax(change, fabs(moved - mu[e]));
      uphill += x[e] * step; /* against the gradient: the momentum overshot */
      mu[e] = moved + (t - 1) / next * step;
      lambda[e] = moved;
    }
    if (change <= CHANGE * size) break;
    t = uphill > 0 ? 1 : next;
    if (uphill > 0) memcpy(mu, lambda, a->length * sizeof *mu);
  }
  for (size_t e = 0; e < a->length; e++) x[e] = y[e] + lambda[e];
  sfmi_margin_projection_apply(a, x, total);
}

sfm_status sfmi_margin_projection_apply_nonnegative(sfmi_margin_projection *a, double *values,
                                                    const double *total, sfm_error *error) {
  double *x = sfmi_alloc(3 * a->length, sizeof *x);
  if (!x) return sfmi_fail_memory(error);
  sfmi_margin_projection_apply(a, values, total);
  ascend(a, x, values, x + a->length, x + 2 * a->length, total);
  memcpy(values, x, a->length * sizeof *values);
  map(a, values);
  free(x);
  return SFM_OK;
}

sfmi_resources sfmi_margin_projection_resources(const sfm_release *release, bool consistent) {
  const double cells = (double)release->length, columns = (double)release->cells->count + 4;
  const double rounds = fmin(fmax(WORK / (cells * columns + 1), ROUNDS_LEAST), ROUNDS_MOST);
  return (sfmi_resources){96 * cells + 8 * cells * columns,
                          (consistent ? rounds : 60) * cells * columns};
}
