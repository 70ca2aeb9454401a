#include "dyadic_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "state_space.h"

#define DEPTH SFMI_DYADIC_DEPTH
#define POINTS ((uint64_t)1 << DEPTH)
/* Intervals of these levels are kept once they were needed: 6 MB, which saves a third of the levels
 * for a place that is far from all before.  Below, only the intervals around the last place are
 * kept. */
#define KEPT 16
#define KEPT_NODES ((uint64_t)2 << KEPT)
/* The lengths of the root, in the process's units, that make a difference.  Below the least,
 * doubles cannot tell the process from a constant; above the largest, no two points of the last
 * level are related. */
#define LENGTH_MIN 0x1p-200
#define LENGTH_MAX 0x1p1000

/* An interval: the state at its left end, and its rise (sfmi_bridge). */
typedef struct span {
  double left[SFMI_STATE_MAX], rise[SFMI_STATE_MAX];
} span;

/* Invariants: known[node] says that kept[node] is filled; if it is, so is its parent's.  path[l] is
 * filled for KEPT < l <= path_level, with the interval of level l around the point path_at. */
struct sfmi_dyadic {
  unsigned order;
  double lower, upper;   /* what may be asked for: the bounds, and what they are rounded to */
  double start, spacing; /* of the dyadic points */
  double nugget;         /* as a standard deviation */
  sfmi_node_normals *normals;
  void *context;
  sfmi_transition stationary, root;
  sfmi_bridge bridges[DEPTH];
  span *kept;
  bool *known;
  span path[DEPTH];
  uint64_t path_at;
  unsigned path_level;
};

/* The node of the level's interval around point i. */
static uint64_t node_of(uint64_t i, unsigned level) {
  return ((uint64_t)1 << level) + (i >> (DEPTH - level));
}

/* The smallest W such that the bounds lie within W of a multiple of W/8, and that multiple. */
static void choose_root(double *start, double *width, double lower, double upper) {
  int exponent;
  const double mantissa = frexp(upper - lower, &exponent);
  *width = ldexp(1, mantissa > 0.5 ? exponent : exponent - 1);
  *start = floor(lower / (*width / 8)) * (*width / 8);
  if (upper - *start <= *width) return;
  *width *= 2;
  *start = floor(lower / (*width / 8)) * (*width / 8);
}

sfm_status sfmi_dyadic_create(sfmi_dyadic **out, const sfm_kernel *kernel, double lower,
                              double upper, double nugget, sfmi_node_normals *normals,
                              void *context, sfm_error *error) {
  *out = NULL;
  if (!(upper - lower >= 0x1p-900 && upper - lower <= 0x1p1000))
    return sfmi_fail(error, SFM_INVALID,
                     "a path can be drawn between bounds that are from 1e-270 to 1e300 apart, not "
                     "from %g to %g; give the variable in another unit",
                     lower, upper);
  sfmi_dyadic *d = sfmi_alloc(1, sizeof *d);
  if (!d) return sfmi_fail_memory(error);
  double width;
  choose_root(&d->start, &width, lower, upper);
  d->order = sfmi_state_order(kernel);
  d->spacing = ldexp(width, -DEPTH);
  d->lower = fmin(lower, sfmi_dyadic_round(d, lower));
  d->upper = fmax(upper, sfmi_dyadic_round(d, upper));
  d->nugget = sqrt(nugget);
  d->normals = normals;
  d->context = context;
  const double length = fmin(fmax(width * sfmi_state_rate(kernel), LENGTH_MIN), LENGTH_MAX);
  sfmi_transition_set(&d->stationary, d->order, INFINITY);
  sfmi_transition_set(&d->root, d->order, length);
  sfmi_bridges_set(d->bridges, DEPTH, d->order, length);
  d->kept = sfmi_alloc(KEPT_NODES, sizeof *d->kept);
  d->known = sfmi_alloc(KEPT_NODES, sizeof *d->known);
  if (!d->kept || !d->known) {
    sfmi_dyadic_destroy(d);
    return sfmi_fail_memory(error);
  }
  *out = d;
  return SFM_OK;
}

/* Wipes what is kept of a node and below it. */
static void forget_node(sfmi_dyadic *d, uint64_t node) {
  if (node >= KEPT_NODES || !d->known[node]) return;
  forget_node(d, 2 * node);
  forget_node(d, 2 * node + 1);
  explicit_bzero(&d->kept[node], sizeof d->kept[node]);
  d->known[node] = false;
}

void sfmi_dyadic_forget(sfmi_dyadic *d) {
  forget_node(d, 1);
  explicit_bzero(d->path, sizeof d->path);
  d->path_level = 0;
}

void sfmi_dyadic_destroy(sfmi_dyadic *d) {
  if (!d) return;
  if (d->kept && d->known) sfmi_dyadic_forget(d);
  free(d->kept);
  free(d->known);
  free(d);
}

/* The number of the dyadic point a place is rounded to. */
static uint64_t point_of(const sfmi_dyadic *d, double x) {
  return (uint64_t)fmin(fmax(rint((x - d->start) / d->spacing), 0), (double)POINTS);
}

double sfmi_dyadic_round(const sfmi_dyadic *d, double x) {
  return d->start + (double)point_of(d, x) * d->spacing;
}

/* The root: the state at its left end, and its rise. */
static const span *root_of(sfmi_dyadic *d) {
  span *root = &d->kept[1];
  if (d->known[1]) return root;
  double z[2 * SFMI_STATE_MAX];
  d->normals(d->context, 0, z, 2 * d->order);
  *root = (span){0};
  sfmi_state_noise(root->left, d->stationary.noise, z, d->order);
  sfmi_state_noise(root->rise, d->root.noise, z + d->order, d->order);
  d->known[1] = true;
  return root;
}

static inline void halve_order(double *first, double *middle, const span *at,
                               const sfmi_bridge *bridge, const double *z, unsigned order) {
  for (unsigned j = 0; j < order; j++) {
    first[j] = 0;
    for (unsigned k = 0; k < order; k++) first[j] += bridge->gain[j * order + k] * at->rise[k];
  }
  sfmi_state_noise(first, bridge->noise, z, order);
  sfmi_state_carry(middle, bridge->carry, at->left, order);
  for (unsigned j = 0; j < order; j++) middle[j] += first[j];
}

/* The rise of the first half of the level's interval around point i, and the state at its middle.
 */
static void halve(sfmi_dyadic *d, double *first, double *middle, const span *at, unsigned level,
                  uint64_t i) {
  const sfmi_bridge *bridge = &d->bridges[level];
  double z[SFMI_STATE_MAX];
  d->normals(d->context, node_of(i, level), z, d->order);
  switch (d->order) { /* constants, so that the loops unroll */
  case 1:
    halve_order(first, middle, at, bridge, z, 1);
    break;
  case 2:
    halve_order(first, middle, at, bridge, z, 2);
    break;
  default:
    halve_order(first, middle, at, bridge, z, 3);
  }
}

/* The half around point i of the level's interval `at`. */
static void enter_half(sfmi_dyadic *d, span *half, const span *at, unsigned level, uint64_t i) {
  double first[SFMI_STATE_MAX], middle[SFMI_STATE_MAX];
  const size_t size = d->order * sizeof(double);
  halve(d, first, middle, at, level, i);
  if (node_of(i, level + 1) % 2 == 0) {
    memcpy(half->left, at->left, size);
    memcpy(half->rise, first, size);
    return;
  }
  memcpy(half->left, middle, size);
  sfmi_state_carry(half->rise, d->bridges[level].carry, first, d->order);
  for (unsigned j = 0; j < d->order; j++) half->rise[j] = at->rise[j] - half->rise[j];
}

/* The deepest level, up to last, whose interval around point i is at hand. */
static unsigned deepest_known(const sfmi_dyadic *d, uint64_t i, unsigned last) {
  const uint64_t apart = d->path_at ^ i;
  unsigned level = apart ? (unsigned)__builtin_clzll(apart) - (64 - DEPTH) : DEPTH;
  if (level > d->path_level) level = d->path_level;
  if (level > last) level = last;
  if (level > KEPT) return level;
  level = last < KEPT ? last : KEPT;
  while (level > 0 && !d->known[node_of(i, level)]) level--;
  return level;
}

/* The interval of level last around point i, which is its middle. */
static const span *descend(sfmi_dyadic *d, uint64_t i, unsigned last) {
  unsigned level = deepest_known(d, i, last);
  const span *at = level == 0     ? root_of(d)
                   : level > KEPT ? &d->path[level]
                                  : &d->kept[node_of(i, level)];
  for (; level < last; level++) {
    span *half = &d->path[level + 1];
    if (level < KEPT) {
      half = &d->kept[node_of(i, level + 1)];
      d->known[node_of(i, level + 1)] = true;
    }
    enter_half(d, half, at, level, i);
    at = half;
  }
  if (last > KEPT) {
    d->path_at = i;
    d->path_level = last;
  }
  return at;
}

/* The process at point i. */
static double process_at(sfmi_dyadic *d, uint64_t i) {
  double first[SFMI_STATE_MAX], state[SFMI_STATE_MAX];
  if (i == 0) return root_of(d)->left[0];
  if (i == POINTS) {
    const span *root = root_of(d);
    sfmi_state_carry(state, d->root.carry, root->left, d->order);
    return state[0] + root->rise[0];
  }
  const unsigned last = DEPTH - 1 - (unsigned)__builtin_ctzll(i);
  halve(d, first, state, descend(d, i, last), last, i);
  return state[0];
}

sfm_status sfmi_dyadic_at(sfmi_dyadic *d, double *values, const double *points, size_t count,
                          sfm_error *error) {
  for (size_t k = 0; k < count; k++)
    if (!(points[k] >= d->lower && points[k] <= d->upper))
      return sfmi_fail(error, SFM_INVALID,
                       "place %zu, %.17g, is outside the bounds; ask from %g to %g", k + 1,
                       points[k], d->lower, d->upper);
  for (size_t k = 0; k < count; k++) {
    const uint64_t i = point_of(d, points[k]);
    double z;
    d->normals(d->context, SFMI_DYADIC_NUGGET + i, &z, 1);
    values[k] = process_at(d, i) + d->nugget * z;
  }
  return SFM_OK;
}
