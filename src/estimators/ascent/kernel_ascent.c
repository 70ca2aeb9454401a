/* kernel_ascent.c - dual ascent with a kernel: working sets, and a cache of lines of the kernel
 * matrix.
 *
 * Invariants:
 *  1. every dual is in its range; values[i] is (1/lambda n) sum_j a_j K(row_i, row_j) + offset_i,
 *     as exactly as lines of floats keep it: it is computed anew, in doubles, for every
 *     certificate, and the ascent goes on from there;
 *  2. where there is room for them, a working set is all rows that a small change of their values
 *     would move; else the rows with the largest slacks are swept over in shuffled working sets.
 *     The dual objective rises with every one;
 *  3. nothing ends the ascent but a certified gap.
 * The machine returned has the coefficients c_i = a_i/(lambda n), rounded. */
#include "kernel_ascent.h"

#include <math.h>
#include <stdlib.h>

#include "base/math/prng.h"
#include "base/system/arena.h"
#include "estimators/machine/certificate.h"
#include "working_set.h"
#include "kernel_cache.h"

enum {
  TAKEN_MAX = 4096, /* rows of a working set that holds all that would move */
  CHUNK = 256,      /* and of one that does not */
  ROUNDS = 3,       /* of coordinate ascent on such a one */
  SET_ROUNDS = 40,  /* of working_set.h on the other */
  PUBLIC_SEED = 20262,
};
/* A working set of all rows that would move is solved for until its slack is this part of what it
 * was. */
static const double SET_PART = 0.02;
/* The rows of a sweep have together this part of the slack. */
static const double SWEEP_PART = 0.8;

typedef struct candidate {
  double slack;
  size_t row;
} candidate;

/* PRIVATE. */
typedef struct duals {
  sfmi_arena memory;
  const sfmi_problem *problem;
  const sfmi_dense_products *loops;
  sfmi_thread_pool *pool;
  sfmi_csr csr;
  size_t all, rows; /* n; those that are not zero */
  double scale;     /* 1/(lambda n) */
  double unit;      /* kappa^2, of lines */
  size_t nonzeros;  /* coordinates of two rows that are not both zero, at most */
  size_t *numbers;
  double *labels, *offsets, *squares, *duals, *values, *coefficients;
  candidate *candidates;
  size_t sweeps;
  sfmi_prng prng;
  sfmi_kernel_matrix *matrix;
  sfmi_kernel_cache *cache;
  sfmi_working_set set; /* whose rows are lines of the matrix */
  sfmi_working_set_workspace *workspace;
} duals;

static void clear(duals *d) {
  sfmi_arena_wipe(&d->memory);
  sfmi_kernel_matrix_destroy(d->matrix);
  sfmi_kernel_cache_destroy(d->cache);
  sfmi_working_set_workspace_destroy(d->workspace);
  sfmi_thread_pool_destroy(d->pool);
}

static bool allocate(duals *d) {
  d->pool = sfmi_thread_pool_create(d->problem->threads);
  d->numbers = sfmi_arena_get(&d->memory, d->all, sizeof *d->numbers);
  sfmi_arena_arrays(
      &d->memory, d->all,
      (double **[]){&d->labels, &d->offsets, &d->squares, &d->duals, &d->values, NULL});
  d->coefficients = sfmi_arena_doubles(&d->memory, sfmi_kernel_matrix_stride(d->all));
  d->candidates = sfmi_arena_get(&d->memory, d->all, sizeof *d->candidates);
  d->cache = sfmi_kernel_cache_create(d->all);
  if (!d->cache) return false;
  const size_t room = sfmi_kernel_cache_room(d->cache), taken = room < TAKEN_MAX ? room : TAKEN_MAX;
  d->set = (sfmi_working_set){
      .loss = &d->problem->loss, .loops = d->loops, .pool = d->pool, .scale = d->scale * d->unit};
  sfmi_working_set_reserve(&d->set, &d->memory, taken);
  d->workspace = sfmi_working_set_workspace_create(taken);
  return d->pool && d->workspace && !d->memory.failed;
}

/* K(row, row), by the pair alone. */
static double self_of(const sfmi_examples *examples, size_t i) {
  const size_t from = examples->starts[i], count = examples->starts[i + 1] - from;
  const uint32_t *indices = examples->indices + from;
  const double *values = examples->values + from;
  return sfmi_feature_map_kernel(examples->map, indices, values, count, indices, values, count);
}

/* The rows that are not zero in K's space; of the others only the losses are added. */
static void gather(duals *d, sfmi_slacks *empty) {
  const sfmi_examples *examples = d->problem->examples;
  size_t widest = 0;
  for (size_t i = 0; i < d->all; i++) {
    const double self = examples->keep[i] ? self_of(examples, i) : 0;
    if (!(self > 0)) {
      sfmi_slacks_add_empty(empty, &d->problem->loss, sfmi_problem_offset(d->problem, i),
                            sfmi_problem_label(d->problem, i));
      continue;
    }
    const size_t nonzeros = examples->starts[i + 1] - examples->starts[i];
    if (nonzeros > widest) widest = nonzeros;
    d->numbers[d->rows] = i;
    d->squares[d->rows] = self;
    d->labels[d->rows] = sfmi_problem_label(d->problem, i);
    d->offsets[d->rows] = d->values[d->rows] = sfmi_problem_offset(d->problem, i);
    d->rows++;
  }
  const size_t dimension = examples->map->dimension;
  d->nonzeros = 2 * widest < dimension ? 2 * widest : dimension;
}

static double slack_of(const duals *d, size_t i) {
  return sfmi_loss_slack(&d->problem->loss, d->values[i], d->duals[i], d->labels[i]);
}

/* The largest slack first. */
static int compare(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  if (a->slack != b->slack) return a->slack > b->slack ? -1 : 1;
  return a->row < b->row ? -1 : a->row > b->row;
}

/* The rows that would move; returns how many. */
static size_t find_loose(duals *d, double gap) {
  const double margin = 0.25 * sqrt(gap);
  size_t count = 0;
  for (size_t i = 0; i < d->rows; i++)
    if (sfmi_working_set_is_loose(&d->problem->loss, d->values[i], d->duals[i],
                                  d->scale * d->squares[i], d->labels[i], margin))
      d->candidates[count++] = (candidate){slack_of(d, i), i};
  return count;
}

/* Adds what the duals of the working set moved by to all values. */
static void apply(duals *d, size_t count) {
  const sfmi_working_set *set = &d->set;
  size_t moved = 0;
  for (size_t i = 0; i < count; i++) {
    const double change = set->duals[i] - set->before[i];
    d->duals[set->places[i]] = set->duals[i];
    if (change == 0) continue;
    set->steps[moved] = set->scale * change;
    set->rows[moved++] = set->rows[i];
  }
  if (moved > 0)
    sfmi_dense_products_add(d->loops, d->pool, d->values, set->rows, set->steps, moved, d->rows);
}

/* One working set, solved for or only improved. */
static void work(duals *d, size_t count, bool solve) {
  sfmi_working_set *set = &d->set;
  double slack = 0;
  set->count = count;
  set->stride = sfmi_dense_products_gram_stride(count);
  sfmi_kernel_cache_get(d->cache, set->rows, d->matrix, d->pool, set->places, count);
  for (size_t i = 0; i < count; i++) {
    const size_t place = set->places[i];
    float *row = set->gram + i * set->stride;
    for (size_t k = 0; k < count; k++) row[k] = set->rows[i][set->places[k]];
    set->duals[i] = set->before[i] = d->duals[place];
    set->values[i] = d->values[place];
    set->labels[i] = d->labels[place];
    set->squares[i] = d->squares[place] / d->unit;
    slack += slack_of(d, place);
  }
  const double wanted = 0.25 * d->problem->target * (double)d->all;
  if (solve) sfmi_working_set_solve(set, d->workspace, fmax(SET_PART * slack, wanted), SET_ROUNDS);
  for (int i = 0; !solve && i < ROUNDS; i++) (void)sfmi_working_set_pass(set, i % 2 == 1);
  apply(d, count);
}

static void shuffle(duals *d, size_t count) {
  for (size_t i = count; i > 1; i--) {
    const size_t j = (size_t)(sfmi_prng_uniform(&d->prng) * (double)i);
    const candidate held = d->candidates[i - 1];
    d->candidates[i - 1] = d->candidates[j];
    d->candidates[j] = held;
  }
}

/* Over the candidates with the largest slacks and over all of them in turns: the largest slacks may
 * all be of one label, which alone would swing values from one side to the other. */
static void sweep(duals *d, size_t count) {
  double all = 0, some = 0;
  size_t held = d->sweeps++ % 2 ? count : 0;
  qsort(d->candidates, count, sizeof *d->candidates, compare);
  for (size_t i = 0; i < count; i++) all += d->candidates[i].slack;
  while (held < count && (held < CHUNK || some < SWEEP_PART * all))
    some += d->candidates[held++].slack;
  shuffle(d, held);
  for (size_t first = 0; first < held; first += CHUNK) {
    const size_t chunk = held - first < CHUNK ? held - first : CHUNK;
    for (size_t i = 0; i < chunk; i++) d->set.places[i] = d->candidates[first + i].row;
    work(d, chunk, false);
  }
}

static void ascend(duals *d, double gap) {
  const size_t count = find_loose(d, gap);
  if (count > d->set.room) {
    sweep(d, count);
    return;
  }
  for (size_t i = 0; i < count; i++) d->set.places[i] = d->candidates[i].row;
  work(d, count, true);
}

/* The coefficients that are not zero and their rows; returns how many. */
static size_t support(duals *d, size_t *numbers, double *total) {
  size_t count = 0;
  *total = 0;
  for (size_t i = 0; i < d->rows; i++) {
    const double c = d->scale * d->duals[i];
    if (c == 0) continue;
    d->coefficients[count] = c;
    numbers[count++] = d->numbers[i];
    *total += fabs(c);
  }
  for (size_t i = count; i < sfmi_kernel_matrix_stride(count); i++) d->coefficients[i] = 0;
  return count;
}

/* All values, from the duals; returns sum |c|, or a negative number when memory is short. */
static double recompute(duals *d) {
  double total;
  size_t *numbers = sfmi_alloc(d->rows, sizeof *numbers);
  if (!numbers) return -1;
  const size_t count = support(d, numbers, &total);
  sfmi_kernel_matrix *held =
      sfmi_kernel_matrix_create(d->problem->examples->map, d->csr, numbers, count);
  sfmi_wipe_free(numbers, d->rows, sizeof *numbers);
  if (!held) return -1;
  sfmi_kernel_matrix_multiply(held, d->pool, d->values, d->coefficients, d->csr, d->numbers,
                              d->rows);
  sfmi_kernel_matrix_destroy(held);
  for (size_t i = 0; i < d->rows; i++) d->values[i] += d->offsets[i];
  return total;
}

static bool certify(duals *d, sfmi_solution *solution, const sfmi_slacks *empty) {
  const sfmi_problem *problem = d->problem;
  const sfmi_feature_map *map = problem->examples->map;
  const double total = recompute(d);
  if (total < 0) return false;
  const double off = sfmi_kernel_matrix_error(map, d->nonzeros, d->rows) * total * 1.01;
  double square = 0;
  sfmi_slacks sums = *empty;
  for (size_t i = 0; i < d->rows; i++) {
    square += d->scale * d->duals[i] * (d->values[i] - d->offsets[i]);
    sfmi_slacks_add(&sums, &problem->loss, d->values[i], d->duals[i], d->labels[i], off);
  }
  sfmi_certify(solution, problem, &sums, square, 4 * SFMI_UNIT_ROUNDOFF * total * map->kappa);
  return true;
}

static double estimate(const duals *d) {
  double sum = 0;
  for (size_t i = 0; i < d->rows; i++) sum += slack_of(d, i);
  return sum / (double)d->all;
}

/* False when memory is short. */
static bool run(duals *d, sfmi_solution *solution, const sfmi_slacks *empty) {
  const sfmi_problem *problem = d->problem;
  for (;;) {
    double gap = estimate(d);
    if (!sfmi_problem_goes_on(problem, gap)) return true;
    if (gap <= problem->target) {
      if (!certify(d, solution, empty)) return false;
      if (solution->gap <= problem->target) return true;
      gap = solution->gap;
    }
    ascend(d, gap);
    solution->passes++;
  }
}

static void write_weights(const duals *d, double *weights) {
  for (size_t i = 0; i < d->rows; i++) weights[d->numbers[i]] = d->scale * d->duals[i];
}

sfm_status sfmi_kernel_ascent_solve(sfmi_solution *solution, const sfmi_problem *problem,
                                    sfm_error *error) {
  const sfmi_examples *examples = problem->examples;
  duals d = {.problem = problem,
             .loops = sfmi_dense_products_best(),
             .csr = sfmi_examples_csr(examples),
             .all = examples->rows,
             .scale = 1 / (problem->lambda * (double)examples->rows),
             .unit = examples->map->kappa * examples->map->kappa};
  sfmi_slacks empty = {0};
  double *weights = sfmi_alloc(examples->rows, sizeof *weights);
  bool done = weights && allocate(&d);
  if (done) {
    sfmi_prng_init(&d.prng, PUBLIC_SEED);
    gather(&d, &empty);
    d.matrix = sfmi_kernel_matrix_create(examples->map, d.csr, d.numbers, d.rows);
    done = d.matrix && run(&d, solution, &empty);
  }
  if (done) {
    write_weights(&d, weights);
    solution->weights = weights;
    solution->length = examples->rows;
  } else {
    free(weights);
    *solution = (sfmi_solution){0};
  }
  clear(&d);
  return done ? SFM_OK : sfmi_fail_memory(error);
}

sfm_status sfmi_kernel_ascent_values(double *values, const sfmi_examples *examples,
                                     const double *coefficients, sfmi_csr points, size_t count,
                                     size_t threads, sfm_error *error) {
  const sfmi_csr rows = sfmi_examples_csr(examples);
  const size_t n = examples->rows, stride = sfmi_kernel_matrix_stride(n);
  size_t *numbers = sfmi_alloc(n, sizeof *numbers), held = 0;
  double *c = sfmi_alloc(stride, sizeof *c);
  sfmi_thread_pool *pool = sfmi_thread_pool_create(threads);
  sfmi_kernel_matrix *matrix = NULL;
  if (numbers && c) {
    for (size_t i = 0; i < n; i++) {
      if (coefficients[i] == 0 || !examples->keep[i]) continue;
      numbers[held] = i;
      c[held++] = coefficients[i];
    }
    matrix = sfmi_kernel_matrix_create(examples->map, rows, numbers, held);
  }
  const bool ready = matrix && pool;
  if (ready) sfmi_kernel_matrix_multiply(matrix, pool, values, c, points, NULL, count);
  sfmi_kernel_matrix_destroy(matrix);
  sfmi_thread_pool_destroy(pool);
  sfmi_wipe_free(numbers, n, sizeof *numbers);
  sfmi_wipe_free(c, stride, sizeof *c);
  return ready ? SFM_OK : sfmi_fail_memory(error);
}

double sfmi_kernel_ascent_error(const sfmi_feature_map *map, uint64_t rows, double total) {
  return sfmi_kernel_matrix_error(map, map->dimension, rows) * total * 1.01;
}

/* As sfmi_solver_floor: the errors of values, at both ends of a slack, and the steps that are too
 * short to be taken; sum |c| <= L/lambda.  Times four. */
double sfmi_kernel_ascent_floor(const sfmi_loss *loss, double lambda, const sfmi_feature_map *map,
                                uint64_t rows) {
  const double q = map->kappa * map->kappa / (lambda * (double)rows);
  const double most = fmax(sfmi_loss_lipschitz(loss, lambda, map->kappa), SFMI_UNIT_ROUNDOFF);
  const double values = 2 * most * sfmi_kernel_ascent_error(map, rows, 2 * most / lambda);
  const double grain =
      most * most * SFMI_UNIT_ROUNDOFF * (q + (1 + q) * (1 + q) * SFMI_UNIT_ROUNDOFF);
  return 4 * (values + 16 * SFMI_UNIT_ROUNDOFF * most * (1 + map->kappa * most / lambda) + grain);
}
