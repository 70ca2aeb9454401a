/* dense_ascent.c - dual ascent on rows whose features are all in memory as floats.
 *
 * Rows are shuffled (by a public generator) and cut into blocks of 64 to 256.  The products of the
 * rows of a block with each other are computed once.  A pass takes block after block: first the
 * values <w, phi> of its rows; then some rounds of coordinate ascent on the block, for which the
 * products are enough; then the change of w.  So memory is read once per pass, whatever the number
 * of rounds.
 *
 * Most duals soon stay where they are.  After a pass, those that a small change of their values
 * would move are taken together, as many as there is room for, and solved for nearly exactly
 * (working_set.h).  Every step raises the dual objective; which rows are taken when affects the
 * speed alone.
 *
 * Products are of floats, values and weights of doubles.  When a pass suggests that the target is
 * reached, weights are computed afresh from the duals, values from the weights, and the certificate
 * from both (certificate.h). */
#include "dense_ascent.h"

#include <math.h>
#include <string.h>

#include "base/math/prng.h"
#include "base/system/arena.h"
#include "estimators/machine/certificate.h"
#include "working_set.h"

enum {
  BLOCK_MAX = 256,
  ROUNDS = 3,          /* of coordinate ascent on a block */
  SET_MAX = 4096,      /* rows taken together */
  SET_ROUNDS = 40,     /* of working_set.h */
  PUBLIC_SEED = 20261, /* of the order of rows */
};
/* Rows taken together are solved for until their slack is this part of what it was. */
static const double SET_PART = 0.02;
/* Error of a sum beyond its depth, in roundings, at most. */
static const double BEYOND = 16;
/* Sums of squares of floats, in any order of dense_products.h, are within this part of themselves.
 */
static const double LOOSE_SQUARE = 0x1p-13;

/* Products between 1/LARGE and LARGE are safe as floats.  So are others of rows whose steps move
 * values by less than NEGLIGIBLE per unit of the dual. */
static const double LARGE = 0x1p60, NEGLIGIBLE = 0x1p-30;

/* PRIVATE. */
typedef struct blocks {
  sfmi_arena memory;
  const sfmi_problem *problem;
  const sfmi_dense_products *loops;
  sfmi_thread_pool *pool;
  size_t features, rows; /* rows: those that are not zero */
  double scale;          /* 1/(lambda n) */
  size_t block, count;   /* rows of a block, blocks */
  /* One per row, in the order of the blocks. */
  const float **phi;
  size_t *numbers;
  double *labels, *offsets, *squares, *duals, *values;
  float *grams;
  bool apart;    /* floats cannot hold the products of these rows: one row at a time */
  size_t *order; /* of the blocks */
  sfmi_prng prng;
  double *weights, *part;
  sfmi_working_set set; /* the rows taken together, and room for changes of a block */
  sfmi_working_set_workspace *workspace;
} blocks;

/* Rows of a block: so many that one reading of memory pays, and so few that the products are a
 * small part of the rows. */
static size_t block_rows(size_t features) {
  return features >= 1024 ? BLOCK_MAX : features >= 256 ? BLOCK_MAX / 2 : BLOCK_MAX / 4;
}

static void clear(blocks *b) {
  sfmi_arena_wipe(&b->memory);
  sfmi_wipe_free(b->weights, b->features, sizeof *b->weights);
  sfmi_working_set_workspace_destroy(b->workspace);
  sfmi_thread_pool_destroy(b->pool);
}

static bool allocate(blocks *b, size_t taken) {
  const size_t n = b->problem->examples->rows;
  b->pool = sfmi_thread_pool_create(b->problem->threads);
  b->phi = sfmi_arena_get(&b->memory, n, sizeof *b->phi);
  b->numbers = sfmi_arena_get(&b->memory, n, sizeof *b->numbers);
  sfmi_arena_arrays(
      &b->memory, n,
      (double **[]){&b->labels, &b->offsets, &b->squares, &b->duals, &b->values, NULL});
  b->grams = sfmi_arena_get(&b->memory, b->count * b->block * b->block, sizeof *b->grams);
  b->order = sfmi_arena_get(&b->memory, b->count, sizeof *b->order);
  b->weights = sfmi_alloc(b->features, sizeof *b->weights);
  b->part = sfmi_arena_get(&b->memory, b->features, sizeof *b->part);
  b->set = (sfmi_working_set){
      .loss = &b->problem->loss, .loops = b->loops, .pool = b->pool, .scale = b->scale};
  sfmi_working_set_reserve(&b->set, &b->memory, taken);
  b->workspace = sfmi_working_set_workspace_create(taken);
  return b->pool && b->weights && b->workspace && !b->memory.failed;
}

static bool is_zero(const float *phi, size_t features) {
  for (size_t j = 0; j < features; j++)
    if (phi[j] != 0) return false;
  return true;
}

/* The rows that are not zero, shuffled. */
static void gather(blocks *b) {
  const sfmi_examples *examples = b->problem->examples;
  for (size_t i = 0; i < examples->rows; i++) b->numbers[i] = i;
  sfmi_prng_init(&b->prng, PUBLIC_SEED);
  sfmi_prng_shuffle(&b->prng, b->numbers, examples->rows);
  for (size_t i = 0; i < examples->rows; i++) {
    const size_t number = b->numbers[i];
    const float *phi = examples->dense + number * examples->stride;
    if (!examples->keep[number] || is_zero(phi, b->features)) continue;
    b->numbers[b->rows] = number;
    b->phi[b->rows] = phi;
    b->labels[b->rows] = sfmi_problem_label(b->problem, number);
    b->offsets[b->rows++] = sfmi_problem_offset(b->problem, number);
  }
  b->count = (b->rows + b->block - 1) / b->block;
  for (size_t i = 0; i < b->count; i++) b->order[i] = i;
}

static size_t rows_of(const blocks *b, size_t block) {
  const size_t left = b->rows - block * b->block;
  return left < b->block ? left : b->block;
}

/* |phi|^2; the sum of floats is good enough unless it is near the end of their range. */
static double square_of(const float *phi, size_t features, float product) {
  if ((double)product > 1 / LARGE && (double)product < LARGE) return (double)product;
  double sum = 0;
  for (size_t j = 0; j < features; j++) sum += (double)phi[j] * (double)phi[j];
  return sum;
}

static void multiply(blocks *b) {
  for (size_t k = 0; k < b->count; k++) {
    float *gram = b->grams + k * b->block * b->block;
    const size_t first = k * b->block, rows = rows_of(b, k);
    sfmi_dense_products_gram(b->loops, b->pool, gram, b->block, b->phi + first, rows, b->features);
    for (size_t i = 0; i < rows; i++) {
      const double square = square_of(b->phi[first + i], b->features, gram[i * b->block + i]);
      b->squares[first + i] = square;
      b->apart |= square > LARGE || (square < 1 / LARGE && b->scale * square > NEGLIGIBLE);
    }
  }
}

/* Values of consecutive rows. */
static void evaluate(const blocks *b, size_t first, size_t rows) {
  sfmi_dense_products_dots(b->loops, b->pool, b->values + first, b->phi + first, rows, b->weights,
                           b->features);
  for (size_t i = first; i < first + rows; i++) b->values[i] += b->offsets[i];
}

static double slacks(const blocks *b, size_t first, size_t rows) {
  double sum = 0;
  for (size_t i = first; i < first + rows; i++)
    sum += sfmi_loss_slack(&b->problem->loss, b->values[i], b->duals[i], b->labels[i]);
  return sum;
}

/* w += what the duals of these rows moved by. */
static void apply(blocks *b, const float *const *phi, const double *duals, size_t rows) {
  size_t moved = 0;
  for (size_t i = 0; i < rows; i++) {
    const double change = duals[i] - b->set.before[i];
    if (change == 0) continue;
    b->set.steps[moved] = b->scale * change;
    b->set.rows[moved++] = phi[i];
  }
  if (moved > 0)
    sfmi_dense_products_add(b->loops, b->pool, b->weights, b->set.rows, b->set.steps, moved,
                            b->features);
}

/* Ascent on one block; returns the slack it had. */
static double ascend(blocks *b, size_t block) {
  const size_t first = block * b->block, rows = rows_of(b, block);
  evaluate(b, first, rows);
  const double slack = slacks(b, first, rows);
  const sfmi_working_set set = {.loss = &b->problem->loss,
                                .loops = b->loops,
                                .scale = b->scale,
                                .count = rows,
                                .gram = b->grams + block * b->block * b->block,
                                .stride = b->block,
                                .squares = b->squares + first,
                                .labels = b->labels + first,
                                .duals = b->duals + first,
                                .values = b->values + first};
  memcpy(b->set.before, set.duals, rows * sizeof *set.duals);
  for (int i = 0; i < ROUNDS; i++)
    if (sfmi_working_set_pass(&set, i % 2 == 1) == 0) break;
  apply(b, b->phi + first, set.duals, rows);
  return slack;
}

/* The same, one row after the other. */
static double ascend_apart(blocks *b, size_t block) {
  double slack = 0;
  for (size_t i = block * b->block; i < block * b->block + rows_of(b, block); i++) {
    evaluate(b, i, 1);
    slack += slacks(b, i, 1);
    b->set.before[0] = b->duals[i];
    b->duals[i] = sfmi_working_set_dual_step(&b->problem->loss, b->values[i], b->duals[i],
                                             b->scale * b->squares[i], b->labels[i]);
    apply(b, b->phi + i, b->duals + i, 1);
  }
  return slack;
}

/* All blocks once.  Returns an estimate of the gap: the slack of each row just before its block was
 * visited. */
static double pass(blocks *b) {
  double slack = 0;
  sfmi_prng_shuffle(&b->prng, b->order, b->count);
  for (size_t k = 0; k < b->count; k++)
    slack += b->apart ? ascend_apart(b, b->order[k]) : ascend(b, b->order[k]);
  return slack / (double)b->problem->examples->rows;
}

/* How many rows are loose; the places of the first that there is room for. */
static size_t find_loose(blocks *b, double margin) {
  size_t count = 0;
  for (size_t i = 0; i < b->rows; i++)
    if (sfmi_working_set_is_loose(&b->problem->loss, b->values[i], b->duals[i],
                                  b->scale * b->squares[i], b->labels[i], margin)) {
      if (count < b->set.room) b->set.places[count] = i;
      count++;
    }
  return count;
}

/* Takes the rows at these places together. */
static void take_together(blocks *b, size_t count) {
  sfmi_working_set *set = &b->set;
  double slack = 0;
  set->count = count;
  set->stride = sfmi_dense_products_gram_stride(count);
  for (size_t i = 0; i < count; i++) set->rows[i] = b->phi[set->places[i]];
  sfmi_dense_products_gram(b->loops, b->pool, set->gram, set->stride, set->rows, count,
                           b->features);
  sfmi_dense_products_dots(b->loops, b->pool, set->values, set->rows, count, b->weights,
                           b->features);
  for (size_t i = 0; i < count; i++) {
    const size_t place = set->places[i];
    set->values[i] += b->offsets[place];
    set->duals[i] = set->before[i] = b->duals[place];
    set->labels[i] = b->labels[place];
    set->squares[i] = b->squares[place];
    slack += sfmi_loss_slack(set->loss, set->values[i], set->duals[i], set->labels[i]);
  }
  const double wanted = 0.25 * b->problem->target * (double)b->problem->examples->rows;
  sfmi_working_set_solve(set, b->workspace, fmax(SET_PART * slack, wanted), SET_ROUNDS);
  for (size_t i = 0; i < count; i++) b->duals[set->places[i]] = set->duals[i];
  apply(b, set->rows, set->duals, count);
}

/* w = w(a), in parts of SFMI_SUM_BLOCK rows.  Returns how far it can be from that. */
static double recompute(blocks *b) {
  double length = 0;
  memset(b->weights, 0, b->features * sizeof *b->weights);
  for (size_t first = 0; first < b->rows; first += SFMI_SUM_BLOCK) {
    size_t count = 0;
    for (size_t i = first; i < first + SFMI_SUM_BLOCK && i < b->rows; i++) {
      if (b->duals[i] == 0) continue;
      b->set.steps[count] = b->scale * b->duals[i];
      length += fabs(b->set.steps[count]) * sqrt(b->squares[i]);
      b->set.rows[count++] = b->phi[i];
    }
    memset(b->part, 0, b->features * sizeof *b->part);
    if (count > 0)
      sfmi_dense_products_add(b->loops, b->pool, b->part, b->set.rows, b->set.steps, count,
                              b->features);
    for (size_t j = 0; j < b->features; j++) b->weights[j] += b->part[j];
  }
  return (sfmi_sum_depth(b->rows) + BEYOND) * SFMI_UNIT_ROUNDOFF * length * (1 + LOOSE_SQUARE);
}

static double square_length(const double *w, size_t count) {
  double sum = 0;
  for (size_t j = 0; j < count; j++) sum += w[j] * w[j];
  return sum;
}

/* The losses of the rows that are zero. */
static void add_empty(const blocks *b, sfmi_slacks *sums) {
  const sfmi_examples *examples = b->problem->examples;
  for (size_t i = 0; i < examples->rows; i++)
    if (!examples->keep[i] || is_zero(examples->dense + i * examples->stride, examples->features))
      sfmi_slacks_add_empty(sums, &b->problem->loss, sfmi_problem_offset(b->problem, i),
                            sfmi_problem_label(b->problem, i));
}

static void certify(blocks *b, sfmi_solution *solution, const sfmi_slacks *empty) {
  const double away = recompute(b), square = square_length(b->weights, b->features);
  const double off = (sfmi_sum_depth(b->features) + BEYOND) * SFMI_UNIT_ROUNDOFF * sqrt(square) *
                     (1 + LOOSE_SQUARE);
  sfmi_slacks sums = *empty;
  for (size_t k = 0; k < b->count; k++) {
    const size_t first = k * b->block, rows = rows_of(b, k);
    evaluate(b, first, rows);
    for (size_t i = first; i < first + rows; i++)
      sfmi_slacks_add(&sums, &b->problem->loss, b->values[i], b->duals[i], b->labels[i],
                      off * sqrt(b->squares[i]));
  }
  sfmi_certify(solution, b->problem, &sums, square, away);
}

/* A dual that a change of its value by this much does not move is settled. */
static double margin_of(double gap) {
  return 0.25 * sqrt(gap);
}

static void run(blocks *b, sfmi_solution *solution) {
  const sfmi_problem *problem = b->problem;
  sfmi_slacks empty = {0};
  add_empty(b, &empty);
  for (;;) {
    const double estimate = pass(b);
    solution->passes++;
    if (!sfmi_problem_goes_on(problem, estimate)) return;
    if (estimate <= problem->target) {
      certify(b, solution, &empty);
      if (solution->gap <= problem->target) return;
    }
    const size_t loose = b->apart ? 0 : find_loose(b, margin_of(estimate));
    if (loose > 0 && loose <= b->set.room) take_together(b, loose);
  }
}

sfm_status sfmi_dense_ascent_solve(sfmi_solution *solution, const sfmi_problem *problem,
                                   sfm_error *error) {
  const sfmi_examples *examples = problem->examples;
  blocks b = {.problem = problem,
              .loops = sfmi_dense_products_best(),
              .features = examples->features,
              .scale = 1 / (problem->lambda * (double)examples->rows),
              .block = block_rows(examples->features)};
  b.count = (examples->rows + b.block - 1) / b.block;
  const size_t taken = examples->rows < SET_MAX ? examples->rows : SET_MAX;
  const bool ready = allocate(&b, taken < BLOCK_MAX ? BLOCK_MAX : taken);
  if (ready) {
    gather(&b);
    multiply(&b);
    run(&b, solution);
    solution->weights = b.weights;
    solution->length = b.features;
    b.weights = NULL;
  }
  clear(&b);
  return ready ? SFM_OK : sfmi_fail_memory(error);
}

void sfmi_dense_ascent_values(double *values, const sfmi_examples *examples, const double *weights,
                              size_t threads) {
  enum { TOGETHER = 256 };
  const sfmi_dense_products *loops = sfmi_dense_products_best();
  sfmi_thread_pool *pool = sfmi_thread_pool_create(threads); /* without one, by this thread alone */
  const float *rows[TOGETHER];
  for (size_t first = 0; first < examples->rows; first += TOGETHER) {
    const size_t left = examples->rows - first, count = left < TOGETHER ? left : TOGETHER;
    for (size_t i = 0; i < count; i++) rows[i] = examples->dense + (first + i) * examples->stride;
    sfmi_dense_products_dots(loops, pool, values + first, rows, count, weights, examples->features);
    for (size_t i = first; i < first + count; i++)
      if (!examples->keep[i]) values[i] = 0;
  }
  sfmi_thread_pool_destroy(pool);
}
