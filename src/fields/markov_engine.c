/* markov_engine.c - laplacian and matern processes at places of the line, from left to right: O(1)
 * per place, besides the sorting.  For each distinct place, in ascending order, it takes the
 * normals of the state's noise and one for the nugget.  A grid's places are taken as exactly
 * equidistant where their rounding is too small to matter.  Steps are computed on the way, some 40
 * ns each; keeping them would take 72 bytes per place. */
#include "markov_engine.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "field_engine.h"
#include "state_space.h"

typedef struct markov {
  sfmi_field field;
  unsigned order;
  double spacing;   /* of a grid, in units of 1/a */
  double *gaps;     /* of a list: to the place before in ascending order; the first is INFINITY */
  uint32_t *sorted; /* places in ascending order; NULL: as they are */
} markov;

_Static_assert(SFMI_PLACES_MAX <= UINT32_MAX, "places are numbered in 32 bits");

static double gap_of(const markov *m, size_t i) {
  if (m->gaps) return m->gaps[i];
  return i ? m->spacing : INFINITY;
}

static inline void walk(const markov *m, double *path, const double *normals, unsigned order) {
  const double nugget = sqrt(m->field.nugget);
  double state[SFMI_STATE_MAX] = {0}, value = 0, last = 0;
  sfmi_transition step = {0};
  for (size_t i = 0; i < m->field.count; i++) {
    const double gap = gap_of(m, i);
    if (gap > 0) {
      if (gap != last) sfmi_transition_set(&step, order, gap);
      last = gap;
      sfmi_state_carry(state, step.carry, state, order);
      sfmi_state_noise(state, step.noise, normals, order);
      value = state[0] + nugget * normals[order];
      normals += order + 1;
    }
    path[m->sorted ? m->sorted[i] : i] = value;
  }
}

static void markov_path(sfmi_field *field, double *path, double *normals) {
  const markov *m = (const markov *)field;
  switch (m->order) { /* constants, so that the loops unroll */
  case 1:
    walk(m, path, normals, 1);
    break;
  case 2:
    walk(m, path, normals, 2);
    break;
  default:
    walk(m, path, normals, 3);
  }
}

static void markov_destroy(sfmi_field *field) {
  markov *m = (markov *)field;
  free(m->gaps);
  free(m->sorted);
  free(m);
}

static bool ascending(const double *points, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (points[i] < points[i - 1]) return false;
  return true;
}

typedef struct ranked {
  double point;
  uint32_t index;
} ranked;

static int compare_ranked(const void *a, const void *b) {
  const double x = ((const ranked *)a)->point, y = ((const ranked *)b)->point;
  return (x > y) - (x < y);
}

/* Fills m->sorted. */
static bool sort_places(markov *m, const double *points) {
  const size_t count = m->field.count;
  ranked *list = sfmi_alloc(count, sizeof *list);
  m->sorted = sfmi_alloc(count, sizeof *m->sorted);
  if (list && m->sorted) {
    for (size_t i = 0; i < count; i++) list[i] = (ranked){points[i], (uint32_t)i};
    qsort(list, count, sizeof *list, compare_ranked);
    for (size_t i = 0; i < count; i++) m->sorted[i] = list[i].index;
  }
  free(list);
  return list && m->sorted;
}

/* Fills m->gaps and counts the distinct places.  A gap between distinct places stays positive. */
static bool set_gaps(markov *m, size_t *distinct, const sfmi_places *places, double rate) {
  const size_t count = m->field.count;
  m->gaps = sfmi_alloc(count, sizeof *m->gaps);
  if (!m->gaps) return false;
  double before = 0;
  *distinct = 0;
  for (size_t i = 0; i < count; i++) {
    double point;
    sfmi_places_at(places, m->sorted ? m->sorted[i] : i, &point);
    const double difference = point - before;
    m->gaps[i] = i == 0 ? INFINITY : difference > 0 ? fmax(difference * rate, DBL_MIN) : 0;
    *distinct += m->gaps[i] > 0;
    before = point;
  }
  return true;
}

/* Whether a grid may be taken as exactly equidistant.  Its places are rounded numbers, and values
 * are those at the rounded places.  The covariance is then off by at most what circulant_engine.c
 * shows under 3, and half of the nugget is kept for that. */
static bool equidistant(const sfmi_places *places, const sfm_kernel *kernel, double nugget) {
  const double far = fmax(fabs(places->lower[0]), fabs(places->upper[0]));
  const double spacing = (places->upper[0] - places->lower[0]) / (double)(places->count - 1);
  return 16 * DBL_EPSILON * far * (2 / spacing + 8 / kernel->bandwidth[0]) <= nugget / 2;
}

sfm_status sfmi_markov_create(sfmi_field **out, const sfm_kernel *kernel, const sfmi_places *places,
                              double nugget, sfm_error *error) {
  const double rate = sfmi_state_rate(kernel);
  *out = NULL;
  markov *m = sfmi_alloc(1, sizeof *m);
  if (!m) return sfmi_fail_memory(error);
  size_t distinct = places->count;
  m->order = sfmi_state_order(kernel);
  m->field = (sfmi_field){
      .count = places->count, .nugget = nugget, .path = markov_path, .destroy = markov_destroy};
  bool good = true;
  if (!places->points && equidistant(places, kernel, nugget)) {
    const double length = places->upper[0] - places->lower[0];
    m->spacing = fmax(length / (double)(places->count - 1) * rate, DBL_MIN);
  } else {
    if (places->points && !ascending(places->points, places->count))
      good = sort_places(m, places->points);
    good = good && set_gaps(m, &distinct, places, rate);
  }
  m->field.normals = distinct * (m->order + 1);
  if (!good) {
    markov_destroy(&m->field);
    return sfmi_fail_memory(error);
  }
  *out = &m->field;
  return SFM_OK;
}
