/* machine_values.c - points are encoded and lifted in blocks, which threads share.  A value is a
 * sum of products in an order that depends on the number of features alone: neither on the block
 * nor on the thread. */
#include "machine_values.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/arena.h"
#include "base/system/thread_pool.h"

enum { LANES = 8 };
/* Features of a block, and points of it: it stays in a processor's cache. */
static const size_t BLOCK_FEATURES = (size_t)1 << 18, BLOCK_POINTS = 512;

/* Points and what is to be done with their features, which threads share block by block. */
typedef struct job {
  sfmi_machine_points points;
  const sfmi_encoding *encoding;
  const sfmi_feature_map *map;
  bool sparse;           /* features are built as nonzeros */
  size_t block;          /* points of one */
  const double *weights; /* of all functions; NULL: features are measured */
  size_t functions;
  double offset, factor;
  double *values;
  sfmi_machine_visit *measure;
  void *context;
  atomic_size_t next; /* block */
  atomic_bool failed;
} job;

/* The scratch of one thread: a block of points as nonzeros, and their features. */
typedef struct workspace {
  sfmi_arena arena;
  size_t *starts;
  uint32_t *indices;
  double *u, *phi;
  uint32_t *features;
  bool *has;           /* a u */
  size_t room, widest; /* nonzeros of a block, and of a point */
} workspace;

/* Nonzeros of the points from first to last, at most. */
static size_t nonzeros_of(const job *j, size_t first, size_t last) {
  const size_t inputs = j->encoding->input_count;
  const sfmi_machine_points *points = &j->points;
  return points->cells ? (last - first) * inputs : points->starts[last] - points->starts[first];
}

/* Room for the points from first to last; false when memory is short. */
static bool workspace_reserve(workspace *b, const job *j, size_t first, size_t last) {
  size_t room = nonzeros_of(j, first, last), widest = 0;
  for (size_t p = first; p < last; p++) {
    const size_t width = nonzeros_of(j, p, p + 1);
    widest = width > widest ? width : widest;
  }
  if (b->starts && room <= b->room && widest <= b->widest) return true;
  b->room = room > b->room ? room : b->room;
  b->widest = widest > b->widest ? widest : b->widest;
  sfmi_arena_clear(&b->arena);
  const size_t among = j->sparse ? sfmi_feature_map_nonzeros(j->map, b->widest) : 0;
  b->starts = sfmi_arena_get(&b->arena, j->block + 1, sizeof *b->starts);
  b->indices = sfmi_arena_get(&b->arena, b->room + 1, sizeof *b->indices);
  b->u = sfmi_arena_doubles(&b->arena, b->room + 1);
  b->phi = sfmi_arena_doubles(&b->arena, j->sparse ? among + 1 : j->block * j->map->count);
  b->features = sfmi_arena_get(&b->arena, among + 1, sizeof *b->features);
  b->has = sfmi_arena_get(&b->arena, j->block, sizeof *b->has);
  return !b->arena.failed;
}

/* Encodes the points from first to last; one that has no u has no nonzeros. */
static void encode(workspace *b, const job *j, size_t first, size_t last) {
  const sfmi_encoding *encoding = j->encoding;
  const sfmi_machine_points *points = &j->points;
  b->starts[0] = 0;
  for (size_t p = first; p < last; p++) {
    const size_t from = b->starts[p - first];
    size_t found;
    if (points->cells) {
      found = sfmi_encoding_row(encoding, b->indices + from, b->u + from,
                                points->cells + p * encoding->input_count);
    } else {
      const size_t begin = points->starts[p], width = points->starts[p + 1] - begin;
      memcpy(b->indices + from, points->indices + begin, width * sizeof *b->indices);
      memcpy(b->u + from, points->numbers + begin, width * sizeof *b->u);
      found = points->encoded
                  ? width
                  : sfmi_encoding_sparse(encoding, b->indices + from, b->u + from, width);
    }
    b->has[p - first] = found != SFMI_NO_ROW;
    b->starts[p - first + 1] = from + (found == SFMI_NO_ROW ? 0 : found);
  }
}

static double product(const double *a, const double *b, size_t count) {
  double lanes[LANES] = {0}, sum = 0;
  size_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (size_t k = 0; k < LANES; k++) lanes[k] += a[i + k] * b[i + k];
  for (; i < count; i++) lanes[i % LANES] += a[i] * b[i];
  for (size_t k = 0; k < LANES; k++) sum += lanes[k];
  return sum;
}

static double gathered(const double *weights, const uint32_t *features, const double *phi,
                       size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += weights[features[i]] * phi[i];
  return sum;
}

/* The values of a point with so many features; NULL: it has none. */
static void evaluate_point(const job *j, const uint32_t *features, const double *phi, size_t count,
                           size_t point) {
  for (size_t f = 0; f < j->functions; f++) {
    const double *w = j->weights + f * j->map->count;
    const double value = !phi        ? NAN
                         : j->sparse ? gathered(w, features, phi, count)
                                     : product(w, phi, count);
    j->values[point * j->functions + f] = j->offset + j->factor * value;
  }
}

static void do_block(const job *j, workspace *b, size_t first, size_t last) {
  const size_t F = j->map->count;
  encode(b, j, first, last);
  if (!j->sparse) sfmi_feature_map_dense(j->map, b->phi, b->starts, b->indices, b->u, last - first);
  for (size_t p = first; p < last; p++) {
    const size_t from = b->starts[p - first], width = b->starts[p - first + 1] - from;
    const double *phi = j->sparse ? b->phi : b->phi + (p - first) * F;
    size_t count = F;
    if (!b->has[p - first])
      phi = NULL;
    else if (j->sparse)
      count =
          sfmi_feature_map_row(j->map, b->features, b->phi, b->indices + from, b->u + from, width);
    if (j->measure)
      j->measure(j->context, phi, count, p);
    else
      evaluate_point(j, b->features, phi, count, p);
  }
}

/* Takes blocks until none is left, whichever share it is. */
static void work(void *context, size_t share, size_t shares) {
  (void)share;
  (void)shares;
  job *j = context;
  workspace b = {0};
  while (!atomic_load(&j->failed)) {
    const size_t first = atomic_fetch_add(&j->next, 1) * j->block;
    if (first >= j->points.count) break;
    const size_t left = j->points.count - first, last = first + (left < j->block ? left : j->block);
    if (workspace_reserve(&b, j, first, last))
      do_block(j, &b, first, last);
    else
      atomic_store(&j->failed, true);
  }
  sfmi_arena_clear(&b.arena);
}

static size_t threads_for(const job *j) {
  const size_t blocks = j->points.count / j->block;
  return sfmi_thread_count(0, blocks < 1 ? 1 : blocks);
}

static sfm_status check_points(const sfmi_encoding *encoding, const sfmi_machine_points *points,
                               sfm_error *error) {
  if (points->encoded) return SFM_OK;
  if (points->starts && encoding->inputs)
    return sfmi_fail(error, SFM_INVALID,
                     "this machine is of %zu columns: give points with a cell for each, not sparse "
                     "rows",
                     encoding->input_count);
  if (!points->starts && !encoding->inputs)
    return sfmi_fail(error, SFM_INVALID,
                     "this machine is of sparse rows of %zu coordinates: give points as libsvm "
                     "text",
                     encoding->dimension);
  return SFM_OK;
}

static sfm_status run(job *j, sfm_error *error) {
  j->sparse = sfmi_feature_map_sparse(j->map);
  const sfm_status status = sfmi_feature_map_prepare(j->map, error);
  if (status) return status;
  const size_t fit = BLOCK_FEATURES / j->map->count;
  j->block = j->sparse || fit > BLOCK_POINTS ? BLOCK_POINTS : fit < 1 ? 1 : fit;
  sfmi_threads_run(work, j, threads_for(j));
  return j->failed ? sfmi_fail_memory(error) : SFM_OK;
}

/* What it takes at so many points. */
static sfmi_resources resources_at(const sfm_release *release, size_t count, bool band) {
  const sfmi_feature_map *map = release->model->map;
  const double features = (double)map->count, points = sfmi_resources_points_counted(count),
               functions = (double)sfmi_machine_model_functions(release->model);
  const double turns = sfmi_feature_map_bytes(map), places = (double)map->point_count;
  const double threads = points * features > 0x1p18 ? 8 : 1;
  sfmi_resources cost = {turns + 8 * (double)release->length +
                             threads * 16 * fmax(features, fmin(0x1p18, features * points)),
                         turns * 64 + points * features * (4 + functions)};
  if (map->form == SFMI_FEATURE_MAP_RANDOM)
    cost.operations += points * features * fmin((double)map->dimension, 1000);
  if (map->form == SFMI_FEATURE_MAP_POINTS && places > 0)
    cost.operations += 4 * points * (double)map->point_starts[map->point_count];
  if (band && places > 0 && places <= 2000)
    cost = sfmi_resources_sum(
        cost, (sfmi_resources){8 * places * places + 8 * places,
                               places * places * (places / 3 + points) +
                                   4 * places * (double)map->point_starts[map->point_count]});
  return cost;
}

sfm_status sfmi_machine_model_check_resources(const sfm_release *release, size_t points, bool band,
                                              sfm_error *error) {
  return sfmi_resources_allow(release, resources_at(release, points, band),
                              "evaluating this machine", error);
}

static sfm_status check_machine(const sfm_release *release, const sfmi_machine_points *points,
                                bool band, sfm_error *error) {
  if (!release->model)
    return sfmi_fail(error, SFM_INVALID, "a release of kind %s is no machine",
                     sfm_kind_name(sfm_release_kind(release)));
  const sfm_status status = check_points(&release->model->encoding, points, error);
  return !status ? sfmi_machine_model_check_resources(release, points->count, band, error) : status;
}

sfm_status sfmi_machine_model_values(const sfm_release *release, double *values,
                                     const sfmi_machine_points *points, sfm_error *error) {
  sfm_status status = check_machine(release, points, false, error);
  if (status) return status;
  const sfmi_machine_model *model = release->model;
  double *weights = sfmi_alloc(release->length, sizeof *weights);
  if (!weights) return sfmi_fail_memory(error);
  for (size_t i = 0; i < release->length; i++) weights[i] = sfm_release_coefficient(release, i);
  job j = {.points = *points,
           .encoding = &model->encoding,
           .map = model->map,
           .weights = weights,
           .functions = sfmi_machine_model_functions(model),
           .offset = sfmi_machine_model_offset(model),
           .factor = sfmi_machine_model_factor(model),
           .values = values};
  status = run(&j, error);
  free(weights);
  return status;
}

sfm_status sfmi_machine_model_products(const sfmi_encoding *encoding, const sfmi_feature_map *map,
                                       double *values, const sfmi_machine_points *points,
                                       const double *weights, size_t functions, sfm_error *error) {
  job j = {.points = *points,
           .encoding = encoding,
           .map = map,
           .weights = weights,
           .functions = functions,
           .factor = 1,
           .values = values};
  const sfm_status status = check_points(encoding, points, error);
  return !status ? run(&j, error) : status;
}

sfm_status sfm_machine_at(const sfm_release *release, double *values, const double *cells,
                          size_t count, sfm_error *error) {
  const sfmi_machine_points points = {.cells = cells, .count = count};
  return sfmi_machine_model_values(release, values, &points, error);
}

sfm_status sfm_machine_at_sparse(const sfm_release *release, double *values, const size_t *starts,
                                 const uint32_t *indices, const double *numbers, size_t count,
                                 sfm_error *error) {
  const sfmi_machine_points points = {
      .starts = starts, .indices = indices, .numbers = numbers, .count = count};
  return sfmi_machine_model_values(release, values, &points, error);
}

sfm_status sfmi_machine_model_visit(const sfm_release *release, const sfmi_machine_points *points,
                                    sfmi_machine_visit *measure, void *context, sfm_error *error) {
  sfm_status status = check_machine(release, points, true, error);
  if (status) return status;
  job j = {.points = *points,
           .encoding = &release->model->encoding,
           .map = release->model->map,
           .measure = measure,
           .context = context};
  return run(&j, error);
}

size_t sfm_machine_decide(const sfm_release *release, const double *values) {
  const sfmi_machine_model *model = release->model;
  if (!model || model->task == SFM_TASK_REGRESSION) return SIZE_MAX;
  if (model->task == SFM_TASK_BINARY) return isnan(values[0]) ? SIZE_MAX : values[0] > 0 ? 1 : 0;
  size_t best = 0;
  for (size_t i = 0; i < model->class_count; i++) {
    if (isnan(values[i])) return SIZE_MAX;
    if (values[i] > values[best]) best = i;
  }
  return best;
}

/* ---- whether points are within the domain ---- */

static sfm_status check_cell(const sfmi_input *input, double x, size_t point, sfm_error *error) {
  const char *name = input->name;
  if (input->categories)
    return x >= 0 && x < (double)input->category_count && x == floor(x)
               ? SFM_OK
               : sfmi_fail(error, SFM_INVALID,
                           "point %zu is outside the domain: its %s is none of the categories; "
                           "nothing was answered",
                           point + 1, name);
  if (!isfinite(x))
    return sfmi_fail(error, SFM_INVALID,
                     "point %zu has no value for %s: a question needs all of them; nothing was "
                     "answered",
                     point + 1, name);
  if (input->bounded && !(x >= input->lower && x <= input->upper))
    return sfmi_fail(error, SFM_INVALID,
                     "point %zu is outside the domain: its %s is %g, and must be from %g to %g; "
                     "nothing was answered",
                     point + 1, name, x, input->lower, input->upper);
  return SFM_OK;
}

static sfm_status check_sparse(const sfmi_encoding *encoding, const sfmi_machine_points *points,
                               size_t p, sfm_error *error) {
  const size_t first = points->starts[p];
  for (size_t k = first; k < points->starts[p + 1]; k++) {
    const double x = points->numbers[k];
    const uint64_t index = points->indices[k];
    const bool within =
        isfinite(x) && (!encoding->bounded || (x >= encoding->lower && x <= encoding->upper));
    if (index >= encoding->dimension || (k > first && index <= points->indices[k - 1]))
      return sfmi_fail(error, SFM_INVALID,
                       "point %zu is outside the domain: coordinate %llu is beyond %zu, or not in "
                       "order; nothing was answered",
                       p + 1, (unsigned long long)index + 1, encoding->dimension);
    if (!within)
      return sfmi_fail(error, SFM_INVALID,
                       "point %zu is outside the domain: its coordinate %llu is %g, and must be "
                       "from %g to %g; nothing was answered",
                       p + 1, (unsigned long long)index + 1, x,
                       encoding->bounded ? encoding->lower : -INFINITY,
                       encoding->bounded ? encoding->upper : INFINITY);
  }
  return SFM_OK;
}

sfm_status sfmi_machine_domain_check(const sfmi_encoding *encoding,
                                     const sfmi_machine_points *points, sfm_error *error) {
  const size_t inputs = encoding->input_count;
  sfm_status status = SFM_OK;
  if (!points->cells != !encoding->inputs)
    return sfmi_fail(error, SFM_INVALID,
                     encoding->inputs ? "this session is of columns: give points with a cell for "
                                        "each, not sparse rows"
                                      : "this session is of sparse rows: give points as libsvm "
                                        "text");
  for (size_t p = 0; !status && p < points->count; p++) {
    if (!points->cells) status = check_sparse(encoding, points, p, error);
    for (size_t i = 0; points->cells && !status && i < inputs; i++)
      status = check_cell(&encoding->inputs[i], points->cells[p * inputs + i], p, error);
  }
  return status;
}
