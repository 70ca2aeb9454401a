#include "repeated_release.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/thread_pool.h"
#include "estimators/ascent/kernel_ascent.h"
#include "estimators/ascent/machine_solver.h"
#include "mechanisms/core/vector_noise.h"
#include "planner/design/design_train_check.h"
#include "planner/design/design_train_map.h"
#include "releases/core/release_data.h"

sparse_labelled_rows sparse_labelled_rows_create(size_t count, size_t nonzeros) {
  return (sparse_labelled_rows){.count = count,
                                .starts = bench_memory(calloc(count + 1, sizeof(size_t))),
                                .indices = bench_memory(malloc((nonzeros + 1) * sizeof(uint32_t))),
                                .values = bench_memory(malloc((nonzeros + 1) * sizeof(double))),
                                .labels = bench_memory(malloc((count + 1) * sizeof(double)))};
}

void sparse_labelled_rows_clear(sparse_labelled_rows *rows) {
  free(rows->starts);
  free(rows->indices);
  free(rows->values);
  free(rows->labels);
  *rows = (sparse_labelled_rows){0};
}

sparse_labelled_rows sparse_labelled_rows_slice(const sparse_labelled_rows *rows, size_t first,
                                                size_t count) {
  sparse_labelled_rows some = *rows;
  some.count = count;
  some.starts += first;
  some.labels += first;
  return some;
}

/* ---- rows ---- */

static void *copied(const void *from, size_t bytes) {
  void *to = bench_memory(sfmi_alloc(bytes + 1, 1));
  memcpy(to, from, bytes);
  return to;
}

/* Coordinates: encoded, which clips them. */
static void encode(sfmi_examples *e, const sfmi_encoding *encoding,
                   const sparse_labelled_rows *rows) {
  for (size_t i = 0; i < rows->count; i++) {
    const size_t from = rows->starts[i], count = rows->starts[i + 1] - from, to = e->nonzeros;
    memcpy(e->indices + to, rows->indices + from, count * sizeof *e->indices);
    memcpy(e->values + to, rows->values + from, count * sizeof *e->values);
    const size_t kept = sfmi_encoding_sparse(encoding, e->indices + to, e->values + to, count);
    e->keep[i] = kept != SFMI_NO_ROW;
    if (e->keep[i]) e->nonzeros += kept;
    e->starts[i + 1] = e->nonzeros;
  }
}

static void lift_share(void *context, size_t index, size_t size) {
  enum { TOGETHER = 64 };
  const sfmi_examples *e = context;
  for (size_t i = index * TOGETHER; i < e->rows; i += size * TOGETHER) {
    const size_t left = e->rows - i;
    sfmi_feature_map_floats(e->map, e->dense + i * e->stride, e->stride, e->starts + i, e->indices,
                            e->values, left < TOGETHER ? left : TOGETHER);
  }
}

static void make_dense(sfmi_examples *e, size_t threads) {
  e->stride = (e->features + 15) / 16 * 16;
  e->dense = bench_memory(aligned_alloc(64, e->rows * e->stride * sizeof *e->dense));
  memset(e->dense, 0, e->rows * e->stride * sizeof *e->dense);
  sfmi_thread_pool *pool = bench_memory(sfmi_thread_pool_create(threads));
  sfmi_thread_pool_run(pool, lift_share, e);
  sfmi_thread_pool_destroy(pool);
}

/* Features of rows of a linear machine: the constant one is added. */
static void make_sparse(sfmi_examples *e) {
  const size_t room = e->nonzeros + e->rows;
  uint32_t *indices = bench_memory(sfmi_alloc(room + 1, sizeof *indices));
  double *values = bench_memory(sfmi_alloc(room + 1, sizeof *values));
  size_t done = 0;
  for (size_t i = 0, from = 0; i < e->rows; i++) {
    const size_t count = e->starts[i + 1] - from;
    done += sfmi_feature_map_row(e->map, indices + done, values + done, e->indices + from,
                                 e->values + from, count);
    from = e->starts[i + 1];
    e->starts[i + 1] = done;
  }
  free(e->indices);
  free(e->values);
  e->indices = indices;
  e->values = values;
  e->nonzeros = done;
}

static sfmi_examples *examples_of(const repeated_release *t, const sparse_labelled_rows *rows) {
  const sfmi_train_problem *l = &t->making.train_problem;
  const size_t nonzeros = rows->starts[rows->count] - rows->starts[0];
  sfmi_examples *e = bench_memory(sfmi_alloc(1, sizeof *e));
  *e = (sfmi_examples){.form = l->form,
                       .map = l->map,
                       .rows = rows->count,
                       .features = l->form == SFMI_EXAMPLES_KERNEL ? rows->count : l->map->count,
                       .keep = bench_memory(sfmi_alloc(rows->count, 1)),
                       .labels = copied(rows->labels, rows->count * sizeof *rows->labels),
                       .starts = bench_memory(sfmi_alloc(rows->count + 1, sizeof *e->starts)),
                       .indices = bench_memory(sfmi_alloc(nonzeros + 1, sizeof *e->indices)),
                       .values = bench_memory(sfmi_alloc(nonzeros + 1, sizeof *e->values))};
  encode(e, &l->encoding, rows);
  if (e->form == SFMI_EXAMPLES_DENSE) make_dense(e, t->settings.context.threads);
  if (e->form == SFMI_EXAMPLES_SPARSE) make_sparse(e);
  return e;
}

/* ---- the machine ---- */

static sfmi_examples_form form_of(sfmi_feature_map_form form) {
  if (form == SFMI_FEATURE_MAP_LINEAR) return SFMI_EXAMPLES_SPARSE;
  if (form == SFMI_FEATURE_MAP_MONOMIALS) return SFMI_EXAMPLES_MONOMIALS;
  return form == SFMI_FEATURE_MAP_POINTS ? SFMI_EXAMPLES_KERNEL : SFMI_EXAMPLES_DENSE;
}

repeated_release *repeated_release_create(const sfm_train_settings *settings, size_t dimension,
                                          const sparse_labelled_rows *rows,
                                          const sparse_labelled_rows *held, uint64_t seed) {
  repeated_release *t = bench_memory(sfmi_alloc(1, sizeof *t));
  sfmi_train_problem *l = &t->making.train_problem;
  sfm_error error;
  t->settings = *settings;
  t->making.settings = l->settings = &t->settings;
  const sfm_train_settings *s = &t->settings;
  bench_check(sfmi_design_train_check(s, &error), &error);
  bench_check(sfmi_design_train_encoding(&l->encoding, s, dimension, &error), &error);
  bench_check(sfmi_design_train_map(&l->map, &l->encoding, s, seed, &error), &error);
  l->form = form_of(l->map->form);
  l->numbers = l->map->count;
  bench_check(sfmi_design_train_init(&l->training, s, l->map, rows->count,
                                     sfmi_train_problem_width(l), &error),
              &error);
  t->rows = examples_of(t, rows);
  t->held = examples_of(t, held);
  return t;
}

void repeated_release_destroy(repeated_release *t) {
  if (!t) return;
  sfmi_examples_destroy(t->rows);
  sfmi_examples_destroy(t->held);
  sfmi_train_problem_clear(&t->making.train_problem);
  free(t->weights);
  free(t->drawn);
  free(t);
}

size_t repeated_release_features(const repeated_release *t) {
  return t->making.train_problem.map->count;
}

void repeated_release_solve(repeated_release *t) {
  const sfmi_train_problem *l = &t->making.train_problem;
  const double start = bench_clock();
  sfm_error error;
  t->weights = bench_memory(sfmi_alloc(l->numbers, sizeof *t->weights));
  bench_check(sfmi_train_problem_solve(t->weights, l, &l->training, t->rows, 0, t->rows->rows, NULL,
                                       &error),
              &error);
  t->seconds = bench_clock() - start;
}

void repeated_release_plain(const repeated_release *t, double *values) {
  sfm_error error;
  bench_check(sfmi_solver_values(values, t->held, t->weights, t->settings.context.threads, &error),
              &error);
}

/* ---- releases ---- */

/* The public points of tddl, as rows that a kernel machine is a combination of. */
static void take_points(repeated_release *t) {
  const sfmi_train_problem *l = &t->making.train_problem;
  const size_t count = t->making.base.release->length;
  sfm_error error;
  bench_check(sfmi_design_tddl_map(&t->map, &l->encoding, &t->settings, count, &error), &error);
  const sfmi_feature_map *map = t->map;
  const size_t nonzeros = map->point_starts[count];
  sfmi_examples *e = t->points = bench_memory(sfmi_alloc(1, sizeof *e));
  *e = (sfmi_examples){.form = SFMI_EXAMPLES_KERNEL,
                       .map = map,
                       .rows = count,
                       .features = count,
                       .keep = bench_memory(sfmi_alloc(count, 1)),
                       .labels = bench_memory(sfmi_alloc(count, sizeof *e->labels)),
                       .starts = copied(map->point_starts, (count + 1) * sizeof *map->point_starts),
                       .indices = copied(map->point_indices, nonzeros * sizeof *map->point_indices),
                       .values = copied(map->point_values, nonzeros * sizeof *map->point_values),
                       .nonzeros = nonzeros};
  memset(e->keep, 1, count);
}

void repeated_release_begin(repeated_release *t) {
  sfmi_train_run *m = &t->making;
  sfm_error error;
  bench_check(sfmi_design_train_init(&m->train_problem.training, &t->settings, m->train_problem.map,
                                     t->rows->rows, sfmi_train_problem_width(&m->train_problem),
                                     &error),
              &error);
  bench_check(sfmi_train_run_outline(m, &error), &error);
  t->drawn = bench_memory(sfmi_alloc(m->base.release->length, sizeof *t->drawn));
  if (m->tddl) take_points(t);
}

void repeated_release_end(repeated_release *t) {
  sfmi_train_run *m = &t->making;
  sfmi_train_run_clear(m);
  m->factor = NULL;
  m->tddl = NULL;
  m->base.release = NULL;
  sfmi_examples_destroy(t->points);
  sfmi_feature_map_destroy(t->map);
  free(t->drawn);
  t->points = NULL;
  t->map = NULL;
  t->drawn = NULL;
}

/* Noise in the objective, as sfm_train_release has it: (lambda/2)|w|^2 + <b, w>/n = (lambda/2)|v|^2
 * - a constant, v = w + b/(n lambda). */
static void perturb(repeated_release *t) {
  const sfmi_train_problem *l = &t->making.train_problem;
  sfmi_design_train training = l->training;
  const size_t length = l->numbers;
  const double unit = training.scale / ((double)training.rows * training.lambda);
  const bool gamma = sfmi_design_train_noise(&t->settings) == SFM_VECTOR_NOISE_GAMMA;
  double *shifts = bench_memory(sfmi_alloc(length, sizeof *shifts)), square = 0;
  sfm_error error;
  memset(t->drawn, 0, length * sizeof *t->drawn);
  sfmi_vector_idealise(shifts, t->drawn, length, gamma, unit, NULL, t->making.noise.stream);
  for (size_t i = 0; i < length; i++) square += shifts[i] * shifts[i];
  training.target = sfmi_design_train_target(&training, sfmi_train_problem_width(l), sqrt(square));
  bench_check(
      sfmi_train_problem_solve(t->drawn, l, &training, t->rows, 0, t->rows->rows, shifts, &error),
      &error);
  for (size_t i = 0; i < length; i++) t->drawn[i] += shifts[i];
  free(shifts);
}

/* The numbers of a fresh release. */
static void release(repeated_release *t) {
  sfmi_train_run *m = &t->making;
  const sfm_release *r = m->base.release;
  sfm_error error;
  if (t->settings.method == SFM_TRAIN_OBJECTIVE) {
    perturb(t);
    return;
  }
  bench_check(sfmi_train_run_add_noise(m, t->weights, &error), &error);
  for (size_t i = 0; i < r->length; i++)
    t->drawn[i] = r->reals ? r->reals[i] : (double)r->integers[i] * r->step;
}

void repeated_release_draw(repeated_release *t, double *values) {
  const sfmi_csr held = {t->held->starts, t->held->indices, t->held->values};
  const size_t threads = t->settings.context.threads;
  sfm_error error;
  release(t);
  bench_check(t->points ? sfmi_kernel_ascent_values(values, t->points, t->drawn, held,
                                                    t->held->rows, threads, &error)
                        : sfmi_solver_values(values, t->held, t->drawn, threads, &error),
              &error);
}

/* ---- numbers ---- */

double prediction_accuracy(const double *values, const sparse_labelled_rows *rows) {
  size_t right = 0;
  for (size_t i = 0; i < rows->count; i++) right += (values[i] > 0) == (rows->labels[i] > 0);
  return (double)right / (double)rows->count;
}

double prediction_error(const double *values, const sparse_labelled_rows *rows) {
  double sum = 0;
  for (size_t i = 0; i < rows->count; i++)
    sum += (values[i] - rows->labels[i]) * (values[i] - rows->labels[i]);
  return sqrt(sum / (double)rows->count);
}

void run_mean_add(run_mean *mean, double value) {
  mean->sum += value;
  mean->square += value * value;
  mean->count++;
}

double run_mean_value(const run_mean *mean) {
  return mean->sum / (double)mean->count;
}

double run_mean_deviation(const run_mean *mean) {
  const double n = (double)mean->count, average = run_mean_value(mean);
  return n > 1 ? sqrt(fmax(0, (mean->square - n * average * average) / (n - 1))) : 0;
}
